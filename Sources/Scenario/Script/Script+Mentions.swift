import Machines

extension Script {
    /// What the texts of the script and its modules mention.
    var mentions: ScriptMentions {
        var mentions = self.files.mentions
        for name in self.settings.systems.keys { mentions.find(name) }
        for _ in self.declarations.luaSystems { mentions.declare() }
        return mentions
    }
}

extension UsedSystem {
    /// The systems that a script requires or declares.
    static func systems(of script: Script) -> [UsedSystem] {
        let builtIn = script.settings.systems.values.filter { script.files.mentions.required.contains($0.name) }
        return builtIn.sorted { $0.name < $1.name }.map { UsedSystem($0) }
            + script.declarations.luaSystems.map { UsedSystem($0) }
    }

    private init(_ system: ChatSystem) {
        self.init(
            system: system, isOwn: false, acknowledgesTexts: system.events.contains { $0.kind == .messageSent },
            declaresAcknowledgements: false)
    }

    private init(_ system: LuaSystem) {
        self.init(
            system: system.described, isOwn: true,
            acknowledgesTexts: !system.acknowledgements.events.isEmpty
                || system.declaration.events.contains { $0.kind == .messageSent },
            declaresAcknowledgements: !system.acknowledgements.commands.isEmpty)
    }
}
