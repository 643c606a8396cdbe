/// How the process ends; never a count, and the first cause decides.
public enum ExitStatus: Int32, Sendable {
    /// All well.
    case success = 0
    /// An expectation or a threshold failed.
    case failed = 1
    /// The command line was wrong.
    case usage = 2
    /// A script or the configuration has an error.
    case script = 3
    /// A target could not be reached, or the harness failed.
    case harness = 4
    /// There was nothing to run.
    case nothingToRun = 5
    /// All passed, but some not at the first attempt, and the run was told not to accept that.
    case flaky = 6
    /// Interrupted by a signal.
    case interrupted = 130
}
