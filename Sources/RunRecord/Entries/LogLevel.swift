/// How much a logged text matters.
public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// For who looks for a mistake in a script.
    case debug
    /// For who reads a report.
    case info
    /// Something that may explain a failure.
    case warning
    /// Something that is wrong; it fails nothing by itself.
    case error
}
