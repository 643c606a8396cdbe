/// Why bytes could not be read as a histogram.
public struct HistogramFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the bytes and what to do.
    public let message: String

    public var description: String { self.message }

    init(_ message: String) { self.message = message }
}
