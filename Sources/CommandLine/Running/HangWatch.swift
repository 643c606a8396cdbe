import Scenario

#if canImport(Glibc)
    import Glibc
#endif

/// Ends the process where it hangs, after its command has said what it still can.
final class HangWatch: Sendable {
    private let number: Int

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - writeError: Writes to standard error.
    ///   - action: Called once, on a thread of its own while others hang; returns how the process ends.
    init(writeError: @escaping @Sendable (String) -> Void, _ action: @escaping @Sendable (String) -> ExitStatus) {
        self.number = Watchdog.shared.onHang { text in
            writeError("error: \(text)\n")
            _exit(action(text).rawValue)
        }
    }

    /// Watches for this command no longer.
    func stop() { Watchdog.shared.forget(self.number) }
}
