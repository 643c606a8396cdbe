import Machines

/// One direction of a connection with faults: what goes in comes out later, in pieces, damaged or not at all.
struct FaultyLane {
    /// One thing on its way.
    enum Item {
        case bytes([UInt8])
        /// The connection is dropped, for this reason.
        case drop(String)
    }

    private(set) var faults: FaultPlan.Direction

    /// Which of its limits in bytes were reached under these faults.
    private(set) var strikes: FaultStrikes = []

    private var passed = 0
    /// When the connection is open; nothing departs before.
    private let opening: Instant
    /// When the line is free for the next byte.
    private var freeFrom: Instant
    private var lastArrival: Instant
    private var isDropped = false

    /// What stands still, until the line moves again.
    private var held: [UInt8] = []
    /// Whether more came than a line holds, which can never arrive whole.
    private var isOverfull = false
    /// At most this many bytes are held: more than buffers of TCP are, and little enough for thousands of lines.
    private static let longestHeld = 1 << 20

    /// How many things are on their way.
    var inFlight = 0

    /// Creates a direction.
    ///
    /// - Parameter start: When the connection is open; nothing departs before.
    init(_ faults: FaultPlan.Direction, from start: Instant = .start) {
        self.faults = faults
        self.opening = start
        self.freeFrom = start
        self.lastArrival = start
    }

    /// Whether something stands still.
    var holdsBytes: Bool { !self.held.isEmpty }

    /// Whether what goes in may come out at once and as it is.
    var isClear: Bool { self.inFlight == 0 && !self.isDropped && self.faults == FaultPlan.Direction() }

    /// Has other faults from now on; limits in bytes count from here.
    ///
    /// - Returns: What stood still and departs now, under the new faults, as TCP sends again what nobody acknowledged.
    mutating func change(
        to faults: FaultPlan.Direction, now: Instant, random: inout RandomSource
    ) -> [(delay: Duration, item: Item)] {
        self.faults = faults
        self.strikes = []
        self.passed = 0
        guard !self.isOverfull || faults.stallAfter == 0 else {
            self.isDropped = true
            return [(.zero, .drop("more than \(Self.longestHeld) bytes were sent while it stood still"))]
        }
        guard !self.held.isEmpty else { return [] }
        let held = self.held
        self.held = []
        return self.carry(held, now: now, random: &random)
    }

    private mutating func hold(_ bytes: ArraySlice<UInt8>) {
        guard self.held.count + bytes.count <= Self.longestHeld else {
            self.isOverfull = true
            return
        }
        self.held.append(contentsOf: bytes)
    }

    /// Decides what becomes of bytes.
    ///
    /// - Returns: The pieces with the delay of each, in order.
    mutating func carry(
        _ bytes: [UInt8], now: Instant, random: inout RandomSource
    ) -> [(delay: Duration, item: Item)] {
        guard !self.isDropped else { return [] }
        var rest = bytes[...]
        if let limit = self.faults.stallAfter {
            let moving = rest.prefix(max(0, limit - self.passed))
            if moving.count < rest.count { self.strikes.insert(.stall) }
            self.hold(rest[moving.endIndex...])
            rest = moving
        }
        var drop: Int?
        if let limit = self.faults.dropAfter, self.passed + rest.count >= limit {
            rest = rest.prefix(max(0, limit - self.passed))
            drop = limit
            self.strikes.insert(.cut)
        }
        self.passed += rest.count
        var items: [(delay: Duration, item: Item)] = []
        var pace = Duration.zero
        while !rest.isEmpty {
            let isWhole = items.count >= Self.mostPieces
            let longest = isWhole ? nil : self.faults.longestPiece
            let length = longest.map { Int.random(in: 1...max(1, $0), using: &random) } ?? rest.count
            var piece = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            let (lateness, isLost) = self.lateness(of: piece.count, &random)
            if isLost {
                self.isDropped = true
                items.append(
                    (self.delay(pace + lateness, now, &random), .drop("what was sent was lost again and again")))
                return items
            }
            self.damage(&piece, random: &random)
            let transmission = self.transmission(of: piece.count, now)
            items.append((self.delay(pace + lateness + transmission, now, &random), .bytes(piece)))
            pace += self.faults.pace
        }
        if let drop {
            self.isDropped = true
            items.append(
                (self.delay(.zero, now, &random), .drop("the connection was dropped on purpose after \(drop) bytes")))
        }
        return items
    }

    /// Decides how late the end of the direction, or of the connection, arrives; nil if it stands still.
    mutating func carryEnd(now: Instant, random: inout RandomSource) -> Duration? {
        if let limit = self.faults.stallAfter, self.passed >= limit { return nil }
        return self.delay(.zero, now, &random)
    }

    /// Lets bytes pass one by one, a nanosecond apart, so that nothing joins them again; many bytes only at their
    /// start.
    mutating func drip(_ bytes: [UInt8], now: Instant) -> [(delay: Duration, item: Item)] {
        let alone = bytes.prefix(Self.longestDrip)
        let first = max(now, self.opening) + self.faults.delay
        var items = alone.map { byte in
            self.lastArrival = max(self.lastArrival, first) + .nanoseconds(1)
            return (delay: self.lastArrival - now, item: Item.bytes([byte]))
        }
        if bytes.count > alone.count {
            self.lastArrival = self.lastArrival + .nanoseconds(1)
            items.append((self.lastArrival - now, .bytes(Array(bytes.dropFirst(alone.count)))))
        }
        return items
    }

    private static let longestDrip = 2048

    /// What arrives at once is divided into this many pieces, and the rest is one: each takes far more memory than its
    /// bytes as long as it is on its way.
    private static let mostPieces = 10_000

    /// Holds everything back until so much later, what follows as well.
    mutating func hold(for delay: Duration, now: Instant) {
        self.lastArrival = max(self.lastArrival, now + delay)
    }

    private func damage(_ piece: inout [UInt8], random: inout RandomSource) {
        guard self.faults.corruption > 0, Double.random(in: 0..<1, using: &random) < self.faults.corruption else {
            return
        }
        let place = Int.random(in: 0..<piece.count, using: &random)
        piece[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    /// How late a piece is because segments of it were lost; they are sent again side by side.
    private func lateness(of count: Int, _ random: inout RandomSource) -> (lateness: Duration, isLost: Bool) {
        guard self.faults.loss > 0 else { return (.zero, false) }
        let timeout = max(Retransmission.leastTimeout, (self.faults.delay + self.faults.jitter) * 2)
        var worst = Duration.zero
        for _ in 0..<(count + Retransmission.segmentSize - 1) / Retransmission.segmentSize {
            let (lateness, isLost) = Retransmission.lateness(
                loss: self.faults.loss, timeout: timeout, mostTries: Retransmission.mostTries, random: &random)
            worst = max(worst, lateness)
            if isLost { return (worst, true) }
        }
        return (worst, false)
    }

    /// How long it takes until the last byte is on the line.
    private mutating func transmission(of count: Int, _ now: Instant) -> Duration {
        guard let rate = self.faults.bytesPerSecond else { return .zero }
        let time = Duration.nanoseconds(Int64((Double(count) / Double(max(1, rate)) * 1e9).rounded()))
        self.freeFrom = max(self.freeFrom, now) + time
        return self.freeFrom - max(now, self.opening)
    }

    /// The delay of the next thing; nothing overtakes what went before.
    private mutating func delay(_ more: Duration, _ now: Instant, _ random: inout RandomSource) -> Duration {
        var delay = self.faults.delay + more
        if self.faults.jitter > .zero {
            delay += .nanoseconds(Int64.random(in: 0...self.faults.jitter.clampedNanoseconds, using: &random))
        }
        // What is written before the connection is open departs when it is.
        let departure = max(now, self.opening)
        self.lastArrival = max(self.lastArrival, departure + delay)
        return self.lastArrival - now
    }
}
