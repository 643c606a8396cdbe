import Foundation
import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Files that scripts require and read", .serialized)
final class ScriptFilesTests {
    private let root: String

    init() throws {
        self.root = FileManager.default.temporaryDirectory.appending(path: "files \(UUID())").path
        try FileManager.default.createDirectory(atPath: self.root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: self.root) }

    private func write(_ text: String, to name: String) throws { try self.write(Array(text.utf8), to: name) }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(filePath: self.root + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    private var settings: ExecutionSettings { ScriptRun.settings(root: self.root) }

    @Test("a module is found by dots and slashes, loaded once, and gives what it returns")
    func modules() throws {
        try self.write("return { value = 7 }", to: "helpers/orders.lua")
        let run = try ScriptRun(
            body: """
                local orders = require "helpers.orders"
                assert(orders == require "helpers.orders" and orders.value == 7)
                expect((require "helpers/orders").value, 7)
                """, settings: self.settings)
        #expect(run.messages == [])
    }

    @Test(
        "a module may be named by letters of any script, and by nothing that is none",
        arguments: [("höhe", true), ("über", true), ("помощь", true), ("a.é2", true), ("a§b", false), ("a+b", false)])
    func moduleNames(name: String, isName: Bool) throws {
        try self.write("return 7", to: name.replacing(".", with: "/") + ".lua")
        let mistake = try ScriptRun.mistake(in: "expect(require \"\(name)\", 7)", settings: self.settings)
        let refusal = "require takes a name such as \"helpers.orders\" for the file helpers/orders.lua, not \"\(name)\""
        #expect(mistake == (isName ? nil : refusal))
    }

    @Test("a module that has the name of a system is refused, and a file of scenarios may have it")
    func namesOfSystems() throws {
        let settings = ScriptRun.settings(root: self.root, systems: [ParrotClient.system])
        let script = "local S = require \"parrot\"\nscenario(\"x\", function(t) end)"
        try self.write("scenario(\"s\", function(t)\n    return 1\nend)\nreturned = 1\n", to: "parrot.lua")
        #expect(ScriptRun.loadingErrors(script, settings: settings).isEmpty)
        try self.write("local S = { value = 7 }\nreturn S\n", to: "parrot.lua")
        let problem = try #require(ScriptRun.loadingErrors(script, settings: settings).first)
        #expect(problem.message.contains("parrot.lua is a module of the same name"), "\(problem.message)")
        #expect(problem.message.contains("such as my_parrot.lua"), "\(problem.message)")
    }

    @Test("a module that cannot be found, read or loaded is told with its name and place")
    func brokenModules() throws {
        try self.write([0x61, 0x0A, 0xFF], to: "bytes.lua")
        try self.write("local x =", to: "syntax.lua")
        try self.write("error(\"boom\", 0)", to: "raises.lua")
        try self.write("return require \"circle\"", to: "circle.lua")
        let bytes = try #require(try ScriptRun.mistake(in: "require \"bytes\"", settings: self.settings))
        #expect(bytes.hasSuffix("bytes.lua:2: line 2 is not UTF-8; save the file as UTF-8"))
        #expect(
            try ScriptRun.mistake(in: "require \"syntax\"", settings: self.settings)?.contains("unexpected symbol")
                == true)
        #expect(try ScriptRun.mistake(in: "require \"raises\"", settings: self.settings) == "boom")
        #expect(try ScriptRun.mistake(in: "require \"circle\"", settings: self.settings) != nil)
        let missing = try #require(try ScriptRun.mistake(in: "require \"stmp\"", settings: self.settings))
        #expect(missing.hasPrefix("there is no module \"stmp\": neither a system ("))
        #expect(missing.hasSuffix("nor stmp.lua beside this file or at the project's root; did you mean \"stomp\"?"))
        // Modules of the project are meant as well as systems.
        try self.write("return {}", to: "parcel.lua")
        let misspelt = try #require(try ScriptRun.mistake(in: "require \"parcle\"", settings: self.settings))
        #expect(misspelt.hasSuffix("; did you mean \"parcel\"?"), "\(misspelt)")
    }

    @Test("a module that does not compile is shown with its file, line and text below the line that requires it")
    func moduleThatDoesNotCompile() throws {
        try self.write("local a = 1\nif a = 1 then end\n", to: "syntax.lua")
        let loaded = ScriptRun.loadingErrors("\nrequire \"syntax\"\n", settings: self.settings)
        let inFunction = try ScriptRun(body: "require \"syntax\"", settings: self.settings).end.problems
        for problem in [try #require(loaded.first), try #require(inFunction.first)] {
            #expect(problem.file == "a.lua" && problem.line == 2)
            let frames = try #require(problem.evidence).frames
            #expect(frames.map(\.file) == ["a.lua", "syntax.lua"] && frames.map(\.line) == [2, 2])
            #expect(frames.last?.excerpt.contains("> 2 | if a = 1 then end") == true)
        }
    }

    @Test("systems that come with the program are required by their names, and a file of the project goes before them")
    func shipped() throws {
        #expect(ShippedSystems.names == ShippedSystems.names.sorted() && !ShippedSystems.names.isEmpty)
        #expect(ShippedSystems.names.allSatisfy { ShippedSystems.source(of: $0) != nil && !$0.contains(".") })
        #expect(ShippedSystems.source(of: "nothing") == nil)
        #expect(ShippedSystems.fileName(of: "stomp.frames") == "repartee/stomp/frames.lua")
        // What several of them share is found, and is none of them.
        #expect(ShippedSystems.source(of: "systems.unfinished") != nil && !ShippedSystems.names.contains("systems"))
        #expect(ShippedSystems.described(for: self.settings).count == ShippedSystems.names.count)
        try self.write("return \"my own\"", to: "stomp.lua")
        #expect(try ScriptRun.value(of: "require \"stomp\"", settings: self.settings) == "my own")
    }

    @Test("a text is read without the mark of its byte order, and bytes as they are")
    func reading() throws {
        try self.write([0xEF, 0xBB, 0xBF, 0x68, 0x69, 0x00], to: "data/a.txt")
        #expect(
            try ScriptRun.value(of: "{ read_text \"data/a.txt\", #read_bytes \"data/a.txt\" }", settings: self.settings)
                == ["hi\u{0}", 6])
        try self.write([0xFF], to: "data/b.txt")
        #expect(
            try ScriptRun.mistake(in: "read_text \"data/b.txt\"", settings: self.settings)
                == "read_text: the file \"data/b.txt\" is no text in UTF-8; read_bytes reads any file")
    }

    @Test(
        "what lies outside of the project, is hidden or is no plain file is not read",
        arguments: [
            "../secret.txt", "/etc/hostname", "data", "link.txt", "fifo", ".env", ".git/config", "", ".",
            "data/../../secret.txt",
        ])
    func outside(name: String) throws {
        let outside = self.root + " secret.txt"
        try Data("secret".utf8).write(to: URL(filePath: outside))
        defer { try? FileManager.default.removeItem(atPath: outside) }
        try self.write("x", to: "data/x")
        try self.write("x", to: ".env")
        try self.write("x", to: ".git/config")
        try FileManager.default.createSymbolicLink(atPath: self.root + "/link.txt", withDestinationPath: outside)
        mkfifo(self.root + "/fifo", 0o600)
        for reader in ["read_text", "read_bytes", "utterances.read"] {
            let message = try ScriptRun.mistake(in: "\(reader) \"\(name)\"", settings: self.settings)
            #expect(message != nil, "\(reader) \(name)")
        }
    }

    @Test("a module that is no plain file is none: reading a pipe that nobody writes to would never end")
    func pipe() throws {
        mkfifo(self.root + "/fifo.lua", 0o600)
        let message = try #require(try ScriptRun.mistake(in: "require \"fifo\"", settings: self.settings))
        #expect(message.hasPrefix("there is no module \"fifo\": neither a system ("))
    }

    @Test("a file that is too large is refused before it is read")
    func tooLarge() throws {
        let path = self.root + "/large.bin"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 16 * 1_048_576 + 1)
        try file.close()
        #expect(
            try ScriptRun.mistake(in: "read_bytes \"large.bin\"", settings: self.settings)
                == "read_bytes: the file \"large.bin\" has more than 16777216 bytes")
    }

    @Test("the lines of a list of utterances are those with words, without comments and the space around them")
    func utterances() throws {
        try self.write("# greetings\r\n  hello there \r\n\r\n\t\n#no\nbye # now\n", to: "hello.txt")
        #expect(
            try ScriptRun.value(of: "utterances.read \"hello.txt\"", settings: self.settings) == [
                "hello there", "bye # now",
            ])
    }

    @Test("rows come from a file beside the script, which the suite then knows as a source")
    func rows() throws {
        try self.write("name,n\na,1\nb,2\n", to: "rows.csv")
        let suite = ScenarioSuite(
            [ScriptFile(name: "a.lua", source: "scenario(\"s\", { rows = \"rows.csv\" }, function(t) end)")],
            settings: self.settings)
        #expect(suite.errors.isEmpty)
        #expect(suite.members.map(\.definition.row?.name) == ["a", "b"])
        #expect(suite.members.first?.sources.contains { $0.hasSuffix("/rows.csv") } == true)
    }

    @Test("what another file does for a scenario stands in the record with the line of the scenario's own file")
    func ownLines() throws {
        let helper = """
            local H = {}

            function H.step(body) step("greet", body) end

            function H.talk(t, client, server)
                client:connect()
                server:look()
                t:network({ latency = "1ms" }, client)
                client:expect_transcript "talk"
            end

            return H
            """
        try self.write(helper, to: "helper.lua")
        let run = try ScriptRun(
            """
            local helper = require "helper"
            local S = system { name = "probe", events = {} }
            function S.commands.connect(me) me:open {} me:wait "open" end
            function S.server.connected() end
            function S.server.commands.look() return true end
            scenario("s", function(t)
                local server, client = t:server(S), t:actor(S)
                helper.step(function()
                    helper.talk(t, client, server)
                end)
            end)
            """, settings: ScriptRun.settings(root: self.root, updatesTranscripts: true))
        #expect(run.messages == [])
        let shown = run.happenings.compactMap { happening -> String? in
            switch happening {
            case .stepBegan(let name, let line), .commanded(_, let name, _, let line),
                .expected(_, let line, let name, _):
                "\(name)@\(line ?? 0)"
            default: nil
            }
        }
        #expect(shown == ["greet@8", "connect@9", "look@9", "network@9", "transcript transcripts/talk.txt@9"])
    }

    @Test("a sample of utterances is the same for the same seed, when it is listed and when it is played")
    func sampling() throws {
        let source = """
            local chosen = utterances.sample(3, { a = { "1", "2", "3", "4" }, b = { "x", "y", "z" } })
            scenario("s", { rows = chosen }, function(t) log.info(json.encode(chosen)) end)
            """
        let one = try ScriptRun(source).logs
        #expect(try ScriptRun(source, number: 2).logs == one)
        #expect(try ScriptRun(source).logs == one)
    }
}
