/// How often each slot of a histogram was met, in a form that suits how many there are.
///
/// Few slots are kept packed: one word each, the slot in its upper 16 bits and the count in the other 48, ascending.
/// Beyond ``packedLimit`` they become one word per slot up to the highest one met. Both forms are bounded by the number
/// of slots there are, whatever the number of samples, so recording costs no memory in the long run.
struct SlotCounts: Sendable {
    /// How many slots are kept packed, so that finding a place among them stays cheap.
    static let packedLimit = 256
    private static let countBits: UInt64 = 48
    private static let countMask: UInt64 = (1 << countBits) - 1

    private var words: [UInt64] = []
    private var isDense = false

    /// Whether no slot was met.
    var isEmpty: Bool { self.words.isEmpty }

    /// How many bytes the counts take, without what is reserved for more.
    var byteCount: Int { self.words.count * 8 }

    /// Adds to the count of a slot.
    @inline(__always)
    mutating func add(_ count: UInt64, to slot: Int) {
        if self.isDense, slot < self.words.count {
            self.words[slot] &+= count
        } else {
            self.addSlowly(count, to: slot)
        }
    }

    @inline(never)
    private mutating func addSlowly(_ count: UInt64, to slot: Int) {
        if self.isDense {
            self.grow(to: slot)
            self.words[slot] &+= count
            return
        }
        let place = self.place(of: slot)
        if place < self.words.count, Int(self.words[place] >> Self.countBits) == slot {
            let sum = (self.words[place] & Self.countMask) &+ count
            if sum <= Self.countMask {
                self.words[place] = UInt64(slot) << Self.countBits | sum
                return
            }
        } else if self.words.count < Self.packedLimit, count <= Self.countMask {
            self.words.insert(UInt64(slot) << Self.countBits | count, at: place)
            return
        }
        self.spread()
        self.add(count, to: slot)
    }

    /// Returns where a slot stands or would stand among the packed ones.
    private func place(of slot: Int) -> Int {
        let least = UInt64(slot) << Self.countBits
        var low = 0
        var high = self.words.count
        while low < high {
            let middle = (low + high) / 2
            if self.words[middle] < least { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func grow(to slot: Int) {
        guard slot >= self.words.count else { return }
        // By whole powers of two of values, so that growing ends after a few times.
        let count = (slot / 1_024 + 1) * 1_024
        self.words.append(contentsOf: repeatElement(0, count: count - self.words.count))
    }

    /// Changes from the packed form to one word per slot.
    private mutating func spread() {
        let packed = self.words
        self.words = []
        self.isDense = true
        self.grow(to: packed.last.map { Int($0 >> Self.countBits) } ?? 0)
        for word in packed { self.words[Int(word >> Self.countBits)] = word & Self.countMask }
    }

    /// Calls a closure with each slot that was met and its count, from the lowest slot on.
    ///
    /// - Parameter body: Returns whether to go on.
    @inline(__always)
    func forEach(_ body: (_ slot: Int, _ count: UInt64) -> Bool) {
        if self.isDense {
            for slot in self.words.indices where self.words[slot] != 0 {
                guard body(slot, self.words[slot]) else { return }
            }
        } else {
            for word in self.words {
                guard body(Int(word >> Self.countBits), word & Self.countMask) else { return }
            }
        }
    }

    /// The slots that were met with their counts, ascending.
    var entries: [(slot: Int, count: UInt64)] {
        var entries: [(slot: Int, count: UInt64)] = []
        self.forEach { slot, count in
            entries.append((slot, count))
            return true
        }
        return entries
    }

    /// Adds all counts of another one.
    mutating func add(_ other: SlotCounts) {
        if other.isDense {
            if !self.isDense { self.spread() }
            if other.words.count > self.words.count { self.grow(to: other.words.count - 1) }
            for slot in other.words.indices { self.words[slot] &+= other.words[slot] }
        } else {
            other.forEach { slot, count in
                self.add(count, to: slot)
                return true
            }
        }
    }

    /// Forgets all counts but keeps the memory for the next ones.
    mutating func removeAll() {
        if self.isDense {
            for slot in self.words.indices { self.words[slot] = 0 }
        } else {
            self.words.removeAll(keepingCapacity: true)
        }
    }

    /// The same counts in the least memory, for counts that will rarely change.
    var compacted: SlotCounts {
        var packed: [UInt64] = []
        var fits = true
        self.forEach { slot, count in
            fits = fits && count <= Self.countMask
            packed.append(UInt64(slot) << Self.countBits | (count & Self.countMask))
            return fits
        }
        guard fits, !self.isDense || packed.count < self.words.count else { return self }
        var result = SlotCounts()
        // A fresh array of about that size, for what was reserved while the other one grew stays with it.
        result.words.reserveCapacity(packed.count)
        result.words.append(contentsOf: packed)
        return result
    }
}

extension SlotCounts: Hashable {
    static func == (left: SlotCounts, right: SlotCounts) -> Bool {
        left.entries.elementsEqual(right.entries) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        self.forEach { slot, count in
            hasher.combine(slot)
            hasher.combine(count)
            return true
        }
    }
}
