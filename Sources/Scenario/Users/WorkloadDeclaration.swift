public import JSON

/// What a script gave to `workload`: the shape of the load that its scenarios are meant for.
public struct WorkloadDeclaration: Hashable, Sendable {
    /// The table.
    public let shape: JSONValue

    /// The line of the call.
    public let line: Int

    /// The rows that its users share; empty unless they were asked for and can be read.
    public internal(set) var rows: [JSONValue] = []

    /// What is wrong with the rows, a line for each mistake.
    public internal(set) var rowMistake: String?
}
