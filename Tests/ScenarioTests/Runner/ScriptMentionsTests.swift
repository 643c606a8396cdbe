import Testing

@testable import Scenario

@Suite("What the texts of scripts mention")
struct ScriptMentionsTests {
    private static func mentions(_ text: String, found: [String] = [], declared: Int = 0) -> ScriptMentions {
        var mentions = ScriptMentions()
        mentions.add(ScriptMentions.Text(reading: text))
        found.forEach { mentions.find($0) }
        for _ in 0..<declared { mentions.declare() }
        return mentions
    }

    @Test(
        "what is required is complete once it was found",
        arguments: [
            "require \"a\"", "require 'a'", "require(\"a\")", "local a = require  (  'a'  )",
        ])
    func required(text: String) {
        #expect(Self.mentions(text).required == ["a"])
        #expect(!Self.mentions(text).isComplete && Self.mentions(text, found: ["a", "b"]).isComplete)
    }

    @Test("what is put together cannot be known, and a comment says nothing")
    func unknown() {
        #expect(!Self.mentions("require(name)", found: ["name"]).isComplete)
        #expect(!Self.mentions("local r = require").isComplete)
        #expect(Self.mentions("-- require(name)").isComplete)
        #expect(Self.mentions("required(name) prerequire(name) own.require(name) own:require(name)").isComplete)
        #expect(Self.mentions("").isComplete)
    }

    @Test("as many systems must have been declared as are written")
    func systems() {
        let text = "local a = system { name = \"a\" }\nlocal b = system({ name = \"b\" })"
        #expect(!Self.mentions(text, declared: 1).isComplete && Self.mentions(text, declared: 2).isComplete)
        #expect(Self.mentions("-- system {}\nsystems(1) own.system(1) ecosystem(1)").isComplete)
    }

    @Test(
        "a ledger may be there unless it is said in so many words that it is not",
        arguments: [
            ("ledger = { sent = \"$\" }", true), ("ledger = options", true), ("ledger = false", false),
            ("ledger = true", false),
            ("-- ledger = {}", false), ("ledgers = {}", false), ("", false),
        ])
    func ledgers(text: String, isThere: Bool) {
        #expect(Self.mentions(text).hasLedgerOption == isThere)
    }

    @Test(
        "an address of this machine is real unless a server is started that might have it",
        arguments: [
            ("t:actor(chat, { url = \"ws://127.0.0.1:8080/chat\" })", true), ("url = 'http://localhost:1'", true),
            ("x = \"tls://[::1]:443\"", true), ("x = \"http://127.0.0.1:80\" t:server(chat)", false),
            ("x = \"http://127.0.0.1\"", false), ("x = \"http://127.0.1:80\"", false),
            ("x = 'see ws://localhost:1'", false),
            ("x = \"ftp://localhost:1\"", false), ("-- \"http://localhost:1\"", false),
            ("x = \"http://localhost:\"", false),
            ("x = 'http://localhost:1' t:servers()", true), ("x = [[http://localhost:1]]", false),
        ])
    func addresses(text: String, isReal: Bool) {
        #expect(Self.mentions(text).namesRealAddress == isReal)
    }

    @Test("what is written across lines, in comments of any kind and in texts is told apart")
    func tokens() {
        #expect(Self.mentions("local a = require -- (\n('a')").required == ["a"])
        #expect(Self.mentions("--[==[ require(name) ]] ]==] x = 'system {'", declared: 0).isComplete)
        #expect(Self.mentions("say \"-- no comment\" require \"b\"").required == ["b"])
        #expect(!Self.mentions("x = require [[a]]", found: ["a"]).isComplete)
        #expect(!Self.mentions("ledger == x").hasLedgerOption && !Self.mentions("own.ledger = x").hasLedgerOption)
    }

    @Test("together they are complete if each of them is")
    func together() {
        var all = ScriptMentions()
        all.add(Self.mentions("require \"a\"", found: ["a"]))
        #expect(all.isComplete && !all.hasLedgerOption)
        all.add(Self.mentions("ledger = x"))
        #expect(all.isComplete && all.hasLedgerOption)
        all.add(Self.mentions("require \"b\""))
        #expect(!all.isComplete)
    }
}
