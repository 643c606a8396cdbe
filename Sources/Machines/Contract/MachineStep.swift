/// The time and the randomness of one step of a machine, and the effects it asks for, in order.
///
/// Nearly every step of a conversation asks for one effect or none, which needs no memory of its own here: a driver
/// takes two steps for every message.
public struct MachineStep<Effect: Sendable>: Sendable {
    @usableFromInline
    enum Asked: Sendable {
        case nothing
        case one(Effect)
        case more([Effect])
    }

    /// The instant of the input or command.
    public let now: Instant

    /// The machine's own randomness.
    public var random: RandomSource

    @usableFromInline var asked = Asked.nothing

    /// Creates a step.
    @inlinable
    public init(now: Instant, random: RandomSource) {
        self.now = now
        self.random = random
    }

    /// What the machine wants done, in order.
    @inlinable public var effects: [Effect] {
        switch self.asked {
        case .nothing: []
        case .one(let effect): [effect]
        case .more(let effects): effects
        }
    }

    /// Asks for an effect.
    @inlinable
    public mutating func ask(_ effect: Effect) {
        switch self.asked {
        case .nothing: self.asked = .one(effect)
        case .one(let first): self.asked = .more([first, effect])
        case .more(var effects):
            // The list is let go of first, so that it is not copied.
            self.asked = .nothing
            effects.append(effect)
            self.asked = .more(effects)
        }
    }

    /// Gives each effect to a closure, in order; the step has none any more then, so that they are moved, not copied.
    @inlinable
    public mutating func takeEffects(_ body: (Effect) -> Void) {
        let asked = self.asked
        self.asked = .nothing
        switch asked {
        case .nothing: break
        case .one(let effect): body(effect)
        case .more(let effects): for effect in effects { body(effect) }
        }
    }
}
