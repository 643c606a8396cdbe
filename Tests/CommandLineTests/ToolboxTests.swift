import CommandLine
import Compression
import Digests
import Foundation
import Testing

@Suite("The toolbox for protocols")
struct ToolboxTests {
    private func run(_ body: String, variables: [String: String] = [:]) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(Data([0xFF, 0xFE]), to: "data/bytes.bin")
        try folder.write(Data([0xEF, 0xBB, 0xBF] + "text".utf8), to: "data/text.txt")
        try folder.write("scenario(\"s\", function(t)\n\(body)\nend)\n", to: "Scenarios/a.lua")
        return try await ToolRun(
            ["test", "Scenarios/a.lua", "--verbose"], in: folder.path, variables: variables)
    }

    @Test(
        "what a function cannot take is an error of the script, with its line and what to do",
        arguments: [
            ("base64.encode(1)", "base64.encode: argument 1 (bytes) must be a string, not an integer"),
            ("base64.encode(\"a\", { urls = true })", "base64.encode has no option \"urls\"; did you mean \"url\"?"),
            ("base64.encode(\"a\", { url = 1 })", "base64.encode: url is true or false, not 1"),
            ("base64.decode \"a\"", "base64.decode cannot read the text"),
            ("base64.decode \"Zg=\"", "base64.decode cannot read the text"),
            ("hex.decode \"abc\"", "hex.decode cannot read the text"),
            ("url.encode_query { a = { b = 1 } }", "and a is none of these"),
            ("url.encode \"\\xFF\"", "url.encode: argument 1 (text) must be a string in UTF-8"),
            ("hash.sha265 \"a\"", "sha265"),
            ("hash.sha256(\"a\", \"hax\")", "must be one of \"bytes\", \"hex\", \"base64\"; did you mean \"hex\"?"),
            ("hmac.sha256(\"a\")", "hmac.sha256: argument 2 (bytes) must be a string, not nothing"),
            ("pbkdf2.sha1(\"a\", \"b\", 0)", "argument 3 (iterations) must lie between 1 and 1000000, and is 0"),
            ("pbkdf2.sha1(\"a\", \"b\", 1000000, 40)", "the key has 2 parts"),
            ("jwt.make(1, \"key\")", "jwt.make: argument 1 (claims) must be a table of named claims, not an integer"),
            ("jwt.make({}, \"key\", { algorithm = \"none\" })", "algorithm is one of \"HS256\""),
            ("jwt.make({}, \"key\", { algorithm = \"RS256\" })", "the key is no private key in PEM"),
            ("jwt.read \"a.b\"", "jwt.read cannot take the token: it is no token"),
            ("gzip.expand \"no gzip\"", "gzip.expand cannot expand the bytes: they are damaged"),
            ("gzip.expand(\"\", { limit = 0 })", "a limit of 0; it lies between 1 and 16777216"),
            ("gzip.compress(\"a\", { raw = true })", "gzip.compress takes no more than bytes"),
            ("xml.read \"<a>\"", "xml.read: no element found in line 1"),
            ("xml.read \"<!DOCTYPE a><a/>\"", "declarations of document types are refused"),
            ("xml.write \"a\"", "xml.write takes an element: a table"),
            ("xml.write { nam = \"a\" }", "xml.write has no member \"nam\"; did you mean \"name\"?"),
            ("xml.write { name = \"a b\" }", "\"a b\" is not a valid XML name"),
            ("xml.write { name = \"a\", text = \"x\", children = { \"y\" } }", "a has children and another text"),
            ("xml.write { name = \"a\", attributes = { b = {} } }", "the attribute b of a is a text"),
            ("xml.reader().feed \"a\"", "write a colon"),
            ("local r = xml.reader() r:feed((\"x\"):rep(5000000))", "take the events with reader:next()"),
            ("local all = {} for i = 1, 3000 do all[i] = xml.reader() end", "2000 readers"),
            ("read_text \"missing.txt\"", "there is no file \"missing.txt\" beside Scenarios/a.lua"),
            ("read_text \"/etc/hostname\"", "there is no file \"/etc/hostname\" beside Scenarios/a.lua"),
            ("read_text \"data/bytes.bin\"", "read_bytes reads any file"), ("read_bytes \"data\"", "there is no file"),
        ])
    func mistakes(call: String, message: String) async throws {
        let run = try await self.run(call)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains(message), "\(run.output)")
        #expect(run.output.contains("Scenarios/a.lua:2"), "\(run.output)")
    }

    @Test("files are read as bytes and as text without the mark of its byte order")
    func files() async throws {
        let run = try await self.run(
            "expect(#read_bytes \"data/bytes.bin\", 2) expect(read_text \"data/text.txt\", \"text\")")
        #expect(run.status == .success, "\(run.output)")
    }

    @Test(
        "long work ends with the budget of instructions instead of holding the process",
        arguments: [
            "while true do pbkdf2.sha512(\"a\", \"b\", 1000000) end",
            "local text = (\"x\"):rep(16000000) while true do hash.sha512(text) end",
            "local text = (\"x\"):rep(4000000) while true do gzip.compress(text) end",
            "local text = (\"<a/>\"):rep(20000) while true do pcall(xml.read, \"<r>\" .. text .. \"</r>\") end",
        ])
    func budget(body: String) async throws {
        let run = try await self.run(body)
        #expect(run.status == .script && run.output.contains("50000000"), "\(run.output)")
    }

    @Test("readers that nobody ends are limited")
    func readers() async throws {
        let run = try await self.run("while true do xml.reader() end")
        #expect(run.status == .script && run.output.contains("2000 readers"), "\(run.output)")
    }

    private static let secret = "tk-1815-Lovelace"

    /// What the functions make of the secret, each with the bytes that give it away.
    private static let computed: [(String, [UInt8])] = {
        let key = Array(Self.secret.utf8)
        let token = HMAC(key).code(
            for: Array("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ".utf8))
        return [
            ("hash.sha256(s)", Digest.sha256(key)), ("hash.md5(\"salt\" .. s)", Digest.md5(Array("salt".utf8) + key)),
            ("hmac.sha256(s, \"message\")", HMAC(key).code(for: Array("message".utf8))),
            ("hmac.sha1(\"key\", s)", HMAC(Array("key".utf8), digest: .sha1).code(for: key)),
            (
                "pbkdf2.sha512(s, \"salt\", 2)",
                Digest.sha512.key(password: key, salt: Array("salt".utf8), iterations: 2, count: 64)
            ),
            ("hash.sha1(hash.sha256(s))", Digest.sha1(Digest.sha256(key))),
            ("jwt.make({ sub = \"ada\" }, s)", token), ("jwt.make({ sub = s }, \"key\")", key),
            ("gzip.compress(s)", CompressionFormat.gzip.compress(key)),
            (
                "deflate.compress((\"ab\"):rep(50) .. s)",
                CompressionFormat.zlib.compress(Array(String(repeating: "ab", count: 50).utf8) + key)
            ),
            ("base64.encode(\"\\0user\\0\" .. s)", key), ("url.encode(s)", key),
            ("xml.write { name = \"a\", text = s }", key),
            ("base64.encode(gzip.compress(s))", CompressionFormat.gzip.compress(key)),
        ]
    }()

    @Test("what a secret went into is masked as the secret is, in whatever form it is shown", arguments: 0..<14)
    func masked(_ number: Int) async throws {
        let (call, bytes) = Self.computed[number]
        let run = try await self.run(
            """
            local s = secret "TOKEN"
            local made = \(call)
            print(base64.encode(made)) print(hex.encode(made)) print(base64.encode(made, { url = true }))
            print((hex.encode(made):upper()))
            if utf8.len(made) then print(made) end
            expect(hex.encode(made), "something else")
            """, variables: ["TOKEN": Self.secret])
        #expect(run.status == .failed, "\(run.output)")
        let digits = bytes.map { String(format: "%02x", $0) }.joined()
        // Of compressed bytes all but the beginning, which says only how they are compressed.
        for text in [run.output, try run.reports.text("run.jsonl"), try run.reports.text("junit.xml")] {
            #expect(text.contains("***"), "\(call)")
            for form in [digits, digits.uppercased(), Data(bytes).base64EncodedString(), Self.secret] {
                #expect(!text.contains(form) && !text.contains(String(form.suffix(20))), "\(call) shows \(form)")
            }
        }
    }

    @Test("what is decoded from a secret is masked, too")
    func decoded() async throws {
        for (value, call) in [
            (Data("the inner password".utf8).base64EncodedString(), "base64.decode(s)"),
            ("74686520696e6e65722070617373776f7264", "hex.decode(s)"),
        ] {
            let run = try await self.run("local s = secret \"TOKEN\" print(\(call))", variables: ["TOKEN": value])
            #expect(run.status == .success && run.output.contains("***"), "\(run.output)")
            #expect(!run.output.contains("inner pass"), "\(run.output)")
        }
    }

    @Test("what no secret went into is shown as it is")
    func shown() async throws {
        let run = try await self.run(
            "local s = secret \"TOKEN\" print(hash.sha1(\"abc\", \"hex\")) print(base64.decode \"cGxhaW4gdGV4dA==\")",
            variables: ["TOKEN": Self.secret])
        #expect(run.output.contains("a9993e364706816aba3e25717850c26c9cd0d89d") && run.output.contains("plain text"))
    }
}
