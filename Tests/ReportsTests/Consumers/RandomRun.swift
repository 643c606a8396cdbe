import JSON
import Machines
import RunRecord

/// Runs in which every text is random.
enum RandomRun {
    static func entries(scenarios: Int, using random: inout RandomSource) -> [RunEntry] {
        func text() -> String { RandomText.next(using: &random) }
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(
                    toolVersion: text(), seed: random.next(), clock: .virtual, target: text(),
                    plannedScenarios: scenarios))
        ]
        for index in 0..<scenarios {
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "f" + text(), line: index, titlePath: [text(), text()],
                        row: Bool.random(using: &random) ? text() : nil, tags: [text(), text()], seed: 1,
                        atNanoseconds: 0)))
            for number in 0..<3 {
                entries.append(
                    .happened(
                        scenario: index, atNanoseconds: Int64(number) * 1_000_000,
                        .observed(
                            actor: text(), number: number, kind: text(),
                            fields: [text(): .string(text()), text(): [.string(text())]])))
            }
            entries.append(.happened(scenario: index, atNanoseconds: 3, .logged(level: .info, text: text())))
            entries.append(
                .happened(scenario: index, atNanoseconds: 3, .attached(name: text(), path: text(), mediaType: text())))
            let outcome = [Outcome.passed, .failed, .error, .skipped(reason: text())].randomElement(using: &random)!
            let problems = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                Problem(
                    category: Bool.random(using: &random) ? .failure : .error, typeName: text(), message: text(),
                    detail: text(), file: text(), line: 1, isSoft: Bool.random(using: &random), limit: text())
            }
            if Bool.random(using: &random) {
                entries.append(
                    .scenarioEnded(
                        ScenarioEnd(index: index, atNanoseconds: 4_000_000, outcome: outcome, problems: problems)))
            }
        }
        return entries
    }
}
