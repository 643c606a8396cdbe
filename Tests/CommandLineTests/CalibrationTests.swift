import CommandLine
import Foundation
import JSON
import Scenario
import Testing

@Suite("repartee judge: a judge is measured by texts that people labelled")
struct CalibrationTests {
    @Test("Precision, recall and Cohen's kappa are those of the textbook")
    func figures() {
        // The example of the article on Cohen's kappa in Wikipedia: 20, 5, 10 and 15 of 50.
        var agreement = JudgeAgreement()
        for (expected, found, count) in [(true, true, 20), (true, false, 5), (false, true, 10), (false, false, 15)] {
            for _ in 0..<count { agreement.add(expected: expected, found: found) }
        }
        #expect(agreement.count == 50)
        #expect(agreement.precision == 20.0 / 30)
        #expect(agreement.recall == 0.8)
        #expect(abs((agreement.kappa ?? 0) - 0.4) < 1e-12)
        var always = JudgeAgreement()
        #expect(always.precision == nil && always.recall == nil && always.kappa == nil)
        always.add(expected: true, found: true)
        #expect(always.kappa == nil)
    }

    private func folder(_ port: Int, _ lines: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return { judges = { judge = {
                url = "http://127.0.0.1:\(port)/v1/chat/completions", model = "m", votes = 3 } } }
            """, to: "repartee.lua")
        try folder.write(lines, to: "labelled.jsonl")
        return folder
    }

    private static let labelled = (0..<10).map { number in
        let isPolite = number < 6
        return #"{"text":"\#(isPolite ? "please" : "now") \#(number)","criterion":"polite","expected":\#(isPolite)}"#
            + "\n"
    }.joined()

    @Test("A judge that sees what people see agrees with them, and the cassette repeats it")
    func good() async throws {
        let model = try PlantedModel()
        let folder = try self.folder(model.server.port, Self.labelled)
        let run = try await ToolRun(["judge", "--calibrate", "labelled.jsonl", "--record"], in: folder.path)
        #expect(run.status == .success, "\(run.error)")
        #expect(
            run.output == """
                judge: 10 texts; all votes agree on 10
                people yes  judge yes 6  judge no 0
                people no   judge yes 0  judge no 4
                precision   1.000
                recall      1.000
                kappa       1.000

                """)
        model.server.close()
        let again = try await ToolRun(["judge", "--calibrate", "labelled.jsonl"], in: folder.path)
        #expect(again.status == .success && again.output == run.output, "\(again.error)")
    }

    @Test("A judge that always says yes finds everything and agrees no more than by chance")
    func biased() async throws {
        let model = try PlantedModel { _, _ in PlantedModel.verdict(true) }
        let folder = try self.folder(model.server.port, Self.labelled)
        let run = try await ToolRun(["judge", "--calibrate", "labelled.jsonl"], in: folder.path)
        #expect(run.status == .success, "\(run.error)")
        for line in [
            "precision   0.600", "recall      1.000", "kappa       0.000", "line 7: people say no; judge says yes",
        ] {
            #expect(run.output.contains(line), "\(run.output)")
        }
        #expect(!folder.has("cassette.jsonl"))
    }

    @Test(
        "What cannot be measured is said with its line",
        arguments: [
            ("", "labelled.jsonl has no labelled text"), ("[]\n", "line 1 is no JSON object"),
            (#"{"text":"x","criterion":"y"}"#, "expected"),
            (#"{"text":"x","criterion":"y","expected":true,"label":1}"#, "label"),
            (#"{"text":"x","criterion":"y","expected":true,"expected":false}"#, "two members \"expected\""),
        ])
    func badInput(lines: String, message: String) async throws {
        let model = try PlantedModel()
        let folder = try self.folder(model.server.port, lines)
        let run = try await ToolRun(["judge", "--calibrate", "labelled.jsonl"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.error.contains(message), "\(run.error)")
        #expect(run.output.isEmpty)
    }

    @Test("A judge that is down or gives no verdict ends it as it ends a run; a budget is the project's")
    func unavailable() async throws {
        let example = #"{"text":"x","criterion":"y","expected":true}"# + "\n"
        let model = try PlantedModel { _, _ in "no verdict" }
        let folder = try self.folder(model.server.port, example)
        let arguments = ["judge", "--calibrate", "labelled.jsonl"]
        let vague = try await ToolRun(arguments, in: folder.path)
        #expect(vague.status == .harness && vague.output.isEmpty, "\(vague.output)\(vague.error)")
        #expect(vague.error.contains("line 1: judges.judge"), "\(vague.error)")
        // What was asked is paid for, also where nothing comes of it.
        #expect(vague.error.hasSuffix("\nasked judges.judge: 3 requests, 300 tokens\n"), "\(vague.error)")
        model.server.close()
        let down = try await ToolRun(arguments, in: folder.path)
        #expect(down.status == .harness && down.error.contains("no answer"), "\(down.error)")
        let declared = try folder.text("repartee.lua")
        try folder.write(
            declared.replacing("votes = 3", with: "votes = 3, at_most = { calls = 2 }"), to: "repartee.lua")
        let spent = try await ToolRun(arguments, in: folder.path)
        #expect(spent.status == .script && spent.error.contains("is used up"), "\(spent.error)")
        // Nothing was asked.
        #expect(!spent.error.contains("asked judges.judge"), "\(spent.error)")
    }

    @Test(
        "Whoever ends it before all texts are judged keeps the answers that there are, and is not asked for them again",
        .enabled(if: Product.program != nil, "needs the program that the build makes"))
    func interrupted() async throws {
        let release = DispatchSemaphore(value: 0)
        let model = try PlantedModel { _, question in
            let isPolite = question["text"]?.string == "please"
            // Longer than anybody waits.
            if !isPolite { _ = release.wait(timeout: .now() + 300) }
            return PlantedModel.verdict(isPolite)
        }
        let folder = try self.folder(
            model.server.port,
            #"{"text":"please","criterion":"polite","expected":true}"# + "\n"
                + #"{"text":"at once","criterion":"polite","expected":false}"# + "\n")
        let arguments = ["judge", "--calibrate", "labelled.jsonl", "--record"]
        let tool = try ToolProcess(arguments, in: folder.path)
        while tool.isRunning, !model.server.requests.contains(where: { $0.contains("at once") }) { usleep(5_000) }
        tool.send(SIGINT)
        let (code, output) = tool.end(within: .seconds(120))
        #expect(code == 130, "\(output)")
        #expect(output.contains("error: interrupted") && output.contains("asked judges.judge: "), "\(output)")
        let kept = try folder.text("cassette.jsonl").split(separator: "\n")
        #expect(kept.count == 1 && kept.first?.contains("please") == true, "\(kept)")
        for _ in 0..<6 { release.signal() }
        let count = model.server.requests.count { $0.contains("please") }
        let again = try await ToolRun(arguments, in: folder.path)
        #expect(again.status == .success, "\(again.error)")
        #expect(model.server.requests.count { $0.contains("please") } == count)
    }
}
