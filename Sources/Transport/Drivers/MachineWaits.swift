import JSON
import Machines

/// What a machine waits for besides its peers: its timers, and the functions of the script that it has called.
struct MachineWaits {
    /// The timers that run.
    var timers = DriverTimers()

    /// The calls that the script has not come back from.
    private var calls: [ScriptCallID] = []

    /// Starts a function of the script. Let go by ``end(on:)``, so that it may hold who owns the driver.
    private(set) var call: (ScriptCallID, ScriptFunction, [JSONValue]) -> Void

    /// Creates what waits for nothing.
    init(callingScriptBy call: @escaping (ScriptCallID, ScriptFunction, [JSONValue]) -> Void) { self.call = call }

    /// Whether nothing is waited for.
    var isEmpty: Bool { self.timers.isEmpty && self.calls.isEmpty }

    /// Takes in that a function is called.
    mutating func called(_ id: ScriptCallID) { self.calls.append(id) }

    /// Takes in that a function came back; false if nobody waits for it.
    mutating func takeReturned(_ id: ScriptCallID) -> Bool {
        guard let index = self.calls.firstIndex(of: id) else { return false }
        self.calls.remove(at: index)
        return true
    }

    /// Waits for nothing any more.
    mutating func end(on scheduler: any Scheduler) {
        self.timers.cancelAll(on: scheduler)
        self.calls = []
        self.call = { _, _, _ in }
    }
}

extension MachineDriver {
    /// Sets or replaces a timer of the machine.
    func setTimer(_ name: TimerName, after delay: Duration) {
        self.waits.timers.set(name, after: delay, on: self.scheduler) { number in
            guard self.waits.timers.takeFired(name, number) else { return }
            self.onTimer(name)
            self.feed(.timerFired(name))
        }
    }

    /// Forgets a timer of the machine, and that it has fired if the machine has not heard of that.
    func cancelTimer(_ name: TimerName) {
        self.waits.timers.cancel(name, on: self.scheduler)
        self.backlog.inputs.removeAll { $0 == .timerFired(name) }
    }

    /// Calls a function of the script for the machine.
    func callScript(_ id: ScriptCallID, _ function: ScriptFunction, _ arguments: [JSONValue]) {
        self.waits.called(id)
        self.waits.call(id, function, arguments)
    }

    /// Gives the machine what a function came back with; a call that nobody waits for is ignored.
    func takeReturned(_ id: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>) {
        if self.waits.takeReturned(id) { self.feed(.scriptReturned(id, result)) }
    }
}
