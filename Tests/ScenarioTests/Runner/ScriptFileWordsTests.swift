import Testing

@testable import Scenario

@Suite("What the text of a script says of it")
struct ScriptFileWordsTests {
    @Test(
        "Pieces are kept for a script that names them, wherever it does",
        arguments: [
            ("user:expect \"token\"", true), ("token", true), ("-- ttoken", true), ("toketoken", true),
            ("x chunk", true),
            ("user:expect \"*\"", true), ("user:expect '*'", true), ("\0token", true), ("", false), ("toke", false),
            ("TOKEN", false), ("tok en", false), ("chun", false), ("*", false), ("\"*'", false),
            ("user:say \"hi\"", false), ("tokeé", false),
        ])
    func pieces(source: String, expected: Bool) {
        #expect(ScriptFile(name: "a.lua", source: source).namesPieces == expected)
    }

    @Test(
        "Events stay for a script that asks for them",
        arguments: [
            ("for _, e in user:events() do", true), (":events", true), ("::events", true), ("events", false),
            ("expect_transcript \"talk\"", true), ("expect \"transcript\"", false),
        ])
    func history(source: String, expected: Bool) {
        #expect(ScriptFile(name: "a.lua", source: source).readsHistory == expected)
    }
}
