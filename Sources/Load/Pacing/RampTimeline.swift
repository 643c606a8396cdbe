import Machines

/// The instants at which the users of a ramp come and go, each by a formula of its own.
///
/// In a leg from a to b users, user number a + i (from zero) comes when the line reaches a + i + 1; on the way down,
/// the user with the highest number goes when the line reaches the whole number below it. A shard asks for its own
/// users only, and finds for each the instant that one process playing all of them would find.
struct RampTimeline: Sendable {
    struct Change: Hashable, Sendable {
        /// The place of the user among the shard's own.
        let slot: Int
        /// Whether the user comes; otherwise it goes.
        let comes: Bool
        let at: Instant
    }

    private struct Leg: Sendable {
        let start: Instant
        let nanoseconds: Int64
        let from: Int
        let to: Int
    }

    private let legs: [Leg]
    private let members: [Int]
    private var leg = 0
    /// How many changes of the leg were taken.
    private var taken = 0

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - origin: The start of the workload.
    ///   - start: How many users there are at once.
    ///   - stages: How their number goes on.
    ///   - members: The shard's own members in rising order.
    init(origin: Instant, start: Int, stages: [Stage<Int>], members: [Int]) {
        var legs = [Leg(start: origin, nanoseconds: 0, from: 0, to: start)]
        var time = origin
        var users = start
        for stage in stages {
            legs.append(Leg(start: time, nanoseconds: stage.duration.clampedNanoseconds, from: users, to: stage.target))
            time = time + stage.duration
            users = stage.target
        }
        self.legs = legs
        self.members = members
    }

    /// The next change, which stays the next one until ``take()``.
    var next: Change? {
        mutating get {
            while self.leg < self.legs.count {
                let leg = self.legs[self.leg]
                let low = self.firstSlot(atLeast: min(leg.from, leg.to))
                let high = self.firstSlot(atLeast: max(leg.from, leg.to))
                if self.taken < high - low {
                    let comes = leg.to > leg.from
                    let slot = comes ? low + self.taken : high - 1 - self.taken
                    let steps = comes ? self.members[slot] - leg.from + 1 : leg.from - self.members[slot]
                    let product = leg.nanoseconds.multipliedFullWidth(by: Int64(steps))
                    let offset = Int64(abs(leg.to - leg.from)).dividingFullWidth(product).quotient
                    return Change(slot: slot, comes: comes, at: leg.start + .nanoseconds(offset))
                }
                self.leg += 1
                self.taken = 0
            }
            return nil
        }
    }

    /// Passes over the next change.
    mutating func take() { self.taken += 1 }

    /// The first place whose member is not below a number.
    private func firstSlot(atLeast member: Int) -> Int { self.members.partitioningIndex { $0 >= member } }
}
