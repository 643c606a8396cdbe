import RunRecord

/// Why there is no answer of a model: nothing is known about the text then.
struct ModelFailure: Error, Hashable, Sendable {
    let message: String

    /// What kind of problem it is for the scenario that asks.
    let kind: ProblemKind

    /// Creates one.
    ///
    /// - Parameter kind: ``ProblemKind/model`` unless the model is not asked at all.
    init(_ message: String, kind: ProblemKind = .model) {
        self.message = message
        self.kind = kind
    }
}
