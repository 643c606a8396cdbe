import Machines

/// One direction of a connection with faults: what goes in comes out later, in pieces, damaged or not at all.
struct FaultyLane {
    /// One thing on its way.
    enum Item {
        case bytes([UInt8])
        case end
        case closed(TransportFailure?)
        /// The plan's limit is reached; the connection is dropped.
        case drop(after: Int)
    }

    private let faults: FaultPlan.Direction
    private var passed = 0
    private var lastArrival = Instant.start
    private var isDropped = false

    /// Creates a direction.
    init(_ faults: FaultPlan.Direction) { self.faults = faults }

    /// Decides what becomes of bytes.
    ///
    /// - Returns: The pieces with the delay of each, in order.
    mutating func carry(
        _ bytes: [UInt8], now: Instant, random: inout RandomSource
    ) -> [(delay: Duration, item: Item)] {
        guard !self.isDropped else { return [] }
        var rest = bytes[...]
        if let limit = self.faults.stallAfter { rest = rest.prefix(max(0, limit - self.passed)) }
        var drop: Int?
        if let limit = self.faults.dropAfter, self.passed + rest.count >= limit {
            rest = rest.prefix(max(0, limit - self.passed))
            drop = limit
        }
        self.passed += rest.count
        var items: [(delay: Duration, item: Item)] = []
        var pace = Duration.zero
        while !rest.isEmpty {
            let length = self.faults.longestPiece.map { Int.random(in: 1...max(1, $0), using: &random) } ?? rest.count
            var piece = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            self.damage(&piece, random: &random)
            items.append((self.delay(pace, now, &random), .bytes(piece)))
            pace += self.faults.pace
        }
        if let drop {
            self.isDropped = true
            items.append((self.delay(.zero, now, &random), .drop(after: drop)))
        }
        return items
    }

    /// Decides what becomes of an end; nil if it is swallowed.
    mutating func carry(_ item: Item, now: Instant, random: inout RandomSource) -> Duration? {
        if let limit = self.faults.stallAfter, self.passed >= limit { return nil }
        return self.delay(.zero, now, &random)
    }

    private func damage(_ piece: inout [UInt8], random: inout RandomSource) {
        guard self.faults.corruption > 0, Double.random(in: 0..<1, using: &random) < self.faults.corruption else {
            return
        }
        let place = Int.random(in: 0..<piece.count, using: &random)
        piece[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    /// The delay of the next thing; nothing overtakes what went before.
    private mutating func delay(_ more: Duration, _ now: Instant, _ random: inout RandomSource) -> Duration {
        var delay = self.faults.delay + more
        if self.faults.jitter > .zero {
            delay += .nanoseconds(Int64.random(in: 0...self.faults.jitter.clampedNanoseconds, using: &random))
        }
        self.lastArrival = max(self.lastArrival, now + delay)
        return self.lastArrival - now
    }
}
