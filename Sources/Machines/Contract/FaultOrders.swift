/// The faults that a script has ordered for what comes next, such as the next answers of a method, and which of them
/// have struck nothing so far.
///
/// What goes on until it is ended, such as a latency, is no order: that it has no effect is nothing unusual.
public struct FaultOrders: Hashable, Sendable {
    /// How many were ordered; the last one has this number.
    public private(set) var count = 0

    /// The numbers of those that are still to come and have struck nothing.
    public private(set) var idle: Set<Int> = []

    /// Creates an account without orders.
    public init() {}

    /// Counts an order.
    ///
    /// - Returns: Its number, from 1 on.
    public mutating func add() -> Int {
        self.count += 1
        self.idle.insert(self.count)
        return self.count
    }

    /// Notes that an order has struck something.
    public mutating func struck(_ number: Int) { self.idle.remove(number) }

    /// Notes that the script has taken back what is left of its orders.
    public mutating func takenBack() { self.idle = [] }
}
