public import RunRecord

/// Where a report goes and which one it is.
public enum ReportOutput: Sendable {
    /// The run record itself, one JSON object a line; grows with the run.
    case runRecord(path: String)

    /// A JUnit file; replaced as a whole again and again while the run goes.
    case junit(path: String, JUnitOptions)

    /// The report for people, one HTML file; replaced as a whole like a JUnit file.
    case html(path: String, HTMLOptions)

    /// A file in the Common Test Report Format; replaced as a whole like a JUnit file.
    case ctrf(path: String, CTRFOptions)

    /// The page of a run that goes: gets the entries as they come, without secrets.
    case live(record: @Sendable ([RunEntry]) -> Void)

    /// The report for a person in front of a console.
    case console(ConsoleOptions, elapsed: (@Sendable () -> Duration)?, write: @Sendable (String) -> Void)

    /// The Test Anything Protocol, line by line.
    case tap(write: @Sendable (String) -> Void)

    /// The Test Anything Protocol in a file; replaced as a whole like a JUnit file.
    case tapFile(path: String)

    /// Workflow commands of GitHub Actions for standard output, and at the end the summary of the job in Markdown.
    ///
    /// The folder is that of the project within the repository, empty if the project is the repository.
    case github(
        folder: String, write: @Sendable (String) -> Void,
        writeSummary: @Sendable (String) throws(ReportFileError) -> Void)
}
