import RunRecord

/// A server with a script of its own that all users of a load test share.
protocol SharedHost: ScenarioServer {
    /// Whether none of its functions goes on by itself.
    var isAtRest: Bool { get }

    /// What went wrong in it when its last user had gone, so that nobody heard of it.
    var unheardProblem: Problem? { get }
}
