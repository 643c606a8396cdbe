/// A function that a script passed as an argument or option; a machine sees its number and can call it.
public struct ScriptFunction: Hashable, Sendable {
    /// What stands for the function among arguments and options.
    public let number: Int64

    /// Creates a reference; the numbers come from the worker, in place of the function in the arguments.
    public init(_ number: Int64) { self.number = number }
}
