import DequeModule
import Machines

/// A driver that carries a machine: what happens goes into it, the effects it asks for are performed in order, and only
/// then comes what happened meanwhile.
///
/// What is done to the machine from within an effect, such as a command out of `emit`, is taken at once, because the
/// machine is at rest then; its effects follow those that are being performed.
protocol MachineDriver: AnyObject {
    associatedtype Input: MachineInput
    associatedtype Effect: Sendable

    /// What came while effects are performed.
    var backlog: StepBacklog<Input, Effect> { get set }

    /// The randomness of the machine.
    var random: RandomSource { get set }

    /// What the machine waits for besides its peers.
    var waits: MachineWaits { get set }

    /// The time and the timers.
    var scheduler: any Scheduler { get }

    /// Called with each timer that fires, before the machine hears of it; it may close the driver.
    var onTimer: (TimerName) -> Void { get }

    /// Whether the machine hears nothing more.
    var isClosed: Bool { get }

    /// Takes note of what happened outside, before the machine hears of it.
    func note(_ input: Input)

    /// Lets the machine take in what happened.
    func handle(_ input: Input) -> MachineStep<Effect>

    /// Does what the machine asks for.
    func perform(_ effect: Effect)

    /// Takes note that the machine is at rest: it has taken in what came, and all that it asked for was done.
    func rested()
}

extension MachineDriver {
    func note(_ input: Input) {}

    /// Takes in what happened outside, now or after the effects that are being performed.
    func feed(_ input: Input) {
        guard !self.isClosed else { return }
        self.note(input)
        guard !self.backlog.isPerforming else {
            self.backlog.inputs.append(input)
            return
        }
        var step = self.handle(input)
        self.settle(&step)
    }

    /// Performs what a step asks for, and what comes of that, until the machine is at rest.
    func settle(_ step: inout MachineStep<Effect>) {
        self.random = step.random
        guard !self.backlog.isPerforming else {
            step.takeEffects { self.backlog.effects.append($0) }
            return
        }
        self.backlog.isPerforming = true
        while true {
            step.takeEffects { effect in
                if !self.isClosed { self.perform(effect) }
            }
            while !self.backlog.effects.isEmpty {
                let effects = self.backlog.effects
                self.backlog.effects = []
                for effect in effects where !self.isClosed { self.perform(effect) }
            }
            guard !self.backlog.inputs.isEmpty else { break }
            step = self.handle(self.backlog.inputs.removeFirst())
            self.random = step.random
        }
        self.backlog.isPerforming = false
        self.rested()
    }
}
