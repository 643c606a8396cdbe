extension Duration {
    /// Reads a duration as scripts and command lines write it: a number and a unit, such as `250ms`, `2s`, `5m`, `1h`,
    /// or several of them from the largest unit to the smallest, such as `1m30s`.
    ///
    /// - Parameter text: Decimal numbers, not negative, each directly followed by `us`, `ms`, `s`, `m` or `h`.
    /// - Returns: Nil if the text has another form or the duration is longer than 100 years.
    public init?(scriptText text: String) {
        var text = text
        guard let seconds = text.withUTF8({ Self.seconds($0) }) else { return nil }
        self.init(scriptSeconds: seconds)
    }

    private static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var (rest, sum, largest) = (text[...], 0.0, Double.infinity)
        repeat {
            guard let number = Self.number(&rest), let unit = Self.unit(&rest), unit < largest else { return nil }
            sum += number * unit
            largest = unit
        } while !rest.isEmpty
        return sum
    }

    /// Takes a number from the beginning of a text. A scenario reads one for each limit that it sets, and nearly all
    /// are whole numbers.
    private static func number(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        let start = text.startIndex
        var whole: Int32? = 0
        while let byte = text.first, Self.isInNumber(byte) {
            let isDigit = byte != UInt8(ascii: ".") && text.startIndex - start < 9
            whole = isDigit ? whole.map { $0 * 10 + Int32(byte - UInt8(ascii: "0")) } : nil
            text.removeFirst()
        }
        let end = text.startIndex
        guard end > start else { return nil }
        return whole.map(Double.init) ?? Double(String(decoding: text.base[start..<end], as: UTF8.self))
    }

    /// Takes a unit from the beginning of a text: how many seconds it has.
    private static func unit(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        let end = text.firstIndex(where: Self.isInNumber) ?? text.endIndex
        defer { text = text[end...] }
        return Self.seconds(per: text[..<end])
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte &- UInt8(ascii: "0") < 10
    }

    /// Creates a duration from a number of seconds, rounded to nanoseconds.
    ///
    /// - Returns: Nil if the number is negative, not finite or above 100 years.
    public init?(scriptSeconds seconds: Double) {
        guard seconds.isFinite, seconds >= 0, seconds <= 3_155_760_000 else { return nil }
        self = .nanoseconds(Int64((seconds * 1_000_000_000).rounded()))
    }

    /// The duration in seconds, as scripts get it in events; held within what 64 bits of nanoseconds can say.
    public var scriptSeconds: Double { Double(self.clampedNanoseconds) / 1_000_000_000 }

    private static func seconds(per unit: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        let isDivided = unit.count == 2 && unit.last == UInt8(ascii: "s")
        guard isDivided || unit.count == 1 else { return nil }
        return switch unit.first {
        case UInt8(ascii: "s") where !isDivided: 1
        case UInt8(ascii: "m"): isDivided ? 0.001 : 60
        case UInt8(ascii: "h") where !isDivided: 3600
        case UInt8(ascii: "u") where isDivided: 0.000_001
        default: nil
        }
    }

    /// The duration as people write it: the largest unit that gives a number of at least one, up to three decimals.
    public var scriptText: String {
        let nanoseconds = self.clampedNanoseconds
        let units: [(Int64, String)] = [
            (3_600_000_000_000, "h"), (60_000_000_000, "m"), (1_000_000_000, "s"), (1_000_000, "ms"),
        ]
        for (size, unit) in units where nanoseconds.magnitude >= UInt64(size) {
            // Hours and minutes only where they are exact; "90s" reads better than "1.5m".
            if size > 1_000_000_000, nanoseconds % size != 0 { continue }
            return Self.decimal(nanoseconds, per: size) + unit
        }
        return nanoseconds == 0 ? "0s" : Self.decimal(nanoseconds, per: 1_000) + "us"
    }

    /// The duration with as many digits as people look at: three.
    public var roundedText: String {
        var unit: Int64 = 1
        while self.clampedNanoseconds.magnitude / UInt64(unit) >= 1000 { unit *= 10 }
        let rounded = (self.clampedNanoseconds / unit) * unit
        return Duration.nanoseconds(rounded).scriptText
    }

    /// The duration in hundredths of a millisecond and no smaller unit, cut off: of what real time takes between two
    /// events, nobody reads more.
    public var timelineText: String {
        let step: Int64 = 10_000
        let nanoseconds = self.clampedNanoseconds / step * step
        guard self != .zero, nanoseconds.magnitude < 1_000_000 else {
            return Duration.nanoseconds(nanoseconds).scriptText
        }
        return Self.decimal(nanoseconds, per: 1_000_000) + "ms"
    }

    private static func decimal(_ value: Int64, per unit: Int64) -> String {
        var text = "\(value / unit)"
        let thousandths = Int64((value % unit).magnitude) * 1000 / unit
        guard thousandths > 0 else { return text }
        var fraction = "\(1000 + thousandths)".dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        if value < 0, value / unit == 0 { text = "-0" }
        return text + "." + fraction
    }
}
