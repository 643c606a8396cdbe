import JSON
import Machines
import Testing
import Transport

@testable import Scenario

@Suite("The options of a scenario")
struct ScenarioOptionsTests {
    private static let names = EventNames(of: [ParrotClient.system])

    private static func read(_ table: JSONObject) throws(UsageError) -> ScenarioOptions {
        try ScenarioOptions(table, eventNames: Self.names)
    }

    private static func mistake(_ table: JSONObject) -> String? {
        do throws(UsageError) {
            _ = try Self.read(table)
            return nil
        } catch { return error.message }
    }

    @Test("an empty table is what no table is")
    func empty() throws {
        #expect(try Self.read([:]) == ScenarioOptions())
    }

    @Test("every option is read")
    func all() throws {
        let options = try Self.read([
            "tags": ["smoke", "slow"], "timeout": "90s", "only": true, "retries": 2, "clock": "real",
            "target": "staging", "allow": ["message"], "faults": ["cut": "it counts"], "rows": "a.csv",
            "row_key": "id",
        ])
        #expect(options.tags == ["smoke", "slow"] && options.timeout == .seconds(90) && options.isOnly)
        #expect(options.retries == 2 && options.clock == "real" && options.target == "staging")
        #expect(options.allow == ["message"] && options.explainedFaults == ["cut": "it counts"])
        #expect(options.rows == "a.csv" && options.rowKey == "id")
        #expect(options.skip == nil && options.expectedFailure == nil)
    }

    @Test(
        "a value of another type is refused with the name and the type that is meant",
        arguments: [
            (["tags": "smoke"], "scenario: tags is a list, not \"smoke\""),
            (["tags": [1]], "scenario: tags is a string, not 1"),
            (["timeout": "soon"], "scenario: timeout is a duration such as \"250ms\""),
            (["timeout": -1], "scenario: timeout is a duration"),
            (["timeout": 0], "scenario: timeout is a duration of at least 1ms, not 0s"),
            (["timeout": true], "scenario: timeout is a duration"),
            (["only": 1], "scenario: only is true or false, not 1"),
            (["retries": "twice"], "scenario: retries is an integer, not \"twice\""),
            (["retries": 1.5], "scenario: retries is an integer, not 1.5"),
            (["clock": "wall"], "scenario: clock is one of \"virtual\", \"real\", not \"wall\""),
            (["target": 7], "scenario: target is a string, not 7"), (["allow": true], "scenario: allow is a list"),
            (["faults": "cut"], "scenario: faults is a table, not \"cut\""),
            (["faults": ["cut": 1]], "scenario: faults.cut is a string, not 1"),
            (["row_key": 1], "scenario: row_key is a string"),
        ] as [(JSONObject, String)])
    func types(table: JSONObject, text: String) throws {
        #expect(try #require(Self.mistake(table)).hasPrefix(text), "\(Self.mistake(table) ?? "")")
    }

    @Test("a misspelt option is refused with the one that was meant")
    func misspelt() throws {
        for parameter in ScenarioOptions.parameters {
            var name = Array(parameter.name)
            name.swapAt(0, 1)
            let text = try #require(Self.mistake([String(name): true]), "\(parameter.name)")
            #expect(text == "scenario has no option \"\(String(name))\"; did you mean \"\(parameter.name)\"?")
        }
        #expect(Self.mistake(["parallel": true])?.contains("it has tags, timeout, skip") == true)
    }

    @Test(
        "retries are from 0 to 100",
        arguments: [(0, true), (100, true), (101, false), (-1, false), (.max, false)] as [(Int64, Bool)])
    func retries(count: Int64, isTaken: Bool) {
        let text = Self.mistake(["retries": .integer(count)])
        #expect(text == (isTaken ? nil : "scenario: retries is a number from 0 to 100, not \(count)"))
    }

    @Test("a reason to skip is its text, or one of its own where it is only said that it is")
    func reasons() throws {
        #expect(try Self.read(["skip": "no lab"]).skip == "no lab")
        #expect(try Self.read(["skip": true]).skip == "skipped by its declaration")
        #expect(try Self.read(["skip": false]).skip == nil)
        #expect(try Self.read(["expected_failure": "bug 7"]).expectedFailure == "bug 7")
        #expect(try Self.read(["expected_failure": true]).expectedFailure == "its declaration says so")
        #expect(try Self.read(["expected_failure": false]).expectedFailure == nil)
    }

    @Test("an empty reason is none, and no run could choose an empty tag", arguments: ["", " ", "\n"])
    func emptyReasons(text: String) {
        for (options, name) in [
            (["skip": .string(text)], "skip"), (["expected_failure": .string(text)], "expected_failure"),
            (["faults": ["cut": .string(text)]], "faults.cut"),
        ] as [(JSONObject, String)] {
            #expect(
                Self.mistake(options)
                    == "scenario: \(name) is empty, and reports show it as the reason; write why, or leave it out")
        }
        #expect(Self.mistake(["tags": ["smoke", .string(text)]])?.hasPrefix("scenario: tags has one") == true)
    }

    @Test("a target does not go with virtual time")
    func target() {
        #expect(Self.mistake(["target": "a", "clock": "virtual"])?.contains("leave out clock = \"virtual\"") == true)
        #expect(Self.mistake(["target": "a", "clock": "real"]) == nil)
    }

    @Test("what is allowed are events that there are, and what is explained are faults that there are")
    func names() {
        #expect(Self.mistake(["allow": ["mesage"]])?.hasSuffix("did you mean \"message\"?") == true)
        #expect(Self.mistake(["allow": ["xyzxyz"]]) == "allow names \"xyzxyz\", but there is no such event")
        for kind in FaultKind.allCases { #expect(Self.mistake(["faults": [kind.rawValue: "it may"]]) == nil) }
        #expect(Self.mistake(["faults": ["cutt": "it may"]])?.hasSuffix("did you mean \"cut\"?") == true)
    }

    @Test(
        "a scenario is skipped for the clock, for its target in virtual time, and for its own reason, in this order",
        arguments: [
            (nil, nil, nil, true, nil), ("virtual", nil, nil, true, nil), ("real", nil, nil, false, nil),
            ("real", nil, nil, true, "plays in real time only"),
            ("virtual", nil, nil, false, "plays in virtual time only"),
            (nil, "lab", nil, true, "plays against the target lab, in real time only; add --clock real"),
            (nil, "lab", nil, false, nil), (nil, "lab", "no", false, "no"), (nil, nil, "no", true, "no"),
            ("real", nil, "no", true, "plays in real time only"),
        ] as [(String?, String?, String?, Bool, String?)])
    func skipping(clock: String?, target: String?, skip: String?, isVirtual: Bool, reason: String?) {
        var options = ScenarioOptions()
        (options.clock, options.target, options.skip) = (clock, target, skip)
        #expect(options.reasonToSkip(isVirtual: isVirtual) == reason)
    }
}

@Suite("Which scenarios are played")
struct ScenarioSelectionTests {
    /// Five scenarios: title, tags, file.
    private static let suite: ScenarioSuite = {
        let settings = MiniRun.settings()
        func file(_ name: String, _ scenarios: [(String, [String])]) -> ScriptFile {
            ScriptFile(
                name: name,
                source: scenarios.map { title, tags in
                    "scenario(\"\(title)\", { tags = { \(tags.map { "\"\($0)\"" }.joined(separator: ", ")) } }, "
                        + "function() end)\n"
                }.joined())
        }
        return ScenarioSuite(
            [
                file("chat.lua", [("greets", ["smoke"]), ("greets slowly", ["smoke", "slow"]), ("ends", [])]),
                file("desk.lua", [("greets", ["slow"]), ("waits [long]", ["slow", "needs agent"])]),
            ], settings: settings)
    }()

    private static func chosen(_ selection: ScenarioSelection) -> [Int] {
        Self.suite.selecting(selection).members.map(\.index)
    }

    private static func tags(_ texts: [String]) throws -> [TagExpression] { try texts.map { try TagExpression($0) } }

    @Test("nothing asked for is everything")
    func all() {
        #expect(Self.chosen(ScenarioSelection()) == [0, 1, 2, 3, 4])
        #expect(Self.chosen(ScenarioSelection(filters: [""])) == [0, 1, 2, 3, 4])
    }

    @Test(
        "a filter is a part of the title, letter by letter, and one of several is enough",
        arguments: [
            (["greets"], [0, 1, 3]), (["slowly"], [1]), (["slowly", "ends"], [1, 2]), (["Greets"], []),
            (["[long]"], [4]),
            (["."], []), (["xyz"], []),
        ] as [([String], [Int])])
    func filters(filters: [String], chosen: [Int]) {
        #expect(Self.chosen(ScenarioSelection(filters: filters)) == chosen)
    }

    @Test(
        "of tags that are wanted one is enough, and each that is not wanted keeps out",
        arguments: [
            (["smoke"], [0, 1]), (["smoke", "slow"], [0, 1, 3, 4]), (["not slow"], [0, 2]),
            (["not slow", "not smoke"], [2]), (["smoke", "not slow"], [0]), (["smoke and slow"], [1]),
            (["\"needs agent\"", "not smoke"], [4]), (["not (slow or smoke)"], [2]),
        ] as [([String], [Int])])
    func tags(tags: [String], chosen: [Int]) throws {
        #expect(Self.chosen(ScenarioSelection(tags: try Self.tags(tags))) == chosen)
    }

    @Test("ids tell scenarios of one title apart, and everything asked for must hold together")
    func ids() throws {
        #expect(Self.chosen(ScenarioSelection(ids: ["desk.lua::greets"])) == [3])
        #expect(Self.chosen(ScenarioSelection(ids: [])) == [])
        #expect(
            Self.chosen(
                ScenarioSelection(
                    filters: ["greets"], tags: try Self.tags(["slow"]),
                    ids: ["chat.lua::greets slowly", "chat.lua::ends"]))
                == [1])
    }

    @Test("changed files choose the scenarios whose script was made from one of them")
    func changed() {
        let sources = Self.suite.members.map(\.sources)
        #expect(Self.chosen(ScenarioSelection(changedFiles: [])) == [])
        let chosen = Self.chosen(ScenarioSelection(changedFiles: sources[3]))
        #expect(chosen == sources.indices.filter { !sources[$0].isDisjoint(with: sources[3]) })
    }
}
