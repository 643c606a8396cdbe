extension LuaSystem {
    /// Whose functions a table of a system holds.
    enum Part: Hashable {
        case commands, handlers, server, serverCommands, messages, serverMessages
        case party(String)

        /// The handlers that there are, or nil where the script chooses the names or declares the kinds of messages.
        var names: [String]? {
            switch self {
            case .handlers:
                ["open", "text", "bytes", "closed", "failed", "timer", "ending"]
            case .server: ["started", "upgrade", "connected", "text", "bytes", "closed", "request", "timer"]
            case .commands, .serverCommands, .messages, .serverMessages, .party: nil
            }
        }

        /// How scripts name the table.
        var text: String {
            switch self {
            case .commands: "commands"
            case .handlers: "on"
            case .server: "server"
            case .serverCommands: "server.commands"
            case .messages: "json"
            case .serverMessages: "server.json"
            case .party(let name): "parties.\(name)"
            }
        }

        /// Finds the table of a name; one that is none of the others is that of a kind of party.
        init(_ path: String) {
            switch path {
            case "commands": self = .commands
            case "on": self = .handlers
            case "server": self = .server
            case "server.commands": self = .serverCommands
            case "json": self = .messages
            case "server.json": self = .serverMessages
            default: self = .party(String(path.dropFirst("parties.".count)))
            }
        }
    }
}
