/// The think times that a user's threads wait for, so that these can be made to go on before their time.
final class PendingThinkTimes {
    private var threads: [Int: () -> Void] = [:]
    private var lastNumber = 0

    /// Takes in a thread that thinks.
    ///
    /// - Parameter goOn: Ends its thinking.
    /// - Returns: What to call when it thinks no more.
    func begin(_ goOn: @escaping () -> Void) -> () -> Void {
        self.lastNumber += 1
        let number = self.lastNumber
        self.threads[number] = goOn
        return { self.threads[number] = nil }
    }

    /// Lets all go on.
    func end() {
        let threads = self.threads.sorted { $0.key < $1.key }
        self.threads = [:]
        for (_, goOn) in threads { goOn() }
    }
}
