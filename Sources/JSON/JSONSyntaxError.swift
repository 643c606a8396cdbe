/// Why a text is not JSON, or not JSON within the bounds that a reader sets.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a phrase without a full stop.
    public let message: String

    /// Where, in bytes from the start of the text.
    public let offset: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - message: What is wrong, as a phrase without a full stop.
    ///   - offset: Where, in bytes from the start of the text.
    public init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }

    public var description: String { "\(self.message) at byte \(self.offset)" }
}
