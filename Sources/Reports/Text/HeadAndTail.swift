import Metrics

/// The first and the last lines of a text that may be of any length.
///
/// The beginning of a conversation says who took part, its end what went wrong; what lies between may go.
struct HeadAndTail {
    /// How many bytes of UTF-8 are kept at either end; whole lines only.
    struct Limits: Hashable, Sendable {
        /// Bytes kept of the beginning.
        var head: Int
        /// Bytes kept of the end.
        var tail: Int

        /// How much of the conversation files for other programs have of a scenario that passed.
        static let passed = Limits(head: 500, tail: 500)

        /// How much they have of any other.
        static let failed = Limits(head: 12_000, tail: 24_000)
    }

    private let limits: Limits
    private var head: [String] = []
    private var headBytes = 0
    private var isHeadFull = false
    private var tail: [String] = []
    private var tailStart = 0
    private var tailBytes = 0
    private var hidden = 0

    init(limits: Limits) {
        self.limits = limits
    }

    /// Adds a line at the end.
    mutating func append(_ line: String) {
        let bytes = line.utf8.count + 1
        if !self.isHeadFull, self.headBytes + bytes <= self.limits.head {
            self.head.append(line)
            self.headBytes += bytes
            return
        }
        self.isHeadFull = true
        self.tail.append(line)
        self.tailBytes += bytes
        while self.tailBytes > self.limits.tail, self.tailStart < self.tail.count {
            self.tailBytes -= self.tail[self.tailStart].utf8.count + 1
            self.tail[self.tailStart] = ""
            self.tailStart += 1
            self.hidden += 1
        }
        if self.tailStart > 64, self.tailStart > self.tail.count / 2 {
            self.tail.removeFirst(self.tailStart)
            self.tailStart = 0
        }
    }

    /// The lines that were kept, and between them how many were not.
    var lines: [String] {
        self.head + (self.hidden > 0 ? ["… \(NumberText.counted(self.hidden, "line")) left out …"] : [])
            + self.tail[self.tailStart...]
    }

    /// Returns the same text with narrower limits.
    func narrowed(to limits: Limits) -> HeadAndTail {
        var result = HeadAndTail(limits: limits)
        for line in self.head { result.append(line) }
        if self.hidden > 0 { result.isHeadFull = true }
        for line in self.tail[self.tailStart...] { result.append(line) }
        result.hidden += self.hidden
        return result
    }
}
