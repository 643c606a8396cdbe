/// Why a regular expression cannot be read, and where.
public struct RegexError: Error, Hashable, CustomStringConvertible {
    public let message: String

    init(_ message: String) { self.message = message }

    public var description: String { self.message }
}
