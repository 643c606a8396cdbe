import Machines
import Metrics
import Scenario

/// The earlier run that a run is compared with, and whether the two can be compared.
struct ComparedBaseline {
    private let identity: RunIdentity
    private let name: String

    /// - Parameter name: What the command line calls it.
    init(_ totals: LoadTotals, name: String) {
        self.identity = totals.identity
        self.name = name
    }

    /// Refuses thresholds that compare with a baseline where none is given: hours later nothing could be said of them.
    ///
    /// - Parameter thresholds: What must hold of the run.
    static func checkNone(for thresholds: [Threshold]) throws(ScriptProblem) {
        guard let threshold = thresholds.first(where: \.isAgainstBaseline) else { return }
        throw ScriptProblem(
            "\(threshold.text): there is no run to compare with; name the result of an earlier one, as in --baseline "
                + "before/load.json, and leave out this threshold in the run that is to be the baseline", isUsage: true)
    }

    /// Refuses a baseline with which nothing is compared, or whose figures mean something else.
    ///
    /// - Parameters:
    ///   - thresholds: What must hold of the run.
    ///   - isVirtual: Whether the run is played in virtual time.
    func check(_ thresholds: [Threshold], isVirtual: Bool) throws(ScriptProblem) {
        guard thresholds.contains(where: \.isAgainstBaseline) else {
            throw ScriptProblem(
                "--baseline \(self.name): no threshold of the run compares with it; let one do so, such as --threshold "
                    + "'p95(iteration) vs baseline < +5%' of `repartee load`, or leave out --baseline", isUsage: true)
        }
        guard self.identity.isVirtual == isVirtual else {
            let clock = { (isVirtual: Bool) in isVirtual ? "virtual time" : "real time" }
            throw ScriptProblem(
                "--baseline \(self.name): that run was in \(clock(self.identity.isVirtual)), and this one is in "
                    + "\(clock(isVirtual)), so that their times have nothing in common; compare with one in "
                    + clock(isVirtual), isUsage: true)
        }
    }

    /// What people should know of it where it is of another file than the one that is played; nil if it is of the same.
    ///
    /// - Parameter file: The file that is played, as the command line names it.
    func note(playing file: String) -> String? {
        guard Self.fileName(self.identity.title) != Self.fileName(file) else { return nil }
        return
            "the baseline \(self.name) is of \(self.identity.title), and this run plays \(file): what is compared may "
            + "be two scenarios"
    }

    /// The last part of a path, without the line that chooses a scenario.
    private static func fileName(_ title: String) -> Substring {
        let name = title.split(separator: "/").last ?? ""
        return name.firstRange(of: ".lua:").map { name[..<$0.lowerBound] + ".lua" } ?? name
    }
}
