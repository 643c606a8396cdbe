/// A script's function raised an error instead of returning; the scenario has recorded it as a script error.
public struct ScriptCallFailure: Error, Hashable, Sendable {
    /// What the script raised, or why it could not be called.
    public let message: String

    /// Creates a failure.
    public init(_ message: String) { self.message = message }
}
