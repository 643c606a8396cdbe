import Load
import Metrics
import RunRecord
import Scenario

/// What `repartee load` refuses to play although each part of it can be read: what does not go together.
enum LoadChecks {
    static func check(leader: Int?, of shard: Shard) throws(ScriptProblem) {
        guard let leader, !(1...shard.count).contains(leader) else { return }
        throw ScriptProblem(
            "--rendezvous-leader \(leader) is none of the shards; name one from 1 to \(shard.count)",
            isUsage: true)
    }

    /// Checks that the texts of so many users can be accounted for.
    static func checkAccount(of plan: LoadPlan) throws(ScriptProblem) {
        guard plan.userCount > LoadSettings.mostAccountedUsers else { return }
        throw ScriptProblem(
            "the run has \(plan.userCount) users, and the texts of \(LoadSettings.mostAccountedUsers) at most can be "
                + "accounted for; play fewer, or leave texts as they are: --no-ledger")
    }

    /// Refuses thresholds on what nothing in the run can produce.
    ///
    /// - Parameter count: How many of them, the last ones, stand on the command line.
    static func check(
        _ thresholds: [Threshold], ofOptions count: Int, _ sources: MetricSources, roles: [String]
    ) throws(ScriptProblem) {
        let ofFile = Self.problems(of: thresholds.dropLast(count), sources, roles: roles)
        let problems = ofFile + Self.problems(of: thresholds.suffix(count), sources, roles: roles)
        guard problems.isEmpty else {
            throw ScriptProblem(problems.joined(separator: "\n"), isUsage: ofFile.isEmpty)
        }
    }

    private static func problems(
        of thresholds: ArraySlice<Threshold>, _ sources: MetricSources, roles: [String]
    ) -> [String] {
        thresholds.compactMap { threshold -> String? in
            if let obstacle = BuiltInMetric(rawValue: threshold.metric)?.obstacle(to: threshold.tags, roles: roles) {
                return "the threshold \(threshold.text) would never have samples: \(obstacle)"
            }
            return sources.missingSource(of: threshold.metric).map { source in
                "the threshold \(threshold.text) would never have samples: nothing in this run can produce "
                    + "\(threshold.metric). What would is \(source)"
            }
        }
    }

    /// Checks that there is a scenario for every user, and that none of these passes by failing.
    ///
    /// - Parameters:
    ///   - plan: Who plays what.
    ///   - suite: The scenarios that the command line leaves: those of a line, where it names one.
    ///   - whole: All scenarios of the file.
    /// - Throws: ``ScriptProblem`` with all that is wrong.
    static func check(_ plan: LoadPlan, _ suite: ScenarioSuite, of whole: ScenarioSuite) throws(ScriptProblem) {
        let titles = suite.members.map(\.definition.title)
        let known = titles.map { "\"\($0)\"" }.joined(separator: ", ")
        var problems: [String] = []
        for workload in plan.shape.workloads {
            let wanted =
                workload.roles.isEmpty ? [workload.scenario] : workload.roles.map { $0.scenario ?? workload.scenario }
            for name in wanted {
                if let name, !titles.contains(name) {
                    let isElsewhere = whole.members.contains { $0.definition.title == name }
                    problems.append(
                        "the workload \"\(workload.name)\" plays \"\(name)\", "
                            + (isElsewhere
                                ? "and the line behind the file names \(known); leave one of the two out"
                                : "which the file does not declare; it has \(known)"))
                }
                if name == nil, titles.count > 1 {
                    let first = suite.members[0].definition
                    // A line alone names all that are declared in it, such as the rows of one scenario.
                    let inLine = suite.members.count {
                        $0.definition.line == first.line && $0.definition.file == first.file
                    }
                    problems.append(
                        "the file has \(titles.count) scenarios; say which one the workload \"\(workload.name)\" "
                            + "plays, by scenario = \"\(titles[0])\" in it or by the line: "
                            + "repartee load \(first.file):\(first.line)\(inLine > 1 ? "#1" : "")")
                }
                let played = suite.members.first { $0.definition.title == name ?? titles[0] }?.definition
                if let played, let reason = played.expectedFailure, name != nil || titles.count == 1 {
                    let problem =
                        "the scenario \"\(played.title)\" declares that it fails (\(reason)): users would pass by "
                        + "failing, and all figures be those of failures; take expected_failure out of its options"
                    if !problems.contains(problem) { problems.append(problem) }
                }
            }
        }
        guard problems.isEmpty else { throw ScriptProblem(problems.joined(separator: "\n")) }
    }
}
