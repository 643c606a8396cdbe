internal import Compression
internal import Machines

/// The V2 encoding of HdrHistogram (`AbstractHistogram.java`: `encodeIntoByteBuffer`), which its tools exchange.
///
/// It holds the counts only: the exact least, greatest and sum are kept beside it where they matter.
extension Histogram {
    private static let cookie: UInt32 = 0x1c84_9303
    private static let compressedCookie: UInt32 = 0x1c84_9304
    private static let headerLength = 40

    /// The plain encoding: a header of 40 bytes and the counts.
    public var encoded: [UInt8] {
        var payload: [UInt8] = []
        var next = 0
        for (slot, count) in self.counts.entries {
            // A single empty slot is written as 0, as the Java library does.
            if slot > next { ZigZag.append(slot == next + 1 ? 0 : -Int64(slot - next), to: &payload) }
            ZigZag.append(Int64(clamping: count), to: &payload)
            next = slot + 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerLength + payload.count)
        bytes.append(bigEndian: Self.cookie | 0x10)
        bytes.append(bigEndian: UInt32(payload.count))
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: UInt32(self.precision.significantDigits))
        bytes.append(bigEndian: UInt64(1))
        // Some readers refuse a highest value below twice the lowest one.
        bytes.append(bigEndian: UInt64(max(2, self.maximum ?? 2)))
        bytes.append(bigEndian: Double(1).bitPattern)
        return bytes + payload
    }

    /// The encoding compressed, as logs hold it.
    public var encodedCompressed: [UInt8] {
        let stream = CompressionFormat.zlib.compress(self.encoded)
        var bytes: [UInt8] = []
        bytes.append(bigEndian: Self.compressedCookie | 0x10)
        bytes.append(bigEndian: UInt32(stream.count))
        return bytes + stream
    }

    /// The compressed encoding as base64 text, which begins with `HISTFAAA`.
    public var base64: String { Base64.encode(self.encodedCompressed) }

    /// The plain encoding as base64 text, which for few counts is shorter to make and to read.
    var plainBase64: String { Base64.encode(self.encoded) }

    /// Reads a histogram, plain or compressed.
    ///
    /// - Parameter bytes: From anywhere; sizes, slots and counts are checked before they are believed.
    public init(encoded bytes: some Collection<UInt8>) throws(HistogramFormatError) {
        var rest = Array(bytes)[...]
        guard let cookie = rest.readBigEndian(UInt32.self) else {
            throw HistogramFormatError("the bytes end before a histogram begins; is the file complete?")
        }
        switch cookie & ~0xF0 {
        case Self.compressedCookie:
            guard let length = rest.readBigEndian(UInt32.self), Int(length) == rest.count else {
                throw HistogramFormatError("the compressed histogram is cut off; is the file complete?")
            }
            // Nine bytes for each slot of the finest precision are the most that an honest one has.
            let limit = Self.headerLength + 9 * Precision.threeDigits.slotCount
            guard let inner = try? CompressionFormat.zlib.decompress(Array(rest), limit: limit) else {
                throw HistogramFormatError("the compressed histogram is damaged or far too large")
            }
            rest = inner[...]
            guard rest.readBigEndian(UInt32.self) == Self.cookie | 0x10 else {
                throw HistogramFormatError("the compressed bytes hold no V2 histogram")
            }
        case Self.cookie where cookie & 0xF0 == 0x10: break
        default:
            throw HistogramFormatError("this is no V2 histogram; older encodings and other files are not read")
        }
        try self.init(body: rest)
    }

    /// Reads a histogram from base64 text; see ``init(encoded:)``.
    public init(base64 text: some StringProtocol) throws(HistogramFormatError) {
        guard let bytes = Base64.decode(text) else { throw HistogramFormatError("this is no base64 text") }
        try self.init(encoded: bytes)
    }

    /// Reads what follows the cookie.
    private init(body: ArraySlice<UInt8>) throws(HistogramFormatError) {
        var rest = body
        guard let length = rest.readBigEndian(UInt32.self), let offset = rest.readBigEndian(UInt32.self),
            let digits = rest.readBigEndian(UInt32.self), let lowest = rest.readBigEndian(UInt64.self),
            rest.readBigEndian(UInt64.self) != nil, let ratio = rest.readBigEndian(UInt64.self)
        else { throw HistogramFormatError("the header of the histogram is cut off; is the file complete?") }
        guard let precision = Precision(significantDigits: Int(digits)), lowest == 1 else {
            throw HistogramFormatError(
                "it tells values apart by \(digits) digits from \(lowest) on, and only 3 or 2 digits from 1 on can be "
                    + "merged without loss; record it anew with those")
        }
        guard offset == 0, ratio == Double(1).bitPattern else {
            throw HistogramFormatError("its values are shifted or scaled; record it anew as plain integers")
        }
        guard Int(length) == rest.count else {
            throw HistogramFormatError("the histogram says \(length) bytes of counts and has \(rest.count)")
        }
        var entries: [(slot: Int, count: Int64)] = []
        var slot = 0
        while !rest.isEmpty {
            guard let number = ZigZag.read(&rest) else {
                throw HistogramFormatError("the last count of the histogram is cut off; is the file complete?")
            }
            // A single empty slot is written as 0 by the Java library and as -1 by the C library.
            let (next, isOverflow) =
                number > 0 ? (slot + 1, false) : slot.subtractingReportingOverflow(min(Int(number), -1))
            guard !isOverflow, next <= precision.slotCount else {
                throw HistogramFormatError("it counts values above \(Precision.highestValue), which are not read")
            }
            if number > 0 { entries.append((slot, number)) }
            slot = next
        }
        guard let result = Self(precision, entries: entries) else {
            throw HistogramFormatError("it counts more values than fit 63 bits; is the file damaged?")
        }
        self = result
    }
}

extension [UInt8] {
    /// Appends an integer, its highest byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { self.append(contentsOf: $0) }
    }
}

extension ArraySlice<UInt8> {
    /// Reads an integer whose highest byte comes first and takes its bytes away; nil if there are too few.
    mutating func readBigEndian<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) -> Value? {
        let size = Value.bitWidth / 8
        guard self.count >= size else { return nil }
        var value: Value = 0
        for _ in 0..<size {
            guard let byte = self.popFirst() else { return nil }
            value = value << 8 | Value(truncatingIfNeeded: byte)
        }
        return value
    }
}
