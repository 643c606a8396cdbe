internal import Machines

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What a message under load carries, so that whoever receives it knows which one it is and when it was due.
///
/// As text it stands in square brackets at the end of the message: `[rp1-` and six numbers in base 36 with hyphens
/// between, the last one a check. Defined here: letters, digits and hyphens alone, because chat servers escape, link or
/// make emoji of nearly everything else; case does not matter, because some change it.
public struct LedgerEnvelope: Hashable, Sendable {
    /// Which run; derived from its id, so that messages of an earlier run are told apart.
    public var run: UInt32
    /// The global number of the user who sends.
    public var sender: UInt32
    /// Where it goes: a room, or a conversation, by its global number.
    public var channel: UInt32
    /// The number of the message among those of that sender in that channel, from 0.
    public var sequence: UInt32
    /// When it was to be sent by the plan, in microseconds since the start of the run; below zero counts as zero.
    public var intendedMicroseconds: Int64

    /// Creates an envelope.
    public init(run: UInt32, sender: UInt32, channel: UInt32, sequence: UInt32, intendedMicroseconds: Int64) {
        self.run = run
        self.sender = sender
        self.channel = channel
        self.sequence = sequence
        self.intendedMicroseconds = max(0, intendedMicroseconds)
    }

    private static let prefix = Array("[rp1-".utf8)
    /// The prefix, six numbers of at most 13 digits and what stands between them.
    private static let lengthLimit = 5 + 6 * 13 + 6
    private static let checkRange: UInt32 = 36 * 36 * 36

    /// The envelope as text.
    public var text: String {
        let numbers = self.numbers.map { String($0, radix: 36) } + [String(self.check, radix: 36)]
        return "[rp1-" + numbers.joined(separator: "-") + "]"
    }

    /// Returns a message that carries this envelope.
    public func appended(to message: String) -> String {
        message.isEmpty ? self.text : message + " " + self.text
    }

    private var numbers: [UInt64] {
        [self.run, self.sender, self.channel, self.sequence].map(UInt64.init) + [UInt64(self.intendedMicroseconds)]
    }

    /// A number of three digits that text which happens to look like an envelope, or a cut one, rarely has.
    private var check: UInt32 {
        var hash = FNV1a.hash32([])
        for number in self.numbers {
            hash = withUnsafeBytes(of: number.littleEndian) { FNV1a.hash32($0, from: hash) }
        }
        return hash % Self.checkRange
    }

    /// Whether an envelope may stand in bytes of UTF-8; most messages have none, which is seen soonest here.
    public static func mayStand(in bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while let start = Self.firstBracket(in: rest) {
            if Self.isPrefix(rest[start...].prefix(Self.prefix.count)) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }

    private static func firstBracket(in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let base = bytes.base.baseAddress,
            let found = memchr(base + bytes.startIndex, Int32(Self.prefix[0]), bytes.count)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether bytes are what every envelope begins with; some servers change the letters' case.
    private static func isPrefix(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.elementsEqual(Self.prefix, by: { $0 | 0x20 == $1 | 0x20 })
    }

    /// Finds the last envelope in a text.
    ///
    /// - Parameter text: Any message, also one that imitates an envelope; the time taken grows with its length only.
    /// - Returns: The envelope and the text without it and the space before; nil if there is none.
    public static func extract(from text: String) -> (envelope: LedgerEnvelope, message: String)? {
        var text = text
        // Most texts of others have none, and are not worth a copy.
        let mayHaveOne = text.withUTF8 { utf8 in
            utf8.baseAddress.map { memchr($0, Int32(UInt8(ascii: "[")), utf8.count) != nil } ?? false
        }
        guard mayHaveOne else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.prefix.count else { return nil }
        for start in stride(from: bytes.count - Self.prefix.count, through: 0, by: -1)
        where bytes[start] == Self.prefix[0] {
            guard let (envelope, end) = Self.read(bytes[start...]) else { continue }
            let isSpaced = start > 0 && bytes[start - 1] == 0x20
            let rest = bytes[..<(isSpaced ? start - 1 : start)] + bytes[end...]
            return (envelope, String(decoding: rest, as: UTF8.self))
        }
        return nil
    }

    /// Reads the envelope with which bytes begin, and tells where it ends.
    private static func read(_ bytes: ArraySlice<UInt8>) -> (LedgerEnvelope, end: Int)? {
        let candidate = bytes.prefix(Self.lengthLimit)
        guard Self.isPrefix(candidate.prefix(Self.prefix.count)),
            let close = candidate.firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        var numbers: [UInt64] = []
        let fields = candidate[(candidate.startIndex + Self.prefix.count)..<close]
            .split(separator: UInt8(ascii: "-"), maxSplits: 6, omittingEmptySubsequences: false)
        for field in fields {
            guard field.first != UInt8(ascii: "+"),
                let number = UInt64(String(decoding: field, as: UTF8.self), radix: 36)
            else { return nil }
            numbers.append(number)
        }
        guard numbers.count == 6, let run = UInt32(exactly: numbers[0]), let sender = UInt32(exactly: numbers[1]),
            let channel = UInt32(exactly: numbers[2]), let sequence = UInt32(exactly: numbers[3]),
            let intended = Int64(exactly: numbers[4])
        else { return nil }
        let envelope = LedgerEnvelope(
            run: run, sender: sender, channel: channel, sequence: sequence, intendedMicroseconds: intended)
        guard UInt64(envelope.check) == numbers[5] else { return nil }
        return (envelope, close + 1)
    }

    /// Returns the number that stands for a run's id in envelopes.
    public static func runNumber(of id: String) -> UInt32 {
        FNV1a.hash32(id.utf8)
    }
}
