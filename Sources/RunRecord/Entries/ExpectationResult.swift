/// How an expectation was decided.
public enum ExpectationResult: Hashable, Sendable {
    /// It was met by the actor's events of these numbers; by none if it is about silence or a plain value.
    case satisfied(events: [Int])
    /// It was not met.
    case failed
}
