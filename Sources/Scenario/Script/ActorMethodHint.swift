import LuaRuntime
import Machines

/// What a script may have meant where it calls a method of actors of something that is none, such as a table of its
/// own.
enum ActorMethodHint {
    /// Returns what to add to a message of Lua such as `attempt to call a nil value (method 'expect')`.
    ///
    /// - Parameters:
    ///   - message: What Lua says.
    ///   - position: The line that was running; what stands before the colon there is told by its name.
    ///   - file: The file of the scenarios. Where systems are written, a client may have been meant to wait.
    static func text(for message: String, at position: LuaPosition?, in file: ScriptFile) -> String? {
        guard
            let method = message.firstMatch(of: /attempt to call a nil value \(method '([^']*)'\)/)?.1,
            LanguageReference.actor.contains(where: { $0.name == method })
        else { return nil }
        let isOwn = position?.file == file.name
        let line = isOwn ? file.source.split(separator: "\n", omittingEmptySubsequences: false) : []
        let index = (position?.line ?? 0) - 1
        let receivers = (line.indices.contains(index) ? line[index] : "").matches(
            of: /([A-Za-z_][A-Za-z_0-9.]*)\s*:\s*([A-Za-z_0-9]+)/
        ).filter { $0.2 == method }.map(\.1)
        let name = Set(receivers).count == 1 ? String(receivers[0]) : "this"
        let writesSystems = !isOwn || file.source.contains(/\bsystem\s*[({]/)
        return "; \(name) is no actor: only what t:actor(…) returns, and the parties of a server, have \(method)"
            + (writesSystems
                ? "; in a system, a client waits by me:wait(name), which a handler such as S.on.text ends by me:wake(name)"
                : "")
    }
}
