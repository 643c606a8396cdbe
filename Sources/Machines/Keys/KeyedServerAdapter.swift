public import JSON

/// Carries a simulated server with timers of its own for a driver, which knows names.
///
/// A timer that was forgotten is dropped here. It is inlinable, and made for its machine, for the same reason as
/// ``KeyedClientAdapter``.
public struct KeyedServerAdapter<Machine: ServerMachine>: ServerMachine {
    @usableFromInline let handling: @Sendable (inout Self, ServerInput, inout ServerStep) -> Void
    @usableFromInline let performing: @Sendable (inout Self, Command, String?, inout ServerStep) -> CommandOutcome
    @usableFromInline var carried: Machine
    @usableFromInline var timers = TimerNames<Machine.Timer>()

    /// Carries a machine.
    @inlinable
    public init(_ machine: Machine) {
        self.carried = machine
        self.handling = { adapter, input, step in
            guard let input = adapter.keyed(input) else { return }
            var own = Machine.Step(now: step.now, random: step.random)
            adapter.carried.handle(input, in: &own)
            adapter.take(&own, into: &step)
        }
        self.performing = { adapter, command, party, step in
            let action: Machine.Action
            do throws(CommandError) {
                action = try Machine.commands(of: party).decode(command)
            } catch {
                return .refused(error.message)
            }
            var own = Machine.Step(now: step.now, random: step.random)
            let outcome = adapter.carried.perform(action, by: party, in: &own)
            adapter.take(&own, into: &step)
            return outcome
        }
    }

    /// The machine.
    @inlinable public var machine: Machine { self.carried }

    @inlinable public var properties: JSONObject { self.carried.properties }
    @inlinable public var target: JSONObject? { self.carried.target }
    @inlinable public var faultOrders: FaultOrders { self.carried.faultOrders }

    public mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        self.handling(&self, input, &step)
    }

    public mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        self.performing(&self, command, party, &step)
    }

    @inlinable
    mutating func keyed(_ input: ServerInput) -> Machine.Input? {
        switch input {
        case .requested(let id, let request): .requested(id, request)
        case .upgradeRequested(let id, let request): .upgradeRequested(id, request)
        case .linkOpened(let id): .linkOpened(id)
        case .requestAbandoned(let id): .requestAbandoned(id)
        case .received(let id, let message): .received(id, message)
        case .closed(let id, let closure): .closed(id, closure)
        case .timerFired(let name): self.timers.fire(name).map { .timerFired($0) }
        case .scriptReturned(let call, let result): .scriptReturned(call, result)
        }
    }

    /// Passes on what the machine asks for, with the driver's names of its timers.
    @inlinable
    mutating func take(_ own: inout Machine.Step, into step: inout ServerStep) {
        step.random = own.random
        own.takeEffects { effect in
            switch effect {
            case .respond(let id, let response): step.ask(.respond(id, response))
            case .begin(let id, let head): step.ask(.begin(id, head))
            case .write(let id, let bytes): step.ask(.write(id, bytes))
            case .end(let id): step.ask(.end(id))
            case .drop(let id): step.ask(.drop(id))
            case .accept(let id, let subprotocol, let compression):
                step.ask(.accept(id, subprotocol: subprotocol, compression: compression))
            case .refuse(let id, let response): step.ask(.refuse(id, response))
            case .transmit(let id, let message): step.ask(.transmit(id, message))
            case .transmitBytes(let id, let bytes): step.ask(.transmitBytes(id, bytes))
            case .close(let id, let code, let reason): step.ask(.close(id, code: code, reason: reason))
            case .abort(let id): step.ask(.abort(id))
            case .encrypt(let id, let hasMore): step.ask(.encrypt(id, hasMore: hasMore))
            case .setTimer(let timer, let delay): step.ask(.setTimer(self.timers.set(timer), delay))
            case .cancelTimer(let timer): step.ask(.cancelTimer(self.timers.cancel(timer)))
            case .callScript(let call, let function, let arguments):
                step.ask(.callScript(call, function, arguments))
            case .emit(let party, let event): step.ask(.emit(party: party, event))
            }
        }
    }
}
