import LuaRuntime
import Transport

/// The threads of a script that wait until something happens to a client or a server in Lua, by what they wait for.
final class NamedWaits {
    private var waits: [String: [(number: Int, resume: (Result<LuaValue, HostError>) -> Void)]] = [:]
    private var count = 0

    /// Lets a thread wait.
    ///
    /// - Returns: What takes the wait back.
    func wait(for name: String, _ resume: @escaping (Result<LuaValue, HostError>) -> Void) -> () -> Void {
        self.count += 1
        let number = self.count
        self.waits[name, default: []].append((number, resume))
        return {
            self.waits[name]?.removeAll { $0.number == number }
            if self.waits[name]?.isEmpty == true { self.waits[name] = nil }
        }
    }

    /// Lets a thread wait for some time; it is given false once that is over.
    ///
    /// - Parameter limit: How long; nil for as long as it takes.
    /// - Returns: What takes the wait back.
    func wait(
        for name: String, within limit: Duration?, on worker: Worker,
        _ resume: @escaping (Result<LuaValue, HostError>) -> Void
    ) -> () -> Void {
        guard let limit else { return self.wait(for: name, resume) }
        var timer: ScheduledID?
        let forget = self.wait(for: name) { result in
            // Until it is due, a timer holds all that its wait holds.
            if let timer { worker.cancel(timer) }
            resume(result)
        }
        timer = worker.schedule(after: limit) {
            forget()
            resume(.success(.boolean(false)))
        }
        return {
            if let timer { worker.cancel(timer) }
            forget()
        }
    }

    /// Lets those go on who wait for something.
    ///
    /// - Returns: How many did.
    func wake(_ name: String, with value: LuaValue) -> Int {
        let waiting = self.waits.removeValue(forKey: name) ?? []
        for wait in waiting { wait.resume(.success(value)) }
        return waiting.count
    }

    /// Forgets all that wait.
    func forget() { self.waits = [:] }
}
