/// Numbers as people read them.
public enum NumberText {
    /// Returns an integer with commas between thousands.
    public static func grouped(_ value: Int64) -> String {
        var text = ""
        for (place, digit) in String(value.magnitude).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + String(text.reversed())
    }

    /// Returns a count with what it counts, in the singular or the plural: `1 user`, `1,204 users`.
    ///
    /// - Parameters:
    ///   - one: What is counted, where there is one.
    ///   - many: What is counted, where there is another number; the singular with an s if nil.
    public static func counted(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(Self.grouped(Int64(clamping: count))) \(count == 1 ? one : many ?? one + "s")"
    }

    /// Returns a number with at most that many decimals and no zeros at the end.
    public static func decimal(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "none" : value < 0 ? "-inf" : "inf" }
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (value * factor).rounded()
        guard abs(scaled) < 9e15 else { return "\(value)" }
        let units = Int64(scaled)
        var fraction = String((units.magnitude % UInt64(factor)) + UInt64(factor)).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let whole = (units < 0 ? "-" : "") + String(units.magnitude / UInt64(factor))
        return fraction.isEmpty ? whole : "\(whole).\(fraction)"
    }

    /// Returns a value with its unit, in about three digits: `850us`, `12.4ms`, `3.05s`, `2.1MB`, `1,204`.
    public static func value(_ value: Double, unit: MetricUnit) -> String {
        switch unit {
        case .microseconds: Self.scaled(value, [(1e6, "s"), (1e3, "ms"), (1, "us")])
        case .bytes: Self.scaled(value, [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")])
        case .number:
            value == value.rounded() && abs(value) < 9e15
                ? Self.grouped(Int64(value)) : Self.decimal(value, decimals: abs(value) < 1 ? 6 : 3)
        case .count:
            value == value.rounded() && abs(value) < 9e15
                ? Self.grouped(Int64(value)) : Self.decimal(value, decimals: abs(value) < 10 ? 2 : 1)
        }
    }

    /// Returns a value with all the digits that it has, and without decimals where it has none, for programs.
    public static func exact(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func scaled(_ value: Double, _ units: [(size: Double, name: String)]) -> String {
        for (size, name) in units where abs(value) >= size || size == 1 {
            let scaled = value / size
            return Self.decimal(scaled, decimals: abs(scaled) < 10 ? 2 : abs(scaled) < 100 ? 1 : 0) + name
        }
        return Self.decimal(value, decimals: 0)
    }
}
