public import RunRecord

extension ReplayCommand {
    /// Returns the command that plays a scenario with one fault again.
    public static func text(for cell: FaultCell, of scenario: FaultedScenario, seed: UInt64) -> String {
        let played = ScenarioStart.Asker(file: scenario.file, name: scenario.title, choice: scenario.choice)
        return Self.text(
            ["repartee", "test"] + Self.words(choosing: played) + ["--seed", "\(seed)", "--fault", "\(cell.fault)"])
    }
}
