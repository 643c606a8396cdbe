/// A fault at a point of an execution, as the command line, records and reports name it: `cut@12`.
public struct FaultName: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind of fault, such as `cut`.
    public let kind: String

    /// The number of the point, counted from one.
    public let point: Int

    /// Creates a name.
    public init(kind: String, point: Int) {
        self.kind = kind
        self.point = point
    }

    /// Reads a name; nil if the text is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let point = Int(parts[1]), point > 0 else { return nil }
        self.init(kind: String(parts[0]), point: point)
    }

    public var description: String { "\(self.kind)@\(self.point)" }
}
