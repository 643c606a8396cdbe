/// Why a saved run record cannot be read.
public struct RecordFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let message: String

    /// The line of the record, counted from one, or nil if the entry did not come from a file.
    public let line: Int?

    init(_ message: String, line: Int? = nil) {
        self.message = message
        self.line = line
    }

    public var description: String {
        self.line.map { "line \($0) of the run record: \(self.message)" } ?? self.message
    }
}
