extension HistogramLog {
    /// Reads a log.
    ///
    /// Start times of intervals below a year are taken as seconds since the start of the run; greater ones are times
    /// since 1970, as `HistogramLogReader.java` decides, and become times since the start of the run.
    ///
    /// - Throws: ``HistogramFormatError`` with the number of the line that cannot be read.
    public init(_ text: String) throws(HistogramFormatError) {
        self.init(startMicroseconds: nil, intervals: [])
        var base: Int64?
        var number = 0
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            number += 1
            let line = String(decoding: line, as: UTF8.self)
            if line.hasPrefix("#[StartTime: ") {
                self.startMicroseconds = Self.leadingTime(line.dropFirst(13))
            } else if line.hasPrefix("#[BaseTime: ") {
                base = Self.leadingTime(line.dropFirst(12))
            } else if line.hasPrefix("#") || line.hasPrefix("\"StartTimestamp\"") {
                continue
            } else {
                self.intervals.append(try Self.interval(line, number: number))
            }
        }
        let year: Int64 = 365 * 24 * 3_600 * 1_000_000
        for place in self.intervals.indices {
            let written = self.intervals[place].startMicroseconds
            guard base != nil || written > year, let start = self.startMicroseconds else { continue }
            self.intervals[place].startMicroseconds = written.saturatingAdd(base ?? 0).saturatingSubtract(start)
        }
    }

    private static func interval(_ line: String, number: Int) throws(HistogramFormatError) -> Interval {
        var fields = line.split(separator: ",", omittingEmptySubsequences: false)
        var tag: String?
        if let first = fields.first, first.hasPrefix("Tag=") {
            tag = String(first.dropFirst(4))
            fields.removeFirst()
        }
        guard fields.count == 4, let start = Self.time(fields[0]), let length = Self.time(fields[1]) else {
            throw HistogramFormatError(
                "line \(number): an interval is start, length, greatest value and histogram, with commas between")
        }
        do {
            return Interval(
                tag: tag, startMicroseconds: start, lengthMicroseconds: length,
                histogram: try Histogram(base64: fields[3].filter { $0 != " " }))
        } catch {
            throw HistogramFormatError("line \(number): \(error.message)")
        }
    }

    /// Reads the number that a comment begins with.
    private static func leadingTime(_ text: Substring) -> Int64? {
        Self.time(text.prefix { $0.isNumber || $0 == "." })
    }

    /// Reads seconds with up to six decimals, as microseconds; nil if this is none or out of range.
    private static func time(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, let seconds = Int64(whole), abs(seconds) < 1 << 40 else { return nil }
        guard parts.count == 2 else { return seconds * 1_000_000 }
        let digits = parts[1].prefix(6)
        guard let fraction = UInt32(digits + String(repeating: "0", count: 6 - digits.count)) else { return nil }
        return seconds * 1_000_000 + (whole.hasPrefix("-") ? -1 : 1) * Int64(fraction)
    }
}
