/// When a scenario is flaky: it passed, and an attempt before it had not.
public enum Flakiness {
    /// Returns whether an attempt was made because the one before it did not pass.
    ///
    /// - Parameter isTry: Whether it is one of several tries whose rate decides; those are made in any case.
    public static func isRetry(attempt: Int, isTry: Bool) -> Bool { attempt > 1 && !isTry }

    /// Returns whether a scenario is flaky whose last attempt ended like this.
    public static func holds(for outcome: Outcome, isRetry: Bool) -> Bool { isRetry && outcome == .passed }
}
