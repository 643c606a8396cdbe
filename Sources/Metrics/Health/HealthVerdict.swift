/// Whether the figures of a load run can be trusted, as far as the generator is concerned, and why not.
public struct HealthVerdict: Hashable, Sendable {
    /// How far figures can be trusted.
    public enum State: String, Hashable, Sendable, Comparable, CaseIterable {
        /// The generator had room to spare.
        case valid
        /// The generator was strained; figures may be worse than the server's own.
        case degraded
        /// The generator did not produce the load that was asked for, or measured mostly itself.
        case invalid

        public static func < (left: State, right: State) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The worst of all reasons.
    public let state: State
    /// Why it is not valid, the worst first, each with its figure and what to do.
    public let reasons: [String]

    init(_ findings: [(state: State, reason: String)]) {
        self.state = findings.map(\.state).max() ?? .valid
        self.reasons =
            findings.filter { $0.state == .invalid }.map(\.reason)
            + findings.filter { $0.state == .degraded }.map(\.reason)
    }

    /// The verdict in one line.
    public var line: String {
        self.reasons.isEmpty ? self.state.rawValue : "\(self.state.rawValue): " + self.reasons.joined(separator: "; ")
    }
}
