public import JSON

/// What a script gave to `workload`: the shape of the load that its scenarios are meant for.
public struct WorkloadDeclaration: Hashable, Sendable {
    /// The table.
    public let shape: JSONValue

    /// The line of the call.
    public let line: Int
}
