/// A server that all users of a load test share.
protocol SharedHost: ScenarioServer {
    /// Whether none of its functions goes on by itself, and nobody uses it.
    var isAtRest: Bool { get }

    /// Finds what went wrong at it of which no user has heard; to be asked for once, when the last one has gone.
    ///
    /// - Parameter completion: Gets it, at once or later.
    func findUnheardProblems(_ completion: @escaping ([SharedProblem]) -> Void)
}
