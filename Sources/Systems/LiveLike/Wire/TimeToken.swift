import Machines

/// The clock of the message carrier: 10,000,000 ticks per second since 1970, written with 17 digits.
///
/// Subscribe, history and action calls carry it as text, `/time/0` as a number (PubNub REST documentation).
struct TimeToken: Hashable, Comparable, Sendable {
    /// Ticks of 100 ns since 1970 UTC; zero asks for the current token.
    let ticks: Int64

    /// The token of a handshake.
    static let zero = TimeToken(ticks: 0)

    /// Creates a token.
    init(ticks: Int64) { self.ticks = ticks }

    /// Creates the token of a wall-clock time; times out of range give the nearest token.
    init(epochMilliseconds: Int64) {
        let (ticks, overflow) = epochMilliseconds.multipliedReportingOverflow(by: 10_000)
        self.ticks = overflow ? .max : ticks
    }

    /// Reads a token as a peer writes it.
    ///
    /// - Returns: Nil unless the text is one to nineteen decimal digits in range.
    init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.count <= 19, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let ticks = Int64(text)
        else { return nil }
        self.ticks = ticks
    }

    /// The token as the wire carries it.
    var text: String {
        let digits = String(self.ticks)
        return self.ticks == 0 ? digits : String(repeating: "0", count: max(0, 17 - digits.count)) + digits
    }

    /// The wall-clock time in milliseconds since 1970 UTC.
    var epochMilliseconds: Int64 { self.ticks / 10_000 }

    static func < (left: TimeToken, right: TimeToken) -> Bool { left.ticks < right.ticks }
}
