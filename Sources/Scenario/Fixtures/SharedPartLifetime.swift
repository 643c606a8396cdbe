/// Until when what the scenarios of a file share is kept in real time: until the last of them has ended.
struct SharedPartLifetime: Sendable {
    /// How many scenarios of each file are still to end.
    private var left: [String: Int] = [:]

    /// - Parameter files: The file of each scenario that is played.
    init(files: some Sequence<String>) {
        for file in files { self.left[file, default: 0] += 1 }
    }

    /// Takes the end of a scenario, or of the last try at it.
    ///
    /// - Returns: Its file, if no scenario of that is left.
    mutating func scenarioEnded(of file: String) -> String? {
        guard let count = self.left[file], count > 0 else { return nil }
        self.left[file] = count - 1
        return count == 1 ? file : nil
    }
}
