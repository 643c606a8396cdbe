import JSON
import LuaRuntime
import Machines
import Transport

/// What a script asks for with `t:server`.
struct ServerSpecification {
    /// The options of the system, checked.
    var options = JSONObject()

    /// The table as the script gave it, for the functions in it.
    var given = LuaValue.nil

    /// Whether there are functions in it; they cannot go to another script.
    var passesFunctions = false

    /// Whether all virtual users of the process are to use it.
    private(set) var isShared = false

    /// Whether it stands beside whatever the scenario talks to, to be called back; it is no client's server by itself.
    private(set) var isCallback = false

    /// Where it is to listen; any free port of the loopback unless given.
    private(set) var place: Endpoint?

    /// What every `t:server` takes besides the options of its system.
    static let parameters = [
        ParameterDeclaration(
            "shared", .boolean, optional: true,
            "In a load test all users of a process share one server; false unless given, and without effect elsewhere."),
        ParameterDeclaration(
            "callback", .boolean, optional: true,
            "A server beside the target, for bots that answer by calling a URL: it is there with a real target, too, and "
                + "clients talk to it only by `{ server = … }`; false unless given."),
        ParameterDeclaration(
            "port", .integer, optional: true, "The port that it listens on; any free one unless given."),
        ParameterDeclaration(
            "host", .string, optional: true,
            "The address of this machine that it listens on; 127.0.0.1 unless given, 0.0.0.0 for all."),
    ]

    /// A server with default options.
    init() {}

    /// Reads what a script gave.
    ///
    /// - Parameters:
    ///   - options: All options, checked.
    ///   - own: What the system declares; an option of its own wins over one of the same name here.
    /// - Throws: ``UsageError`` if the port cannot be one.
    init(_ options: JSONObject, own: [ParameterDeclaration]) throws(UsageError) {
        var options = options
        func take(_ name: String) -> JSONValue? {
            guard !own.contains(where: { $0.name == name }) else { return nil }
            defer { options[name] = nil }
            return options[name]
        }
        self.isShared = take("shared")?.bool ?? false
        self.isCallback = take("callback")?.bool ?? false
        let (port, host) = (take("port")?.integer, take("host")?.string)
        if let port, !(1...65535).contains(port) {
            throw UsageError("t:server: port is a number from 1 to 65535, not \(port)")
        }
        if port != nil || host != nil { self.place = Endpoint(host: host ?? "127.0.0.1", port: Int(port ?? 0)) }
        self.options = options
    }

    /// What `t:server` of a system takes.
    static func parameters(of own: [ParameterDeclaration]) -> [ParameterDeclaration] {
        own + Self.parameters.filter { general in !own.contains { $0.name == general.name } }
    }

    /// Tells the shared servers of a system apart that stand at different places.
    func key(of system: String) -> String {
        "\(system) \(self.isCallback) \(self.place.map { "\($0)" } ?? "")"
    }

    /// Checks that the server can be where the script wants it.
    ///
    /// - Parameter servers: Those that are there already.
    /// - Throws: ``UsageError`` if each user of a load test would listen on the same port, if all are to share a server
    ///   that some of them cannot reach, if the members of a room would have one each and never meet, or if
    ///   each user would be judged by what comes from all.
    func check(for slot: VirtualUserSlot?, beside servers: ExecutionServers) throws(UsageError) {
        if self.isShared, slot?.servers.isSplit == true {
            throw UsageError(
                "a shared server lives on one core, and the users of this run play on several; play it with --cores 1")
        }
        if slot?.user.needsSharedServer == true, !self.isShared, !self.isCallback, !servers.hasShared {
            throw UsageError(
                "t:server: rooms need one server for all, and this one would be the user's own: "
                    + "t:server(system, { shared = true }), before others and before actors")
        }
        if self.isShared, slot != nil, StrictOption.isSet(in: self.options) {
            throw UsageError(
                "t:server: each user would have to expect what others send to a server that all share; leave strict or "
                    + "shared out")
        }
        guard slot != nil, !self.isShared, let port = self.place?.port, port != 0 else { return }
        throw UsageError(
            "t:server: the users of a load test cannot each listen on port \(port); add shared = true, or leave the port out"
        )
    }
}
