import ArgumentParser

/// When users look up the name of a host.
enum AddressLookup: String, CaseIterable, ExpressibleByArgument {
    /// For each connection, as users on machines of their own would.
    case connection
    /// Once for each core, so that a run measures no name server.
    case once
}
