import Machines
import Scenario

/// What people are to know of a plan of `repartee test` before it is played, or of one that plays nothing.
enum PlanNotes {
    /// Says how many scenarios are left out because others want to be played alone; nil if none does.
    static func noteOfOnly(_ suite: ScenarioSuite, _ alone: ScenarioSuite) -> String? {
        guard let first = suite.members.map(\.definition).first(where: \.isOnly) else { return nil }
        let leftOut = suite.members.count - alone.members.count
        guard leftOut > 0 else { return nil }
        return "\(leftOut) \(leftOut == 1 ? "scenario is" : "scenarios are") left out, for \(first.file):\(first.line) "
            + "says only = true; --forbid-only refuses that"
    }

    /// Says how many scenarios turn to the server of a target at the same time, for one that has a single queue mixes
    /// them up; nil if it is one, or if each has a server of its own.
    static func noteOfWorkers(
        _ workers: Int, of suite: ScenarioSuite, at destination: ExecutionSettings.Destination
    ) -> String? {
        guard case .named(_, let target) = destination, target.control == nil else { return nil }
        let count = min(workers, suite.members.count)
        guard count > 1 else { return nil }
        return "\(count) scenarios play at once; for a server that takes one at a time there is --workers 1, or "
            + "workers = 1 of the target in repartee.lua"
    }

    /// Says which links to folders of scripts are not followed; nil if there is none.
    static func noteOfLinks(_ links: [String]) -> String? {
        guard let first = links.first else { return nil }
        return links.count == 1
            ? "\(first) is a link to a folder and not followed; name it to play what is in it"
            : "\(first) and \(links.count - 1) more are links to folders and not followed; name them to play what is in them"
    }

    /// Says which files of folders have almost the name of a script; nil if there is none.
    static func noteOfMisspelt(_ files: [String]) -> String? {
        guard let first = files.first else { return nil }
        let others = files.count == 1 ? "" : " and \(files.count - 1) more"
        return "\(first)\(others) must end in .lua, in small letters, to be played; rename "
            + (files.count == 1 ? "it" : "them")
    }

    /// Says which files of folders declare no scenario and are required by none that does; nil if there is none.
    static func noteOfIdleFiles(_ files: [String]) -> String? {
        guard let first = files.first else { return nil }
        return files.count == 1
            ? "\(first) declares no scenario, and no file that does requires it"
            : "\(first) and \(files.count - 1) more declare no scenario, and no file that does requires them"
    }

    /// Says that there is no scenario at all; nil if there is one.
    static func noneDeclared(
        in paths: [String], _ files: [ScriptFile], _ all: ScenarioSuite, misspelt: [String]
    ) -> String? {
        let place = paths.joined(separator: ", ")
        guard !files.isEmpty else {
            return "there is no scenario file (*.lua) in \(place)"
                + (Self.noteOfMisspelt(misspelt).map { "; \($0)" } ?? "")
        }
        guard all.members.isEmpty else { return nil }
        return "no file in \(place) declares a scenario; write scenario(\"name\", function(t) … end)"
    }

    /// Says why none of the scenarios is played.
    ///
    /// - Parameters:
    ///   - isLastFailed: Whether those that failed were asked for.
    ///   - anyFailed: Whether one did.
    static func noneChosen(
        of all: ScenarioSuite, _ alone: ScenarioSuite, _ selection: ScenarioSelection, isLastFailed: Bool,
        anyFailed: Bool
    ) -> String {
        let choices = [("--filter", selection.filters.isEmpty), ("--tag", selection.tags.isEmpty)]
            .filter { !$0.1 }.map(\.0).joined(separator: " and ")
        let reason =
            isLastFailed && !anyFailed
            ? "none of \(all.members.count) scenarios failed the last time it was played"
            : selection.changedFiles != nil
                ? "none of \(all.members.count) scenarios is made from a file that changed, or read one, and fits the other "
                    + "options"
                : "none of \(alone.members.count) scenarios"
                    + (Self.noteOfOnly(all, alone) == nil ? "" : ", others being left out by only = true,")
                    + (choices.isEmpty ? "" : " fits \(choices)")
                    + (choices.isEmpty || !isLastFailed ? "" : " and")
                    + (isLastFailed ? " failed the last time it was played" : choices.isEmpty ? " is left" : "")
        return reason + "; --list shows them all"
    }
}
