import JSON
import Machines
import RunRecord
import Testing

@testable import Secrets

@Suite("Secrets in entries of the record")
struct EntryMaskingTests {
    @Test(
        "a secret that is a word of the format is hidden as a value and spoils nothing",
        arguments: ["logged", "text", "info", "scenario_ended", "category", "failure", "sent", "true", "passed"])
    func formatWords(word: String) throws {
        var secrets = SecretMasker()
        secrets.add(word)
        let entries: [RunEntry] = [
            .happened(scenario: 3, atNanoseconds: 5, .logged(level: .info, text: "the secret is \(word)")),
            .happened(
                scenario: 3, atNanoseconds: 5,
                .observed(
                    actor: "ada", number: 1, kind: "text", fields: ["text": .string(word)],
                    raw: .object(JSONObject([(word, JSONValue.integer(1))])))),
            .happened(
                scenario: 3, atNanoseconds: 6,
                .wire(.init(connection: "a/1", direction: .sent, summary: "x \(word)", payload: .text("<\(word)>")))),
            .scenarioEnded(
                ScenarioEnd(
                    index: 3, atNanoseconds: 7, outcome: .failed,
                    problems: [
                        Problem(category: .failure, typeName: "expectation", message: word, detail: "\(word)\nx")
                    ])),
        ]
        for entry in entries {
            let masked = secrets.masked(entry)
            #expect(masked != entry)
            // The line can be read again and has the value nowhere but in the words of the format.
            #expect(try RunEntry(json: try JSONReader.read(masked.line)) == masked)
            let values = try JSONReader.read(masked.line).object?["text"]?.string
            if case .happened(_, _, .logged) = entry { #expect(values == "the secret is ***") }
        }
        guard case .happened(_, _, .observed(_, _, "text", ["text": "***"], _)) = secrets.masked(entries[1]) else {
            Issue.record("\(secrets.masked(entries[1]))")
            return
        }
    }

    @Test("the lines of soft checks and the failed try of a rate have no secret")
    func rates() throws {
        var secrets = SecretMasker()
        secrets.add("hunter2!x")
        let rate = PassRate(
            TryRate(tries: 1, passed: 0, low: 0, high: 1), atLeast: 0.9, confidence: 0.95,
            lastFailed: .init(number: 1, message: "got hunter2!x"),
            checks: [
                CheckRate(
                    line: 3, text: "check(key == 'hunter2!x')", rate: TryRate(tries: 1, passed: 0, low: 0, high: 1))
            ])
        let end = secrets.masked(ScenarioEnd(index: 0, atNanoseconds: 0, outcome: .failed, passes: rate))
        #expect(end.passes?.lastFailed?.message == "got ***" && end.passes?.checks[0].text == "check(key == '***')")
    }

    @Test("the names of the files that a shard tells of have no secret")
    func readFiles() {
        var secrets = SecretMasker()
        secrets.add("hunter2!x")
        let plan = ShardPlan(scenarios: "1", files: ["hunter2!x.csv": "2", "a.lua": "3"], dealing: "4")
        let start = RunStart(
            toolVersion: "1", seed: 1, clock: .virtual, target: "embedded",
            shard: Shard(index: 1, count: 2, plan: plan), plannedScenarios: 1)
        guard case .runStarted(let masked) = secrets.masked(.runStarted(start)),
            case .runEnded(let end) = secrets.masked(
                .runEnded(RunEnd(counts: .init(), durationNanoseconds: 1, files: ["a/hunter2!x": "5"])))
        else {
            Issue.record("these are other entries")
            return
        }
        #expect(masked.shard?.plan?.files == ["***.csv": "2", "a.lua": "3"])
        #expect(end.files == ["a/***": "5"])
    }

    @Test("what speaks for a problem has no secret in any of its parts, nor across the parts of a difference")
    func evidence() {
        var secrets = SecretMasker()
        secrets.add("hunter2!x")
        let evidence = Evidence(
            actor: "ada", frames: [.init(file: "a.lua", line: 5, excerpt: ["> 5 | login \"hunter2!x\""])],
            nearest: NearestEvent(number: 2, kind: "frame", at: "1s", remarks: ["hunter2!x"]),
            differences: [
                ValueDifference(
                    path: "json.key", expected: MarkedText(parts: ["\"hunt", "er2!", "x\""]),
                    found: MarkedText(parts: ["\"hunt", "er3!", "x\""]))
            ],
            sections: [.init(heading: "answer", lines: ["the key hunter2!x is known"])])
        let problem = secrets.masked(
            Problem(category: .failure, typeName: "timeout", message: "no frame", evidence: evidence))
        let text = String(describing: problem)
        #expect(!text.contains("hunter2!x") && !text.contains("er2!"), "\(text)")
        #expect(problem.evidence?.differences[0].expected == MarkedText("\"***\""))
        #expect(problem.evidence?.differences[0].found.parts.count == 3)
    }

    @Test("a secret with a blank is hidden in the path of what was attached before it was known, as the file is named")
    func attachment() {
        func attached(_ name: String, _ path: String) -> RunEntry {
            .happened(
                scenario: 3, atNanoseconds: 5, .attached(name: name, path: path, mediaType: "text/plain"))
        }
        var secrets = SecretMasker()
        secrets.add("hunter two")
        let masked = secrets.masked(attached("of hunter two.txt", "Reports/3-1-of-hunter-two.txt"))
        #expect(masked == attached("of ***.txt", "Reports/3-1-of----.txt"))
        #expect(AttachmentFile.name(of: "of ***.txt") == "of----.txt")
        #expect(secrets.masked(masked) == masked)
        let elsewhere = secrets.masked(attached("a", "hunter two/b.txt"))
        #expect(elsewhere == attached("a", "***/b.txt"))
    }

    @Test("what is within bytes that are no text is hidden there")
    func bytes() {
        var secrets = SecretMasker()
        secrets.add("hunter2!x")
        let frame = WireFrame(
            connection: "a/1", direction: .sent, summary: "s",
            payload: .base64(Base64.encode([0xFF, 0xFE] + Array("hunter2!x".utf8) + [0x80])))
        let masked = secrets.masked(.happened(scenario: 0, atNanoseconds: 0, .wire(frame)))
        guard case .happened(_, _, .wire(let wire)) = masked, case .base64(let text)? = wire.payload else {
            Issue.record("\(masked)")
            return
        }
        #expect(Base64.decode(text) == [0xFF, 0xFE] + Array("***".utf8) + [0x80])
    }
}
