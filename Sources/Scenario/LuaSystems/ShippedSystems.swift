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
}
