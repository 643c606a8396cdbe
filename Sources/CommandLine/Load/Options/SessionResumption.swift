import ArgumentParser

/// Whether connections resume sessions of TLS.
enum SessionResumption: String, CaseIterable, ExpressibleByArgument {
    /// Those of the same user, as browsers do.
    case on
    /// Each has a full handshake.
    case off
}
