public import Machines

/// A chat system that the scripts of a run use, as far as their text tells before they are played.
public struct UsedSystem: Sendable {
    /// The system; one that a script declares has what it declares, and cannot be played by itself.
    public let system: ChatSystem

    /// Whether it is written in Lua, by the script or by a module of it.
    public let isOwn: Bool

    /// Whether it tells by an event that the server has a text.
    public let acknowledgesTexts: Bool

    /// The systems that a script requires or declares.
    static func systems(of script: Script) -> [UsedSystem] {
        let builtIn = script.settings.systems.values.filter {
            script.declarations.mentions.required.contains($0.name)
        }
        return builtIn.sorted { $0.name < $1.name }.map { UsedSystem($0) }
            + script.declarations.luaSystems.map { UsedSystem($0) }
    }

    private init(_ system: ChatSystem) {
        self.system = system
        self.isOwn = false
        self.acknowledgesTexts = system.events.contains { $0.kind == .messageSent }
    }

    private init(_ system: LuaSystem) {
        self.system = system.described
        self.isOwn = true
        self.acknowledgesTexts =
            !system.acknowledgements.isEmpty || system.declaration.events.contains { $0.kind == .messageSent }
    }
}
