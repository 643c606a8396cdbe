/// The texts that commands of a system in Lua are about to send, for load tests: a command that fails may not have sent
/// its text, which is not lost then.
struct TextsUnderWay {
    /// What takes back each of them.
    private var takeBacks: [Int64: () -> Void] = [:]

    /// The number of the latest.
    private var last: Int64 = 0

    /// Whether the function of the latest has not begun.
    private var isNew = false

    /// Adds the text of a command whose function is about to run.
    mutating func begin(_ takeBack: @escaping () -> Void) {
        self.last += 1
        self.takeBacks[self.last] = takeBack
        self.isNew = true
    }

    /// Returns the number of the text whose function runs now; nil if the command has sent none that is counted.
    mutating func take() -> Int64? {
        defer { self.isNew = false }
        return self.isNew ? self.last : nil
    }

    /// Forgets a text whose command has ended.
    ///
    /// - Returns: What takes the text back.
    mutating func end(_ number: Int64) -> (() -> Void)? { self.takeBacks.removeValue(forKey: number) }
}
