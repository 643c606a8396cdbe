import Machines

/// What a script may have meant by a member that the context `t` does not have.
enum ContextHint {
    /// What other test tools offer under a name, as it is written here.
    private static let otherWords = [
        "sleep": "write wait \"1s\"", "delay": "write wait \"1s\"", "pause": "write wait \"1s\"",
        "assert": "write expect(value, expected)", "equal": "write expect(value, expected)",
        "log": "write log.info(text)", "cleanup": "write t:defer(function() … end)",
        "client": "write t:actor(system, { … })",
        "options": "options stand in scenario(title, { … }, function(t) … end)",
        "tags": "tags stand in scenario(title, { tags = { … } }, function(t) … end)",
    ]

    /// Returns what to write instead of a member, if that is known: of functions that stand alone and of members of
    /// actors, too.
    static func instead(of name: String, in script: Script) -> String? {
        if name == "expect" { return "write expect(value, expected), or expect of an actor: ada:expect \"message\"" }
        if LanguageReference.globals.contains(where: { $0.name == name }) {
            return "\(name) is a function of its own: write \(name)(…), without t"
        }
        return self.otherWords[name] ?? MemberOwners(in: script).instead(of: name, isContext: true)
    }
}
