internal import EmbeddedFiles
public import Machines

/// The chat systems that are written in Lua and come with the program: modules that every script can require.
///
/// They use what the modules of users can use and nothing else, so each shows how a protocol is taught.
public enum ShippedSystems {
    private static let modules: [String: Int] = Dictionary(
        uniqueKeysWithValues: (0..<embedded_system_count()).map { (String(cString: embedded_system_name($0)), $0) })

    /// The names of the systems, in the order of the alphabet; their parts, such as `socketio.packets`, are left out.
    public static let names: [String] = Self.modules.keys.filter { !$0.contains(".") }.sorted()

    /// Returns the Lua of a system or of a part of one; nil for other names.
    static func source(of name: String) -> String? {
        Self.modules[name].map { String(cString: embedded_system($0)) }
    }

    /// Returns how reports name the file of one of them.
    static func fileName(of name: String) -> String {
        "repartee/" + name.split(separator: ".").joined(separator: "/") + ".lua"
    }

    /// Returns all of them with what they declare, for references.
    ///
    /// - Parameter settings: What scripts can require; a file of the project may take the place of a part of one.
    public static func described(for settings: ExecutionSettings) -> [ChatSystem] {
        let files = Self.names.compactMap { name in
            Self.source(of: name).map { ScriptFile(name: Self.fileName(of: name), source: $0) }
        }
        return ScenarioSuite(files, settings: settings).systems.filter(\.isOwn).map(\.system)
    }

    /// Returns a system with what its page says in words, which no declaration has: how it is used, and beside each
    /// option what it does.
    static func withItsPage(_ system: ChatSystem) -> ChatSystem {
        let lines = (Self.source(of: system.name) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let words = lines.prefix { $0.hasPrefix("--") }.map { $0.dropFirst($0.hasPrefix("-- ") ? 3 : 2) }
        let declaration = lines.drop { !$0.hasPrefix("local S = system {") }.prefix { !$0.isEmpty }
        return ChatSystem(
            name: system.name, title: system.title, client: system.client, server: system.server,
            parties: system.parties, events: system.events, noise: system.noise, absences: system.absences,
            troubles: system.troubles, faultPromises: system.faultPromises,
            data: [
                DataDeclaration("How it is used", words.joined(separator: "\n"), []),
                DataDeclaration("How it is declared", "```lua\n\(declaration.joined(separator: "\n"))\n```", []),
            ] + system.data)
    }
}
