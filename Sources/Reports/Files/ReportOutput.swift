/// Where a report goes and which one it is.
public enum ReportOutput: Sendable {
    /// The run record itself, one JSON object a line; grows with the run.
    case runRecord(path: String)

    /// A JUnit file; replaced as a whole again and again while the run goes.
    case junit(path: String, JUnitOptions)

    /// The report for a person in front of a console.
    case console(ConsoleOptions, elapsed: (@Sendable () -> Duration)?, write: @Sendable (String) -> Void)
}
