import LuaRuntime
import Machines

/// What a script may have meant where it calls a method of actors, or a command of a system, of something that has
/// none, such as a table of its own.
enum ActorMethodHint {
    /// Returns what to add to a message of Lua such as `attempt to call a nil value (method 'expect')`.
    ///
    /// - Parameters:
    ///   - message: What Lua says.
    ///   - position: The line that was running; what stands before the colon there is told by its name.
    ///   - script: The script of the scenarios. Where systems are written, a client may have been meant to wait.
    static func text(for message: String, at position: LuaPosition?, in script: Script) -> String? {
        guard let method = message.firstMatch(of: /attempt to call a nil value \(method '([^']*)'\)/)?.1 else {
            return nil
        }
        let file = script.file
        let isOfActors = LanguageReference.actor.contains { $0.name == method }
        let owners = isOfActors ? [] : MemberOwners(in: script).texts(of: String(method))
        guard isOfActors || !owners.isEmpty else { return nil }
        let isOwn = position?.file == file.name
        let line = isOwn ? file.source.split(separator: "\n", omittingEmptySubsequences: false) : []
        let index = (position?.line ?? 0) - 1
        let receivers = (line.indices.contains(index) ? line[index] : "").matches(
            of: /([A-Za-z_][A-Za-z_0-9.]*)\s*:\s*([A-Za-z_0-9]+)/
        ).filter { $0.2 == method }.map(\.1)
        let name = Set(receivers).count == 1 ? String(receivers[0]) : "this"
        guard isOfActors else {
            return "; only what \(owners.joined(separator: " or ")) returns has \(method), and \(name) does not come "
                + "from there"
        }
        let writesSystems = !isOwn || file.source.contains(/\bsystem\s*[({]/)
        return "; \(name) is no actor: only what t:actor(…) returns, and the parties of a server, have \(method)"
            + (writesSystems
                ? "; in a system, a client waits by me:wait(name), which a handler such as S.on.text ends by me:wake(name)"
                : "")
    }
}
