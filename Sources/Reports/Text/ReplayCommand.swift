public import RunRecord

/// The one command that plays a scenario again as it was played.
public enum ReplayCommand {
    /// Returns the command for a POSIX shell.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to play; for something shared, the one that asked for it is played, or its whole
    ///     file.
    ///   - run: The run that played it.
    public static func text(for scenario: ScenarioStart, in run: RunStart) -> String {
        if let replay = run.replay { return VisibleText.line(replay) }
        let seed = scenario.replaySeed(in: run)
        let played =
            scenario.askedBy
            ?? .init(file: scenario.file, name: scenario.declaredName, choice: scenario.choice)
        var words = ["repartee", "test"] + Self.words(choosing: played) + ["--seed", "\(seed)"]
        if scenario.isTry || scenario.hasOwnRetries { words.append("--one-try") }
        if let fault = run.fault { words += ["--fault", fault] }
        if run.target != "embedded" { words += ["--target", run.target] }
        if run.clock == .real { words += ["--clock", "real"] }
        return Self.text(words)
    }

    /// The words that choose a scenario, or all of its file.
    static func words(choosing played: ScenarioStart.Asker) -> [String] {
        guard let choice = played.choice else {
            return [played.file] + (played.name.isEmpty ? [] : Self.filter(played.name))
        }
        let place = "\(played.file):\(choice.line)" + (choice.number.map { "#\($0)" } ?? "")
        return [place] + (choice.filter.map(Self.filter) ?? [])
    }

    /// The words that choose the scenarios whose titles contain a text, also one that looks like an option.
    private static func filter(_ text: String) -> [String] {
        text.hasPrefix("-") ? ["--filter=\(text)"] : ["--filter", text]
    }

    /// Returns a command of words for a POSIX shell.
    public static func text(_ words: [String]) -> String { words.map(Self.quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(Self.isPlain) { return word }
        // Byte by byte: with a combining mark behind it a quote is another character here, and a quote to a shell.
        let inner = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false).map(Substring.init)
            .joined(separator: #"'\''"#)
        return "'\(VisibleText.line(inner))'"
    }

    /// Whether a shell takes a byte as it is, wherever it stands in a word.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:=@%+,".utf8.contains(byte)
        }
    }
}

extension ScenarioStart {
    /// The seed with which `repartee test` plays the attempt again as its first, or its own if the run is not known.
    func replaySeed(in run: RunStart?) -> UInt64 {
        run?.seed(repetition: self.repetition ?? 1, attempt: self.attempt) ?? self.seed
    }
}
