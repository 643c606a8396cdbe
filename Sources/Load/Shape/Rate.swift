/// How often something starts.
public struct Rate: Hashable, Sendable {
    /// How many times in a second; from 0 to a million.
    public let perSecond: Double

    /// Creates a rate.
    ///
    /// - Parameter perSecond: How many times in a second.
    /// - Returns: Nil if the number is negative, not finite or above a million.
    public init?(perSecond: Double) {
        guard perSecond >= 0, perSecond <= 1_000_000 else { return nil }
        self.perSecond = perSecond
    }

    /// Reads a rate as scripts write it: a number, a slash and `s`, `m` or `h`, such as `50/s` or `300/m`.
    ///
    /// - Returns: Nil if the text has another form or the rate is out of range.
    public init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let units: [Substring: Double] = ["s": 1, "m": 60, "h": 3600]
        guard parts.count == 2, let unit = units[parts[1]],
            parts[0].allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(parts[0])
        else { return nil }
        self.init(perSecond: number / unit)
    }
}
