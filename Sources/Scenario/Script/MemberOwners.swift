import Machines

/// What has the members that a script looks for elsewhere: the context, actors, and the systems that it uses.
struct MemberOwners {
    private let script: Script

    /// - Parameter script: The script of the scenarios.
    init(in script: Script) {
        self.script = script
    }

    /// Returns what has a command of the systems that the script uses, as it would call that: what `t:actor(http)`
    /// returns is `t:actor(http)`.
    ///
    /// A system of the script's own stands with the name that it declares, and one that only a module of it requires is
    /// not known.
    func texts(of command: String) -> [String] {
        let isCommand = { (method: MethodDeclaration) in method.name == command }
        let having = self.script.settings.systems.values.sorted { $0.name < $1.name }.compactMap { system in
            let parties = system.parties.filter { $0.methods.contains(where: isCommand) }.map(\.name)
            let owners = Self.texts(
                system.name, isClient: system.client.methods.contains(where: isCommand),
                isServer: system.server.methods.contains(where: isCommand), parties: parties)
            return owners.isEmpty ? nil : (system: system.name, owners: owners)
        }
        // What was required is not kept while a scenario plays, so the text has to tell.
        let required = having.isEmpty ? [] : ScriptMentions.Text(reading: self.script.file.source).required
        let builtIn = having.filter { required.contains($0.system) }.flatMap(\.owners)
        let own = self.script.declarations.luaSystems.flatMap { system in
            let parties = system.declaration.parties.map(\.name)
            return Self.texts(
                system.declaration.name, isClient: system.command(command, in: .commands) != nil,
                isServer: system.command(command, in: .serverCommands) != nil,
                parties: parties.filter { system.command(command, in: .party($0)) != nil })
        }
        return builtIn + own
    }

    private static func texts(_ system: String, isClient: Bool, isServer: Bool, parties: [String]) -> [String] {
        (isClient ? ["t:actor(\(system))"] : []) + (isServer ? ["t:server(\(system))"] : [])
            + parties.map { "t:server(\(system)):\($0)(…)" }
    }

    /// Returns what to write instead of a member that something does not have and something else has: the context, an
    /// actor, or whatever a command belongs to.
    ///
    /// - Parameter isContext: Whether it is the context that does not have it.
    /// - Returns: Nil if nothing has a member of this name.
    func instead(of member: String, isContext: Bool) -> String? {
        if !isContext {
            if LanguageReference.testContext.contains(where: { $0.name == member }) {
                return "t has it: write t:\(member)(…)"
            }
            if LanguageReference.testContextFields.contains(where: { $0.name == member }) {
                return "t has it: write t.\(member)"
            }
        }
        if LanguageReference.actor.contains(where: { $0.name == member }) {
            return "an actor has it: write visitor:\(member)(…) of what t:actor(…) returned"
        }
        let owners = self.texts(of: member)
        return owners.isEmpty ? nil : "what \(owners.joined(separator: " or ")) returns has it"
    }
}
