import FoundationEssentials
import JSON
import Machines
import RunRecord
import Secrets
import Testing

@testable import Scenario

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Files that a scenario attaches")
struct AttachmentsTests {
    private static func added(_ name: String, _ bytes: [UInt8] = [1]) throws(UsageError) -> String {
        var attachments = Attachments()
        return try attachments.add(bytes, named: name, scenario: 7)
    }

    @Test(
        "the name of a file cannot lead out of its folder, whatever the script calls it",
        arguments: [
            ("screen.png", "7-1-screen.png"), ("../../etc/passwd", "7-1-..-..-etc-passwd"),
            ("/etc/passwd", "7-1--etc-passwd"),
            ("a b\u{0}c\n", "7-1-a-b-c-"), ("..", "7-1-.."), ("né.txt", "7-1-n--.txt"), ("C:\\a", "7-1-C--a"),
            ("-rf", "7-1--rf"),
        ])
    func names(name: String, file: String) throws {
        #expect(try Self.added(name) == file)
    }

    @Test("two of one name are told apart by their number")
    func numbers() throws {
        var attachments = Attachments()
        let files = try (0..<3).map { _ in try attachments.add([], named: "a", scenario: 2) }
        #expect(files == ["2-1-a", "2-2-a", "2-3-a"])
    }

    @Test("a name is from 1 to 200 bytes")
    func lengths() {
        #expect(throws: UsageError.self) { try Self.added("") }
        #expect(throws: Never.self) { try Self.added(String(repeating: "a", count: 200)) }
        #expect(throws: UsageError.self) { try Self.added(String(repeating: "a", count: 201)) }
        #expect(throws: UsageError.self) { try Self.added(String(repeating: "é", count: 101)) }
    }

    @Test("there is a limit to the bytes of one and to their number, which the message names")
    func limits() throws {
        var attachments = Attachments()
        let large = [UInt8](repeating: 0, count: Attachments.sizeLimit + 1)
        let size = #expect(throws: UsageError.self) { try attachments.add(large, named: "a", scenario: 1) }
        #expect(size?.message == "t:attach: a has 10 MB; at most 10 MB can be attached")
        _ = try attachments.add(Array(large.dropLast()), named: "a", scenario: 1)
        for _ in 1..<Attachments.countLimit { _ = try attachments.add([], named: "a", scenario: 1) }
        let count = #expect(throws: UsageError.self) { try attachments.add([], named: "a", scenario: 1) }
        #expect(count?.message == "t:attach: a scenario attaches at most 100 files")
    }

    @Test(
        "a type that a script gives has the form of a media type",
        arguments: [
            ("text/plain", true), ("application/vnd.api+json", true), ("text/plain; charset=utf-8", true),
            ("nonsense", false), ("", false), ("text/", false), ("/plain", false), ("text/plain\n", false),
            ("a/b/c", false), ("text /plain", false),
        ])
    func givenTypes(type: String, isOne: Bool) {
        #expect(((try? Attachments.check(mediaType: type)) != nil) == isOne)
    }

    @Test(
        "the type is told by the end of the name, or by whether it is text",
        arguments: [
            ("a.png", [], "image/png"), ("a.PNG", [], "image/png"), ("a.tar.zip", [], "application/zip"),
            ("a.unknown", Array("text".utf8), "text/plain"), ("a", [0xFF, 0xFE], "application/octet-stream"),
            ("a.", [], "text/plain"), (".json", [], "application/json"), ("", [], "text/plain"),
        ] as [(String, [UInt8], String)])
    func mediaTypes(name: String, bytes: [UInt8], type: String) {
        #expect(Attachments.mediaType(of: name, bytes) == type)
    }

    @Test("files are written without secrets, and only what a run has left is taken away")
    func folder() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "attached-\(UInt64.random(in: 0 ... .max))")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = AttachmentFolder(path: path, named: "attachments")
        folder.removeLeftovers()
        let vault = SecretVault()
        vault.add("swordfish")
        var attachments = Attachments()
        let file = try attachments.add(Array("it is swordfish".utf8), named: "note.txt", scenario: 3)
        let failure = attachments.leave(in: folder, without: vault.current)
        #expect(failure == nil)
        #expect(folder.name(of: file) == "attachments/3-1-note.txt")
        #expect(FileManager.default.contents(atPath: path + "/" + file) == Data("it is ***".utf8))
        for other in ["own.txt", "12", "x-1-a", "4 people.txt"] {
            try Data().write(to: URL(filePath: path + "/" + other))
        }
        folder.removeLeftovers()
        let left = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(left == ["12", "4 people.txt", "own.txt", "x-1-a"])
    }

    @Test("a folder that cannot be made is an error of the run, not a failure of the conversation")
    func unwritable() throws {
        var attachments = Attachments()
        _ = try attachments.add([1], named: "a", scenario: 1)
        let folder = AttachmentFolder(path: "/dev/null/attachments", named: "attachments")
        let failure = attachments.leave(in: folder, without: SecretVault().current)
        #expect(failure?.category == .error)
        #expect(
            failure?.message
                == "what was attached cannot be written: attachments/1-1-a: Not a directory; a part of the path is a "
                + "file and not a folder; take it away")
        let again = attachments.leave(in: folder, without: SecretVault().current)
        #expect(again == nil)
    }

    @Test("a file that cannot be written is told with what to do, and those beside it are kept")
    func unwritableFiles() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("repartee-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var attachments = Attachments()
        for name in ["a", "b", "c", "d"] { _ = try attachments.add(Array(name.utf8), named: name, scenario: 1) }
        // A folder in the place of a file is in the way of root, too.
        for taken in ["1-2-b", "1-3-c"] {
            try FileManager.default.createDirectory(atPath: path + "/" + taken, withIntermediateDirectories: true)
        }
        let folder = AttachmentFolder(path: path, named: "Reports/attachments")
        let failure = attachments.leave(in: folder, without: SecretVault().current)
        #expect(failure?.category == .error && failure?.kind == .harness)
        #expect(
            failure?.message
                == "what was attached cannot be written: 2 files, such as Reports/attachments/1-2-b: Is a directory; "
                + "there is a folder of that name; take it away")
        for name in ["1-1-a", "1-4-d"] { #expect(FileManager.default.contents(atPath: path + "/" + name) != nil) }
    }

    @Test("a name that is too long for the system, or a full disk, is told with what to do")
    func writeReasons() {
        let long = AttachmentFolder(path: FileManager.default.temporaryDirectory.path, named: "attachments")
        #expect { try long.write([1], to: String(repeating: "n", count: 300)) } throws: {
            UnwritableFile.reason($0) == "File name too long; give it a shorter name"
        }
        #expect(
            UnwritableFile.reason(POSIXError(.ENOSPC))
                == "No space left on device; free some space on the disk, or choose another one")
        #expect(UnwritableFile.reason(CocoaError(.fileWriteUnknown)).hasPrefix("the system does not say why; "))
    }
}

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

@Suite("What went wrong outside of every scenario")
struct OutsideCaseTests {
    @Test("stands in the record as a case of its own that began and ended as an error")
    func entries() throws {
        let problem = Problem(category: .error, typeName: "script", message: "no", file: "b.lua", line: 4)
        let entries = OutsideCase(unloadable: "a.lua", because: problem).entries(numbered: 9, seed: 3)
        guard case .scenarioStarted(let start)? = entries.first, case .scenarioEnded(let end)? = entries.last else {
            Issue.record("\(entries)")
            return
        }
        #expect(start.index == 9 && start.file == "a.lua" && start.line == 4 && start.titlePath == ["cannot be loaded"])
        #expect(start.askedBy == ScenarioStart.Asker(file: "a.lua", name: "") && start.seed == 3)
        #expect(end.index == 9 && end.outcome == .error && end.problems == [problem])
    }

    @Test("a target at which nobody answers names it, the reason, and how to begin all the same")
    func target() {
        let outside = OutsideCase(unreachable: "lab", because: "nobody listens", replayedBy: "a.lua")
        #expect(
            outside.title == "target lab" && outside.file == "repartee.lua" && outside.problem.typeName == "connection")
        #expect(outside.problem.message == "cannot reach the target lab: nobody listens")
        #expect(outside.problem.detail.contains("--no-preflight begins them all the same"))
    }
}

@Suite("A row of data, by its name")
struct DataRowNameTests {
    @Test(
        "the name comes from what is in it, in the order of the members' names, in one line",
        arguments: [
            (["b": "two", "a": 1], "1, two"), ("plain", "plain"), (7, "7"), (["a": "x\ny\t z"], "x y  z"),
            ([1, 2], "[1,2]"),
            (["a": .null], "null"),
        ] as [(JSONValue, String)])
    func names(value: JSONValue, name: String) {
        #expect(DataRow.name(of: value) == name)
    }

    @Test("long and empty ones are cut and told apart by a hash that stays the same")
    func hashes() {
        let long = String(repeating: "x", count: 61)
        #expect(DataRow.name(of: .string(String(long.dropLast()))) == String(long.dropLast()))
        let name = DataRow.name(of: .string(long))
        #expect(name.hasPrefix(String(repeating: "x", count: 50) + "… #") && name.count == 61)
        #expect(DataRow.name(of: .string(long + "y")) != name && DataRow.name(of: .string(long)) == name)
        #expect(DataRow.name(of: "").hasSuffix("… #811c9dc5"))
        #expect(DataRow.name(of: ["a": "", "b": " "]).contains("… #"))
    }

    @Test("a failure shows its members, without secrets and not too long")
    func lines() {
        let vault = SecretVault()
        vault.add("swordfish")
        let row = DataRow(
            name: "Ada",
            value: ["who": "Ada", "word": "swordfish", "long": .string(String(repeating: "x", count: 200))],
            columns: ["who", "word", "long"], origin: "a.csv:3")
        let lines = row.lines(without: vault.current)
        #expect(lines.prefix(3) == ["Ada  (a.csv:3)", "who = \"Ada\"", "word = \"***\""])
        #expect(lines.last?.hasSuffix("…") == true && lines.allSatisfy { $0.count <= 120 })
        #expect(DataRow(name: "7", value: 7, columns: [], origin: nil).lines(without: vault.current) == ["7"])
    }
}
