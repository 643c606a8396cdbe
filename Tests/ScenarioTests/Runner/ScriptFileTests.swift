import Testing

@testable import Scenario

@Suite("The bytes of a script")
struct ScriptFileTests {
    @Test("text is text, and a byte-order mark is no part of it")
    func text() throws {
        #expect(try ScriptFile.text(Array("local ö = 1\r\n".utf8), name: "a.lua") == "local ö = 1\r\n")
        #expect(try ScriptFile.text([0xEF, 0xBB, 0xBF, 0x78], name: "a.lua") == "x")
        #expect(try ScriptFile.text([], name: "a.lua").isEmpty)
    }

    @Test(
        "what is no text is refused with the reason",
        arguments: [
            ([0x78, 0x0A, 0x0A, 0xFF], "a.lua:3: line 3 is not UTF-8; save the file as UTF-8"),
            ([0xC3], "a.lua:1: line 1 is not UTF-8; save the file as UTF-8"),
            ([0x1B, 0x4C, 0x75, 0x61], "a.lua is compiled Lua, which is not loaded; give the source"),
        ] as [([UInt8], String)])
    func refused(bytes: [UInt8], message: String) {
        let problem = #expect(throws: ScriptProblem.self) { try ScriptFile.text(bytes, name: "a.lua") }
        #expect(problem?.message == message)
    }
    // Not an argument of the test above, because arguments are printed.
    @Test("a file that is too long for a script is refused")
    func tooLong() {
        let bytes = [UInt8](repeating: 0x20, count: ScriptFile.limit + 1)
        let problem = #expect(throws: ScriptProblem.self) { try ScriptFile.text(bytes, name: "a.lua") }
        #expect(problem?.message == "a.lua has 16 MB; a script has at most 16 MB. Is this the right file?")
    }
}
