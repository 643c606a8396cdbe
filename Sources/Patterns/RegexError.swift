/// Why a regular expression cannot be read, and where.
public struct RegexError: Error, Hashable, CustomStringConvertible {
    /// What is wrong and, where there is one, at which character; a part of a sentence.
    public let message: String

    init(_ message: String) { self.message = message }

    public var description: String { self.message }
}
