import Machines
import Testing

@testable import Scenario

@Suite("Types between bars")
struct LuaTypeReaderTests {
    @Test(
        "a misspelt type beside a type, or beside another one, is told with what was meant, and is no word",
        arguments: [
            ("number|strng", "strng", "string"), ("strng|number?", "strng", "string"),
            ("integer|sting", "sting", "string"), ("string|nubmer", "nubmer", "number"),
            ("number|tabel", "tabel", "table"), ("list|tabel", "tabel", "table"), ("table|lsit", "lsit", "list"),
            ("number|duratoin", "duratoin", "duration"), ("number|strng|nil", "strng", "string"),
            ("String|Number", "String", "string"), ("strng|integr", "strng", "string"),
            ("number?|string", "number?", "number"), ("text|number|boolen", "boolen", "boolean"),
        ])
    func misspelt(text: String, word: String, type: String) throws {
        let error = try #require(throws: UsageError.self) { try LuaTypeReader.type(text, of: "here") }
        #expect(error.message.hasSuffix(" there is no type \"\(word)\"; did you mean \"\(type)\"?"), "\(error.message)")
    }

    @Test(
        "words are words, also those that look like types",
        arguments: [
            ["text", "number", "date"], ["number", "numbers"], ["first", "last"], ["list", "last"], ["list", "tile"],
            ["first", "last", "number"], ["weak", "strong"], ["spring", "summer"], ["none", "strong"],
            ["stable", "lost"], ["list", "grid"], ["text", "file"], ["table", "list", "tree", "cable"],
        ])
    func words(words: [String]) throws {
        #expect(try LuaTypeReader.type(words.joined(separator: "|"), of: "here").type == .choice(words))
    }

    @Test("spaces may stand around the bars")
    func spaces() throws {
        #expect(try LuaTypeReader.type("open | ended", of: "here").type == .choice(["open", "ended"]))
        let read = try LuaTypeReader.type("integer | string?", of: "here")
        #expect(read.type == .either([.integer, .string]) && read.isOptional)
        #expect(throws: UsageError.self) { _ = try LuaTypeReader.type("open| |ended", of: "here") }
    }
}
