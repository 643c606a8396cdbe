/// A figure that a script measures itself.
public struct ScriptSample: Sendable {
    /// What kind of figure it is.
    public enum Kind: Hashable, Sendable {
        /// Grows by the value.
        case count
        /// Stands at the value.
        case gauge
        /// Is the case if the value is not zero.
        case rate
        /// One of many values.
        case value
        /// One of many durations, in seconds.
        case duration
    }

    /// The name that the script gave it, under which reports show it.
    public let name: String

    /// What the value does to the figure.
    public let kind: Kind

    /// In the unit of the kind.
    public let value: Double

    /// What sets it apart from other samples of the figure.
    public let tags: [(name: String, value: String)]
}
