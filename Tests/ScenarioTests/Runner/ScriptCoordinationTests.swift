import Testing

@testable import Scenario

@Suite("Where scripts let users meet")
struct ScriptCoordinationTests {
    @Test(
        "a server is shared where the text says so, and not in a comment, a text or a field of another name",
        arguments: [
            ("t:server(s, { shared = true })", true), ("{ shared=true }", true), ("shared = -- one\ntrue", true),
            ("shared = false", false), ("shared == true", false), ("-- shared = true", false),
            ("x = 'shared = true'", false), ("own.shared = true", false), ("unshared = true", false), ("shared", false),
        ])
    func servers(text: String, isShared: Bool) {
        #expect(ScriptMentions.Text(reading: text).coordination.hasSharedServer == isShared)
    }

    @Test(
        "servers are nobody's but the user's own where no text so much as names what would share them",
        arguments: [
            ("t:server(s)", true), ("t:server(s, { shared = wanted })", false), ("t:actor(s)", false),
            ("own.shared = true t:server(s)", false), ("t:server(s) -- shared = true", true), ("s.server(1)", false),
        ])
    func ownServers(text: String, isSo: Bool) {
        #expect(ScriptMentions.Text(reading: text).coordination.hasOwnServersOnly == isSo)
        var mentions = ScriptMentions()
        for part in ["-- nothing", text] { mentions.add(ScriptMentions.Text(reading: part)) }
        #expect(mentions.coordination.hasOwnServersOnly == isSo)
    }

    @Test(
        "threads are found where they are started",
        arguments: [("spawn(f)", true), ("-- spawn(f)", false), ("spawned()", false)])
    func threads(text: String, startsThreads: Bool) {
        #expect(ScriptMentions.Text(reading: text).startsThreads == startsThreads)
    }

    @Test(
        "barriers and mailboxes are found where they are called",
        arguments: [
            ("barrier('a', 2)", ["barrier"]), ("barrier 'a'", ["barrier"]),
            ("mailbox.send('a', 1) barrier('a', 2) mailbox.receive 'a'", ["mailbox", "barrier"]),
            ("--[[ barrier('a', 2) ]]", []), ("own.barrier(1) own:barrier(1)", []), ("local barrier = 1", []),
            ("{ mailbox = 1 }", []), ("'mailbox.send'", []), ("", []),
        ])
    func functions(text: String, names: [String]) {
        #expect(ScriptMentions.Text(reading: text).coordination.functions == names)
    }
}
