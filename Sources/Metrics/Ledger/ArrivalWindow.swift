/// Which messages of one sender in one channel a receiver has seen, in constant memory.
///
/// The last 64 sequence numbers are kept one by one. Of those before, only how many never came is known: one that comes
/// later still takes the place of a missing one, if any is missing, and is a duplicate otherwise.
struct ArrivalWindow: Hashable, Sendable {
    /// What a message was to its receiver.
    enum Arrival: Hashable, Sendable {
        /// New, and no later one came before.
        case inOrder
        /// New, but a later one came before.
        case reordered
        /// Seen before.
        case duplicate
    }

    /// The highest sequence number seen plus one; 0 before the first.
    private(set) var end: UInt64 = 0
    /// The last 64 before the end, the latest in the lowest bit.
    private var seen: UInt64 = 0
    /// How many that left the window never came.
    private(set) var missing: UInt64 = 0

    /// Takes note of a message.
    mutating func receive(_ sequence: UInt32) -> Arrival {
        let sequence = UInt64(sequence)
        guard sequence < self.end else {
            let step = sequence + 1 - self.end
            // What the window holds that is not real, because the channel has had fewer than 64, is not missing.
            let held = min(64, self.end)
            let leaving = min(step, 64)
            let kept = held + step > 64 ? min(held, held + step - 64) : 0
            if kept > 0 {
                let oldest = held == 64 ? self.seen : self.seen << (64 - held)
                let came = UInt64((oldest >> (64 - kept)).nonzeroBitCount)
                self.missing += kept - came
            }
            if step > 64 { self.missing += step - 64 }
            self.seen = leaving == 64 ? 1 : self.seen << leaving | 1
            self.end = sequence + 1
            return .inOrder
        }
        let age = self.end - 1 - sequence
        if age < 64 {
            let bit: UInt64 = 1 << age
            if self.seen & bit != 0 { return .duplicate }
            self.seen |= bit
            return .reordered
        }
        guard self.missing > 0 else { return .duplicate }
        self.missing -= 1
        return .reordered
    }
}
