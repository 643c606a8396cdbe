/// The keys by which a client machine knows its timers, exchanges and connections: types of its own, whose values may
/// carry what a timer or an exchange is for.
///
/// A machine never sees the numbers and names by which a driver knows them; ``KeyedClientAdapter`` stands between.
public protocol MachineKeys: Sendable {
    /// The timers; the description is the name that a person reads among what is under way.
    associatedtype Timer: MachineTimer

    /// The exchanges. Two that are under way at once must differ.
    associatedtype Exchange: Hashable & Sendable

    /// The connections. Two that are open at once must differ.
    associatedtype Connection: Hashable & Sendable
}

/// A timer of a machine. Different timers have different descriptions.
public typealias MachineTimer = Hashable & Sendable & CustomStringConvertible
