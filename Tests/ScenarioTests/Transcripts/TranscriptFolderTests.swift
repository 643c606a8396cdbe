import Foundation
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Where transcripts are stored", .serialized)
final class TranscriptFolderTests {
    private let root: String

    init() throws {
        self.root = FileManager.default.temporaryDirectory.appending(path: "transcripts \(UUID())").path
        try FileManager.default.createDirectory(atPath: self.root + "/Scenarios", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: self.root) }

    private func folder(_ scriptFolder: String = "Scenarios") -> TranscriptFolder {
        TranscriptFolder(
            scriptFolder: scriptFolder, workingDirectory: self.root, projectRoot: self.root,
            project: ProjectConfiguration())
    }

    private func mistake(_ body: () throws(UsageError) -> Void) -> String? {
        do throws(UsageError) {
            try body()
            return nil
        } catch { return error.message }
    }

    @Test(
        "names of letters, digits and a few signs are taken, with folders",
        arguments: ["order", "Bestellung für Ä", "a/b/c", "v1.2_x-y", "日本"])
    func names(name: String) throws {
        #expect(try self.folder().name(of: name) == "Scenarios/transcripts/\(name).txt")
        #expect(try self.folder(".").name(of: name) == "transcripts/\(name).txt")
    }

    @Test(
        "names that could lead elsewhere or be hidden are refused with what is allowed",
        arguments: [
            "", "/etc/passwd", "../x", "a/../b", "a//b", ".hidden", "a/.git", "a/", "a\\b", "a:b", "a\nb", "a\u{0}b",
            " a",
            "a/ b", "~", "x\u{202E}y", String(repeating: "a", count: 121),
        ])
    func refusedNames(name: String) {
        let message = self.mistake { () throws(UsageError) in _ = try self.folder().name(of: name) }
        #expect(
            message
                == "the name of a transcript has letters, digits, spaces, _ - and . only, and / between folders; not \"\(name)\""
        )
    }

    @Test("what is written is read back, and the folders for it are made")
    func roundTrip() throws {
        let name = try self.folder().name(of: "a/b/order")
        #expect(try self.folder().text(name) == nil)
        try self.folder().write("v < m\n", name)
        #expect(try self.folder().text(name) == "v < m\n")
        try self.folder().write("", name)
        #expect(try self.folder().text(name) == "")
    }

    @Test("a file that is no text is refused with its line")
    func noText() throws {
        let name = try self.folder().name(of: "bytes")
        try self.folder().write("", name)
        try Data([0x61, 0x0A, 0xFF]).write(to: URL(filePath: self.root + "/" + name))
        let message = self.mistake { () throws(UsageError) in _ = try self.folder().text(name) }
        #expect(message == "Scenarios/transcripts/bytes.txt:2: line 2 is not UTF-8; save the file as UTF-8")
    }

    @Test("a link that leads out of the project is neither read nor written through")
    func links() throws {
        let outside = FileManager.default.temporaryDirectory.appending(path: "outside \(UUID())").path
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: outside) }
        try Data("v < m\n".utf8).write(to: URL(filePath: outside + "/order.txt"))
        try FileManager.default.createSymbolicLink(
            atPath: self.root + "/Scenarios/transcripts", withDestinationPath: outside)
        let name = try self.folder().name(of: "order")
        let expected = "the transcript Scenarios/transcripts/order.txt lies outside of the project, by a link"
        let found1 = self.mistake { () throws(UsageError) in _ = try self.folder().text(name) }
        #expect(found1 == expected)
        let found2 = self.mistake { () throws(UsageError) in try self.folder().write("x", name) }
        #expect(found2 == expected)
        let new = try self.folder().name(of: "new/order")
        let found3 = self.mistake { () throws(UsageError) in try self.folder().write("x", new) }
        #expect(found3 != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["order.txt"])
        #expect(try String(contentsOfFile: outside + "/order.txt", encoding: .utf8) == "v < m\n")
    }

    @Test("a folder that cannot be made is told with the reason")
    func unwritable() throws {
        try Data().write(to: URL(filePath: self.root + "/Scenarios/transcripts"))
        let name = try self.folder().name(of: "order")
        let message = self.mistake { () throws(UsageError) in try self.folder().write("x", name) }
        let reason = "File exists; a part of the path is a file and not a folder; take it away"
        #expect(message == "the transcript Scenarios/transcripts/order.txt cannot be written: \(reason)")
    }

    // MARK: In scenarios

    private static let own = """
        local S = system { name = "probe", events = { message = { text = "string" } } }
        function S.commands.say(me, text) me:after(text, 0.5) end
        function S.on.timer(me, name) me:emit("message", { text = name .. "!" }) end
        function S.server.text() end

        """

    private func run(_ body: String, updates: Bool = false) throws -> ScriptRun {
        let source = Self.own + "scenario(\"s\", function(t) local v = t:actor(S, { name = \"v\" })\n\(body)\nend)\n"
        return try ScriptRun(source, settings: ScriptRun.settings(root: self.root, updatesTranscripts: updates))
    }

    @Test("a scenario stores what was said with --update, and is held against it from then on")
    func playing() throws {
        let missing = try self.run("v:say \"hi\" expect_transcript \"talk\"")
        #expect(missing.end.outcome == .failed)
        #expect(
            missing.messages == [
                "there is no transcript transcripts/talk.txt yet; repartee test --update stores the conversation there"
            ])
        let updated = try self.run("v:say \"hi\" expect_transcript \"talk\"", updates: true)
        #expect(updated.messages == [])
        #expect(updated.logs.last == "the transcript transcripts/talk.txt was stored")
        let text = try String(contentsOfFile: self.root + "/transcripts/talk.txt", encoding: .utf8)
        #expect(text.split(separator: "\n").suffix(2) == ["v > say text=\"hi\"", "v < message text=\"hi!\""])
        #expect(try self.run("v:say \"hi\" expect_transcript \"talk\"").messages == [])
        #expect(try self.run("v:say \"hi\" v:expect_transcript \"talk\"").messages == [])
        let other = try self.run("v:say \"ho\" expect_transcript(\"talk\", { within = \"5s\" })")
        #expect(other.messages == ["the conversation is not what transcripts/talk.txt has stored"])
        // Nothing that comes later makes the first line fit; what is on its way is waited for.
        #expect(other.seconds >= 1.5 && other.seconds < 3)
        let limit = ["expect_transcript 5s, not waited out: no later line can make it fit"]
        #expect(other.end.problems.first?.evidence?.sections.first { $0.heading == "limit" }?.lines == limit)
        let busy = try self.run(
            "spawn(function() wait \"4s\" end) v:say \"ho\" expect_transcript(\"talk\", { within = \"5s\" })")
        #expect(busy.messages == other.messages)
        #expect(busy.seconds >= 4 && busy.seconds < 6)
        let whose = try self.run("v:say \"ho\" v:expect_transcript(\"talk\", { within = \"5s\" })")
        #expect(whose.messages == ["the conversation of v is not what transcripts/talk.txt has stored"])
        // A line that is missing may still come until the time is over.
        try (text + "v < message text=\"again\"\n").write(
            toFile: self.root + "/transcripts/talk.txt", atomically: true, encoding: .utf8)
        let lacking = try self.run("v:say \"hi\" expect_transcript(\"talk\", { within = \"5s\" })")
        #expect(lacking.messages == other.messages)
        #expect(lacking.seconds >= 5 && lacking.seconds < 6)
        #expect(lacking.end.problems.first?.evidence?.sections.contains { $0.heading == "limit" } == false)
    }

    @Test("what a script draws by chance is stored as masks, so that a run of another seed is the same conversation")
    func drawn() throws {
        func play(_ body: String, seed: UInt64, updates: Bool = false) throws -> ScriptRun {
            let source =
                Self.own + "scenario(\"s\", function(t) local v = t:actor(S, { name = \"v\" })\n\(body)\nend)\n"
            return try ScriptRun(
                source, settings: ScriptRun.settings(root: self.root, seed: seed, updatesTranscripts: updates))
        }
        func said() throws -> [String] {
            let text = try String(contentsOfFile: self.root + "/transcripts/talk.txt", encoding: .utf8)
            return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("v >") }
        }
        let body = """
            v:say("I am ada" .. random.hex(6) .. "@" .. random.letters(8) .. ".example, " .. random.uuid())
            v:say("My <number> is " .. random.digits(5) .. random.digits(4))
            v:say("A \\\\ <b " .. random.email())
            expect_transcript "talk"
            """
        #expect(try play(body, seed: 1, updates: true).messages == [])
        #expect(
            try said() == [
                #"v > say text="I am ada<any>@<any>.example, <any>""#, #"v > say text="My \\<number> is <any>""#,
                #"v > say text="A \\\\ <b <any>""#,
            ])
        #expect(try play(body, seed: 2).messages == [])
        // A line that is renewed has masks for what is drawn now; what is short is found in too much.
        let longer = body.replacing("I am", with: "I was").replacing(
            "My <number> is", with: "My <number>: \" .. random.hex(3) .. \"")
        #expect(try play(longer, seed: 3, updates: true).messages == [])
        #expect(try said().first == #"v > say text="I was ada<any>@<any>.example, <any>""#)
        #expect(try play(longer, seed: 4).messages == ["the conversation is not what transcripts/talk.txt has stored"])
    }

    @Test("a time that makes a name new is stored as a mask, and so are its digits alone")
    func times() throws {
        let body = """
            local time = date.now()
            v:say("I am ada-" .. time .. random.hex(6))
            v:say("I am bob" .. time:gsub("%D", ""))
            v:say("It is " .. time:sub(1, 10))
            wait "7s"
            v:say("I am eve" .. date.now())
            """
        #expect(try self.run(body + "\nexpect_transcript \"talk\"", updates: true).messages == [])
        let text = try String(contentsOfFile: self.root + "/transcripts/talk.txt", encoding: .utf8)
        let said = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("v >") }
        #expect(said.count == 4)
        #expect(Array(said.prefix(2)) == [#"v > say text="I am ada-<any>""#, #"v > say text="I am bob<any>""#])
        #expect(said.last == #"v > say text="I am eve<any>""# && said.dropFirst(2).first?.contains("<any>") == false)
    }

    @Test(
        "a conversation in which nothing was said is refused, whatever is stored, and not stored",
        arguments: [nil, "", "# nothing\n"] as [String?], [false, true])
    func nothingSaid(stored: String?, updates: Bool) throws {
        let path = self.root + "/transcripts/talk.txt"
        if let stored {
            try FileManager.default.createDirectory(
                atPath: self.root + "/transcripts", withIntermediateDirectories: true)
            try stored.write(toFile: path, atomically: true, encoding: .utf8)
        }
        for (call, whose) in [
            ("expect_transcript \"talk\"", "nobody has said or observed anything"),
            ("v:expect_transcript \"talk\"", "v has said and observed nothing"),
        ] {
            let run = try self.run(call, updates: updates)
            #expect(run.end.outcome == .error)
            #expect(
                run.messages == ["expect_transcript has nothing to compare: \(whose); let the actors talk first"])
        }
        #expect((try? String(contentsOfFile: path, encoding: .utf8)) == stored)
    }

    @Test("a transcript of gaps alone is refused, for it fits whatever is said", arguments: [false, true])
    func gapsAlone(updates: Bool) throws {
        try FileManager.default.createDirectory(atPath: self.root + "/transcripts", withIntermediateDirectories: true)
        try "# all\n…\n".write(toFile: self.root + "/transcripts/talk.txt", atomically: true, encoding: .utf8)
        let run = try self.run("v:say \"hi\" expect_transcript \"talk\"", updates: updates)
        #expect(run.end.outcome == .error)
        #expect(
            run.messages.first?.hasPrefix("transcripts/talk.txt fits every conversation") == true, "\(run.messages)")
    }

    @Test("a scenario that stores two conversations under one name is told so, and the first one stays")
    func twice() throws {
        let body = "v:say \"hi\" expect_transcript \"talk\" v:say \"ho\" expect_transcript \"talk\""
        let run = try self.run(body, updates: true)
        #expect(run.end.outcome == .error)
        #expect(
            run.messages.first?.hasPrefix(
                "transcripts/talk.txt holds an earlier conversation of this scenario in this run, and this is another one"
            )
                == true, "\(run.messages)")
        let text = try String(contentsOfFile: self.root + "/transcripts/talk.txt", encoding: .utf8)
        #expect(text.contains("hi!") && !text.contains("ho!"))
        // One conversation may be looked at twice.
        let again = "v:say \"hi\" expect_transcript \"talk\" expect_transcript \"talk\""
        #expect(try self.run(again, updates: true).messages == [])
    }

    @Test("what a transcript took is not left over, and options that there are not are refused")
    func options() throws {
        _ = try self.run("v:say \"hi\" expect_transcript \"talk\"", updates: true)
        #expect(try self.run("v:say \"hi\" expect_transcript \"talk\"").end.outcome == .passed)
        #expect(try self.run("v:say \"hi\" wait(2)").end.outcome == .failed)
        #expect(
            try self.run("expect_transcript(\"talk\", { withing = 1 })").messages == [
                "expect_transcript has no option \"withing\"; did you mean \"within\"?"
            ])
        #expect(
            try self.run("expect_transcript(\"../talk\")").messages.first?.hasPrefix(
                "the name of a transcript has letters")
                == true)
        #expect(
            try self.run("expect_transcript(5)").messages == [
                "expect_transcript: argument 1 (name) must be a string, not an integer"
            ])
    }
}
