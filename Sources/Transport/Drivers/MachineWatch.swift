public import Machines

/// Who watches that a machine of a client does not go in circles while time stands still.
public struct MachineWatch {
    /// Called with each timer that fires, before the machine hears of it; it may close the driver.
    public var onTimer: (TimerName) -> Void

    /// Called whenever the machine answers what came over the network by sending something itself, before that is
    /// sent; it may close the driver.
    public var onAnswer: () -> Void

    /// Creates a watch.
    public init(onTimer: @escaping (TimerName) -> Void = { _ in }, onAnswer: @escaping () -> Void = {}) {
        self.onTimer = onTimer
        self.onAnswer = onAnswer
    }
}
