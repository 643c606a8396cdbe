/// Which name of a driver stands for which timer of a machine.
@usableFromInline
struct TimerNames<Timer: MachineTimer>: Sendable {
    @usableFromInline var timers: [TimerName: Timer] = [:]

    @inlinable
    init() {}

    /// Returns the name of a timer that is set.
    @inlinable
    mutating func set(_ timer: Timer) -> TimerName {
        let name = TimerName(timer.description)
        self.timers[name] = timer
        return name
    }

    /// Returns the name of a timer that is forgotten.
    @inlinable
    mutating func cancel(_ timer: Timer) -> TimerName {
        let name = TimerName(timer.description)
        self.timers[name] = nil
        return name
    }

    /// Takes out a timer that has run out; nil if it was forgotten meanwhile.
    @inlinable
    mutating func fire(_ name: TimerName) -> Timer? {
        self.timers.removeValue(forKey: name)
    }
}
