/// How much a console report says, and how.
public struct ConsoleOptions: Hashable, Sendable {
    /// How much is said.
    public enum Detail: Hashable, Sendable {
        /// Failures in full and the summary.
        case quiet
        /// A line for each scenario, too; for runs of many scenarios a line for each tenth of the run.
        case normal
        /// The conversations as they go, too.
        case verbose
    }

    /// How much is said.
    public var detail: Detail

    /// Whether the output is a terminal that shows colors.
    public var usesColors: Bool

    /// Creates options: normal, without colors unless told.
    public init(detail: Detail = .normal, usesColors: Bool = false) {
        self.detail = detail
        self.usesColors = usesColors
    }
}
