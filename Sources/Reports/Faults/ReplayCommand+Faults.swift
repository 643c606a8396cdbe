public import RunRecord

extension ReplayCommand {
    /// Returns the command that plays a scenario with one fault again.
    public static func text(for cell: FaultCell, of scenario: FaultedScenario, seed: UInt64) -> String {
        Self.text(playing: scenario.title, of: scenario.file, cell.fault, seed)
    }

    /// Returns the command that plays a scenario with a fault.
    public static func text(playing title: String, of file: String, _ fault: FaultName, _ seed: UInt64) -> String {
        Self.text(
            ["repartee", "test", file] + Self.filter(title) + ["--seed", "\(seed)", "--fault", "\(fault)"])
    }
}
