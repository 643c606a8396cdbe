import Machines

/// Why something is not played, or may fail, in the words of a script.
enum GivenReason {
    /// Requires that a reason has something to read.
    ///
    /// - Parameter name: What it was given to, as the sentence begins.
    /// - Throws: ``UsageError`` otherwise.
    static func require(_ reason: String, _ name: String) throws(UsageError) {
        guard reason.isBlank else { return }
        throw UsageError("\(name) is empty, and reports show it as the reason; write why, or leave it out")
    }
}
