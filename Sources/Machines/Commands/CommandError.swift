/// Why a command cannot be carried out: what is wrong and what to do.
public struct CommandError: Error, Hashable, Sendable {
    /// What a script reads as its error; one or two sentences.
    public let message: String

    /// Creates a refusal.
    public init(_ message: String) { self.message = message }
}
