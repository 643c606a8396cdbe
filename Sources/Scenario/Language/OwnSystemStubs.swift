import Machines

/// Annotations for those who write a chat system in Lua: what `system` returns, and the tables that handlers get.
enum OwnSystemStubs {
    /// The class of what `system` returns.
    static let system = "repartee.system"

    /// What handlers of a client get, by the handler's name.
    static let handlers = [
        ("open", "me: repartee.me, link: repartee.link"),
        ("text", "me: repartee.me, text: string, link: repartee.link"),
        ("bytes", "me: repartee.me, bytes: string, link: repartee.link"),
        ("closed", "me: repartee.me, closure: table, link: repartee.link"),
        ("failed", "me: repartee.me, failure: table, link: repartee.link"),
        ("timer", "me: repartee.me, name: string"),
        ("ending", "me: repartee.me"),
    ]

    /// What handlers of a simulated server get, by the handler's name.
    static let serverHandlers = [
        ("started", "desk: repartee.desk"),
        ("upgrade", "desk: repartee.desk, request: repartee.request"),
        ("connected", "desk: repartee.desk, client: repartee.connection, request: repartee.request?"),
        ("text", "desk: repartee.desk, client: repartee.connection, text: string"),
        ("bytes", "desk: repartee.desk, client: repartee.connection, bytes: string"),
        ("closed", "desk: repartee.desk, client: repartee.connection, closure: table"),
        ("request", "desk: repartee.desk, request: repartee.request"),
        ("timer", "desk: repartee.desk, name: string"),
    ]

    /// The tables in which handlers keep what they need.
    private static let open: Set = ["me", "desk", "client", "party"]

    /// What the tables' methods return, as far as that is a table of theirs.
    private static let results = ["open": "repartee.link", "request": "repartee.answer"]

    /// Writes all of them.
    static func write(to writer: inout LuaStubWriter) {
        for table in LanguageReference.ownTables {
            // The connection of a server is called client there, which is something else where scenarios play.
            let name = "repartee.\(table.name == "client" ? "connection" : table.name)"
            writer.classHeader(
                name, table.summary, fields: table.fields, variable: table.name, isOpen: Self.open.contains(table.name))
            writer.methods(table.methods, of: table.name, context: name, results: Self.results)
        }
        Self.write("\(Self.system).handlers", "What arrives at a client.", Self.handlers, to: &writer)
        Self.write(
            "\(Self.system).server", "The simulated server.", Self.serverHandlers, to: &writer,
            fields: [
                "commands table<string, fun(desk: repartee.desk, ...: any): any>",
                "json table<string, fun(desk: repartee.desk, client: repartee.connection, message: table): any>",
            ])
        writer.line("---A chat system of one's own: its functions go into these tables.")
        writer.line("---@class \(Self.system)")
        for field in [
            "name string", "commands table<string, (fun(me: repartee.me, ...: any): any)|table>",
            "on \(Self.system).handlers",
            "json table<string, fun(me: repartee.me, message: table, link: repartee.link): any>",
            "server \(Self.system).server",
            "parties table<string, table<string, fun(party: repartee.party, ...: any): any>>",
        ] {
            writer.line("---@field \(field)")
        }
        writer.line("")
    }

    private static func write(
        _ name: String, _ summary: String, _ handlers: [(String, String)], to writer: inout LuaStubWriter,
        fields: [String] = []
    ) {
        writer.line("---\(summary)")
        writer.line("---@class \(name)")
        for (handler, parameters) in handlers { writer.line("---@field \(handler)? fun(\(parameters)): any") }
        for field in fields { writer.line("---@field \(field)") }
        writer.line("")
    }
}
