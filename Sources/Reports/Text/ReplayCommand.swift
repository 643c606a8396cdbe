public import RunRecord

/// The one command that plays a scenario again as it was played.
public enum ReplayCommand {
    /// Returns the command for a POSIX shell.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to play.
    ///   - run: The run that played it.
    public static func text(for scenario: ScenarioStart, in run: RunStart) -> String {
        let seed = scenario.replaySeed(in: run)
        var words = ["repartee", "test", scenario.file, "--filter", scenario.declaredName, "--seed", "\(seed)"]
        if run.target != "embedded" { words += ["--target", run.target] }
        if run.clock == .real { words += ["--clock", "real"] }
        return words.map(Self.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", "=", "@", "%", "+", ",": true
            default: false
            }
        }
        if isPlain, !word.isEmpty { return word }
        let inner = word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        return "'\(VisibleText.line(inner))'"
    }
}

extension ScenarioStart {
    /// The seed with which `repartee test` plays the attempt again as its first, or its own if the run is not known.
    func replaySeed(in run: RunStart?) -> UInt64 {
        run?.seed(repetition: self.repetition ?? 1, attempt: self.attempt) ?? self.seed
    }
}
