import FoundationEssentials
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Testing

@testable import Scenario

@Suite("A line of a script with its neighbors")
struct SourceExcerptLineTests {
    private static func rendered(
        _ source: String, line: Int, masked: @escaping (String) -> String = { $0 }
    ) -> [String] {
        SourceExcerpt(source: source, line: line, masked: masked).rendered
    }

    @Test("the line stands between its neighbors, with a caret below the call")
    func neighbors() {
        #expect(
            Self.rendered("local a = 1\n  visitor:say \"hi\"\nend", line: 2) == [
                "  1 | local a = 1", "> 2 |   visitor:say \"hi\"", "    |   ^^^^^^^^^^^", "  3 | end",
            ])
    }

    @Test("the first line, the last one and the only one have the neighbors that there are")
    func ends() {
        #expect(Self.rendered("a()\nb()", line: 1) == ["> 1 | a()", "    | ^", "  2 | b()"])
        #expect(Self.rendered("a()\nb()", line: 2) == ["  1 | a()", "> 2 | b()", "    | ^"])
        #expect(Self.rendered("a()", line: 1) == ["> 1 | a()", "    | ^"])
    }

    @Test("a line that the file does not have shows nothing", arguments: [0, -1, 3, Int.max, Int.min + 1])
    func outside(line: Int) {
        #expect(Self.rendered("a()\nb()", line: line) == [])
    }

    @Test("numbers stand below each other")
    func widths() {
        let source = (1...100).map { "line\($0)" }.joined(separator: "\n")
        #expect(Self.rendered(source, line: 99).first == "   98 | line98")
        #expect(Self.rendered(source, line: 99).last == "  100 | line100")
        #expect(Self.rendered(source, line: 9).map { $0.prefix(6) }.first == "   8 |")
    }

    @Test("empty neighbors are left out, an empty line is shown, and line ends of other systems are line ends")
    func blanks() {
        #expect(Self.rendered("\nb()\n  \n", line: 2) == ["> 2 | b()", "    | ^"])
        #expect(Self.rendered("a\n\nb", line: 2) == ["  1 | a", "> 2 | ", "    | ^", "  3 | b"])
        #expect(Self.rendered("a\r\nb\r\nc", line: 2) == ["  1 | a", "> 2 | b", "    | ^", "  3 | c"])
    }

    @Test("a long line is cut, and a secret at the place of the cut is hidden before that")
    func long() throws {
        let secret = "swordfish"
        let source = String(repeating: "x", count: 155) + secret
        let line = try #require(
            Self.rendered(source, line: 1) { $0.replacing(secret, with: "***") }.first { $0.hasPrefix(">") })
        #expect(!line.contains("sword") && line.hasSuffix("***"))
        let cut = Self.rendered(String(repeating: "y", count: 10_000), line: 1)
        #expect(!cut.isEmpty && cut.allSatisfy { $0.count <= 170 })
    }
}

@Suite("The texts that excerpts are taken from")
struct ScriptSourcesTests {
    @Test("are the script itself and the files that it was made from, and no other file of the disk")
    func known() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sources-\(UInt64.random(in: 0 ... .max))")
            .resolvingSymlinksInPath().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["module.lua", "other.lua"] {
            try Data("print \"\(name)\"\n".utf8).write(to: URL(filePath: folder + "/" + name))
        }
        let settings = ExecutionSettings(
            systems: [], projectRoot: folder, workingDirectory: folder, project: ProjectConfiguration(), seed: 1)
        let sources = ScriptSources(
            ScriptFile(name: "a.lua", source: "error \"a\""), known: [folder + "/module.lua"], settings: settings)
        func excerpt(_ name: String) -> [String] { sources.excerpt(at: ScriptPosition(file: name, line: 1)) }
        #expect(excerpt("a.lua").first == "> 1 | error \"a\"")
        #expect(excerpt("module.lua").first == "> 1 | print \"module.lua\"")
        #expect(excerpt(folder + "/module.lua").first == "> 1 | print \"module.lua\"")
        #expect(excerpt("./module.lua").first == "> 1 | print \"module.lua\"")
        for name in ["other.lua", folder + "/other.lua", "/etc/passwd", "../../etc/passwd", "missing.lua", ""] {
            #expect(excerpt(name) == [], "\(name)")
        }
        #expect(sources.excerpt(at: ScriptPosition(file: "a.lua", line: 9)) == [])
    }

    @Test("do not show what is a secret")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1, vault: vault
        )
        let sources = ScriptSources(ScriptFile(name: "a.lua", source: "say \"swordfish\""), settings: settings)
        #expect(sources.excerpt(at: ScriptPosition(file: "a.lua", line: 1)).first == "> 1 | say \"***\"")
    }
}

@Suite("The calls in progress, told from the scenario on")
struct CallStackOrderTests {
    private static func call(_ file: String, _ line: Int, _ function: String? = nil) -> ScriptCallStack.Call {
        ScriptCallStack.Call(position: ScriptPosition(file: file, line: line), function: function)
    }

    private static let calls = [
        call("lib.lua", 3, "send"), call("a.lua", 7, "greet"), call("lib.lua", 9), call("a.lua", 20),
    ]

    @Test("the innermost line of the scenario's own file comes first, what it called beneath, and who called it after")
    func own() {
        let stack = ScriptCallStack(Self.calls, position: nil, file: "a.lua")
        #expect(stack.position == ScriptPosition(file: "a.lua", line: 7))
        #expect(stack.inner == [Self.calls[0]] && stack.callers == [Self.calls[2], Self.calls[3]])
    }

    @Test("a place that is known otherwise is the place, and only its callers are told")
    func known() {
        let stack = ScriptCallStack(Self.calls, position: ScriptPosition(file: "a.lua", line: 20), file: "a.lua")
        #expect(stack.position?.line == 20 && stack.inner == [] && stack.callers == [])
        let elsewhere = ScriptCallStack(Self.calls, position: ScriptPosition(file: "a.lua", line: 5), file: "a.lua")
        #expect(elsewhere.position?.line == 5 && elsewhere.callers == Self.calls)
    }

    @Test("without a line of the scenario's file the innermost of all is the place")
    func foreign() {
        let stack = ScriptCallStack([Self.calls[0], Self.calls[2]], position: nil, file: "b.lua")
        #expect(stack.position == Self.calls[0].position && stack.inner == [])
        let known = ScriptCallStack([Self.calls[0]], position: Self.calls[0].position, file: "b.lua")
        #expect(known.position == Self.calls[0].position && known.callers == [])
        #expect(ScriptCallStack([], position: nil, file: "b.lua").position == nil)
    }

    @Test("a call reads with its function where Lua knows it")
    func description() {
        #expect(Self.calls[0].description == "lib.lua:3: in send" && Self.calls[3].description == "a.lua:20")
    }

    @Test("a handler that went wrong tells where the scenario waited meanwhile")
    func handler() {
        var failure = ScenarioFailure(category: .error, kind: .script, message: "it broke")
        let wait = [Self.call("a.lua", 30, "talk"), Self.call("a.lua", 40)]
        #expect(failure.raisedByHandler(whileAt: wait).calls == wait)
        failure.calls = [Self.call("lib.lua", 3), Self.call("lib.lua", 9, "on_open")]
        #expect(failure.raisedByHandler(whileAt: []).calls == failure.calls)
        #expect(
            failure.raisedByHandler(whileAt: wait).calls.map(\.description) == [
                "lib.lua:3", "lib.lua:9: in on_open, a handler that ran while the scenario waited",
                "a.lua:30: in talk, which waited", "a.lua:40",
            ])
    }
}

@Suite("A failure on its way into the record")
struct ScenarioFailureTests {
    private static func failure() -> ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .timeout, message: "nothing came",
            position: ScriptPosition(file: "a.lua", line: 2),
            sections: [.init(heading: "expected", lines: ["message"])], limit: "expectation", actor: "Ada")
    }

    @Test("it has its place, or that of the scenario where it has none")
    func place() {
        let problem = Self.failure().problem(in: "a.lua", line: 9, nil)
        #expect(problem.file == "a.lua" && problem.line == 2 && problem.limit == "expectation")
        let placeless = ScenarioFailure(category: .error, kind: .script, message: "it broke")
            .problem(in: "a.lua", line: 9, nil)
        #expect(placeless.file == "a.lua" && placeless.line == 9 && placeless.evidence?.frames == [])
    }

    @Test("who cannot reach a server has failed nobody: the failure becomes an error that keeps what it knew")
    func unreachable() {
        let error = Self.failure().becauseUnreachable("nobody listens", actor: "Ada")
        #expect(error.category == .error && error.kind == .connection)
        #expect(error.message == "Ada cannot reach its server: nobody listens")
        #expect(error.position == Self.failure().position && error.sections == Self.failure().sections)
        #expect(error.limit == "expectation" && error.actor == "Ada")
    }

    @Test("callers are shown up to twelve, before everything else")
    func callers() throws {
        var failure = Self.failure()
        failure.calls = (1...40).map {
            ScriptCallStack.Call(position: ScriptPosition(file: "a.lua", line: $0), function: nil)
        }
        let sections = failure.evidence(in: "a.lua", nil).sections
        #expect(sections.map(\.heading) == ["called from", "expected"])
        #expect(sections.first?.lines.count == 12 && sections.first?.lines.first == "a.lua:3")
    }
}

@Suite("A global that nobody has assigned")
struct UndefinedNameTests {
    @Test(
        "what Lua has elsewhere is told as what scripts do not have",
        arguments: ["io", "dofile", "package", "loadfile"])
    func leftOut(name: String) {
        #expect(UndefinedName(name, among: ["os"]).message() == "\(name) is not available to scripts")
    }

    @Test("a misspelt one is told with what was meant: another global, or a local of the script")
    func suggestions() {
        #expect(
            UndefinedName("scenaro", among: ["scenario"]).message()
                == "the global \"scenaro\" is not defined; did you mean \"scenario\"?")
        for source in [
            "local visitor = 1", "local a, visitor <const> = 1, 2", "local function visitor() end",
            "  local  visitor\n",
        ] {
            #expect(
                UndefinedName("vistor", among: []).message(in: source)?.contains("\"visitor\"") == true, "\(source)")
        }
    }

    @Test("one that is like no other is told with how to ask for it")
    func others() {
        #expect(
            UndefinedName("xyzxyz", among: ["scenario"]).message(in: "local visitor = 1")
                == "the global \"xyzxyz\" is not defined; assign it first, or ask "
                + "rawget(_G, \"xyzxyz\") whether it is there"
        )
        #expect(
            UndefinedName("eqals", of: .library("match"), among: ["equals"]).message()
                == "match.eqals is not defined; did you mean match.equals?")
        #expect(
            UndefinedName("xyzxyz", of: .library("match"), among: ["equals"]).message()
                == "match.xyzxyz is not defined; ask rawget(match, \"xyzxyz\") whether it is there")
        // A name is not its own correction.
        #expect(UndefinedName("visitor", among: ["visitor"]).message()?.contains("did you mean") == false)
    }

    @Test("a member that may be absent is a mistake only where it resembles one")
    func members() {
        #expect(
            UndefinedName("txet", of: .members(of: "the event frame", isClosed: false), among: ["text", "json"])
                .message()
                == "the event frame has no field \"txet\"; did you mean \"text\"?")
        // Names of a letter or two resemble each other by chance; where there can be no others that is a mistake, too.
        #expect(UndefinedName("b", of: .members(of: "t.shared", isClosed: false), among: ["a"]).message() == nil)
        #expect(
            UndefinedName("b", of: .members(of: "the row", isClosed: true), among: ["text", "a", "a"]).message()
                == "the row has no field \"b\"; did you mean \"a\"?")
        #expect(
            UndefinedName("mood", of: .members(of: "the event frame", isClosed: false), among: ["text", "json"])
                .message() == nil)
    }
}
