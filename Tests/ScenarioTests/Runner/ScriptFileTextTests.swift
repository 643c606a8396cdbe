import Testing

@testable import Scenario

@Suite("The text of a script")
struct ScriptFileTextTests {
    private static func text(_ bytes: [UInt8]) throws(ScriptProblem) -> String {
        try ScriptFile.text(bytes, name: "a.lua")
    }

    @Test("is UTF-8, and a byte-order mark at its beginning is no part of it")
    func plain() throws {
        #expect(try Self.text(Array("é\r\n".utf8)) == "é\r\n")
        #expect(try Self.text([0xEF, 0xBB, 0xBF] + Array("a".utf8)) == "a")
        #expect(try Self.text([0xEF, 0xBB, 0xBF]) == "")
        #expect(try Self.text([]) == "")
        #expect(try Self.text(Array("a\u{FEFF}".utf8)) == "a\u{FEFF}")
    }

    @Test(
        "what is no text is refused with its line",
        arguments: [
            ([0xFF], 1), (Array("a\nb\n".utf8) + [0xC3, 0x28], 3), (Array("\n\n".utf8) + [0x80], 3),
            ([0xED, 0xA0, 0x80], 1),
        ] as [([UInt8], Int)])
    func bytes(bytes: [UInt8], line: Int) {
        let problem = #expect(throws: ScriptProblem.self) { try Self.text(bytes) }
        #expect(problem?.message == "a.lua:\(line): line \(line) is not UTF-8; save the file as UTF-8")
    }

    @Test("compiled Lua is refused, and so is more than anybody writes")
    func refused() {
        let compiled = #expect(throws: ScriptProblem.self) { try Self.text([0x1B, 0x4C, 0x75, 0x61]) }
        #expect(compiled?.message == "a.lua is compiled Lua, which is not loaded; give the source")
        let large = #expect(throws: ScriptProblem.self) {
            try ScriptFile.text(repeatElement(UInt8(ascii: " "), count: ScriptFile.limit + 1), name: "a.lua")
        }
        #expect(large?.message.contains("a script has at most 16 MB. Is this the right file?") == true)
    }
}
