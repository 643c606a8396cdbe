import ArgumentParser

/// The options of `repartee load` that say where the server is and how users reach it.
struct TargetOptions: ParsableArguments {
    @Option(help: "A target of repartee.lua, or a URL; simulated servers in this process unless given.")
    var target: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether a real target is connected to before the first user begins; if it is dead, none does (exit 4).")
    var preflight = true

    @Option(
        help: ArgumentHelp(
            "The own addresses of users, in turn: 127.0.0.2,127.0.0.3 or 127.0.0.2-127.0.0.9 or 127.0.0.0/28.",
            valueName: "addresses"))
    var sourceAddresses: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many connections a user has at once, for --plan and for whether this machine has room for them; unless "
                + "given, one for each client where all are WebSockets, and else an assumption, 2.",
            valueName: "number"))
    var connections: Int?

    @Option(
        help: "When the name of the target's host is looked up: for each connection unless given, or once on each core."
    )
    var lookup: AddressLookup?

    @Option(
        help: "Whether a user's connections resume its earlier sessions of TLS, as browsers do; off unless given.")
    var tlsResumption: SessionResumption?

    /// More connections than a user of any chat has; it bounds what a slip of the finger asks for.
    private static let mostConnections = 1000

    func validate() throws {
        if let connections = self.connections, !(1...Self.mostConnections ~= connections) {
            throw ValidationError("--connections \(connections): a number from 1 to \(Self.mostConnections)")
        }
        guard self.target == nil || self.target == "embedded" else { return }
        if self.sourceAddresses != nil {
            throw ValidationError(
                "--source-addresses goes with --target; users talk to simulated servers in this process without sockets"
            )
        }
        if self.lookup != nil {
            throw ValidationError(
                "--lookup goes with --target; users find simulated servers in this process without a name")
        }
        if self.tlsResumption != nil {
            throw ValidationError(
                "--tls-resumption goes with --target; users reach simulated servers in this process without TLS")
        }
    }
}
