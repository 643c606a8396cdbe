import Compression
import JSON
import Machines
import Testing

@testable import Scenario

@Suite("gzip and deflate in scripts")
struct CompressionLibraryTests {
    @Test("what was compressed is expanded to what it was, in each format")
    func roundTrip() throws {
        let run = try ScriptRun(
            body: """
                local texts = { "", "a", ("ab"):rep(50000), "\\0\\255\\xC3", random.letters(4000) }
                for _, text in ipairs(texts) do
                    assert(gzip.expand(gzip.compress(text)) == text)
                    assert(deflate.expand(deflate.compress(text)) == text)
                    assert(deflate.expand(deflate.compress(text, { raw = true }), { raw = true }) == text)
                end
                assert(#gzip.compress(texts[3]) < 1000)
                """)
        #expect(run.messages == [])
    }

    @Test("the formats are those of their RFCs: by their first bytes, and without any for raw")
    func formats() throws {
        #expect(try ScriptRun.value(of: "hex.encode(gzip.compress \"a\"):sub(1, 6)") == "1f8b08")
        #expect(try ScriptRun.value(of: "hex.encode(deflate.compress \"a\"):sub(1, 2)") == "78")
        // RFC 1951 section 3.2.6 by hand: a block of fixed codes with the literal "a".
        #expect(try ScriptRun.value(of: "hex.encode(deflate.compress(\"a\", { raw = true }))") == "4b0400")
        #expect(try ScriptRun.value(of: "deflate.expand(hex.decode \"4b0400\", { raw = true })") == "a")
        #expect(
            try ScriptRun.value(of: "gzip.expand(hex.decode \"1f8b08000000000000034b040043beb7e801000000\")") == "a")
        #expect(try ScriptRun.value(of: "deflate.expand(hex.decode \"789c4b040000620062\")") == "a")
    }

    @Test(
        "what is no such thing is told with why",
        arguments: [
            ("gzip.expand \"\"", "they end too early"),
            ("gzip.expand \"abc\"", "they are damaged or of another format"),
            ("gzip.expand(deflate.compress \"a\")", "they are damaged or of another format"),
            ("gzip.expand(gzip.compress(\"abc\"):sub(1, -2))", "they end too early"),
            ("gzip.expand(gzip.compress \"abc\" .. \"x\")", "they end too early"),
            ("gzip.expand(gzip.compress(\"abc\"):gsub(\".$\", \"\\1\"), nil)", "they are damaged or of another format"),
            ("gzip.expand(gzip.compress((\"a\"):rep(1001)), { limit = 1000 })", "they become more than 1000 bytes"),
        ] as [(String, String)])
    func refused(call: String, reason: String) throws {
        #expect(try ScriptRun.mistake(in: call) == "gzip.expand cannot expand the bytes: \(reason)")
    }

    @Test("a limit that is reached but not passed is none")
    func limit() throws {
        #expect(try ScriptRun.value(of: "#gzip.expand(gzip.compress((\"a\"):rep(1000)), { limit = 1000 })") == 1000)
        #expect(try ScriptRun.value(of: "#deflate.expand(deflate.compress(\"a\"), { limit = 1 })") == 1)
    }

    @Test("a bomb ends at the limit, also one that was packed several times")
    func bombs() throws {
        let zeros = [UInt8](repeating: 0, count: 17 * 1_048_576)
        let bomb = CompressionFormat.gzip.compress(zeros)
        let run = try ScriptRun(body: "gzip.expand(hex.decode \"\(Hexadecimal.encode(bomb))\")")
        #expect(run.messages == ["gzip.expand cannot expand the bytes: they become more than 16777216 bytes"])
        let packed = CompressionFormat.gzip.compress(bomb)
        #expect(
            try ScriptRun.mistake(
                in: "gzip.expand(gzip.expand(hex.decode \"\(Hexadecimal.encode(packed))\"), { limit = 1000000 })")
                == "gzip.expand cannot expand the bytes: they become more than 1000000 bytes")
    }

    @Test("bytes that are damaged anywhere end in a mistake or in bytes, never in a trap", arguments: 0..<30)
    func damaged(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var bytes = CompressionFormat.gzip.compress(random.bytes(50) + [UInt8](repeating: 7, count: 200))
        for _ in 0..<3 {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let run = try ScriptRun(
            body:
                "local done, message = pcall(gzip.expand, hex.decode \"\(Hexadecimal.encode(bytes))\") log.info(tostring(message))"
        )
        #expect(run.messages == [] && run.logs.count == 1)
    }

    @Test(
        "options are checked",
        arguments: [
            (
                "gzip.expand(\"\", { limit = 0 })",
                "gzip.expand: argument 2 (options) has a limit of 0; it lies between 1 and 16777216"
            ),
            (
                "deflate.expand(\"\", { limit = 16777217 })",
                "deflate.expand: argument 2 (options) has a limit of 16777217; it lies between 1 and 16777216"
            ), ("gzip.expand(\"\", { limit = 1.5 })", "gzip.expand: limit is an integer, not 1.5"),
            ("gzip.expand(\"\", { raw = true })", "gzip.expand has no option \"raw\"; it has limit"),
            ("deflate.compress(\"\", { row = true })", "deflate.compress has no option \"row\"; did you mean \"raw\"?"),
            ("deflate.compress(\"\", { limit = 5 })", "deflate.compress has no option \"limit\"; it has raw"),
            ("deflate.compress()", "deflate.compress: argument 1 (bytes) must be a string, not nothing"),
            ("gzip.compress {}", "gzip.compress: argument 1 (bytes) must be a string, not a table"),
        ] as [(String, String)])
    func options(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }
}
