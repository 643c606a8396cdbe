extension ScenarioEnd {
    /// The problem at which the scenario ended: the first that is not soft, or else the first. What comes behind it, as
    /// in functions that clean up, may be of its making.
    public var endingProblem: Problem? { self.problems.first { !$0.isSoft } ?? self.problems.first }

    /// The problems with the one that decided the outcome first, otherwise in the order in which they happened.
    ///
    /// A hard problem decides before soft ones that came earlier, for the scenario ended at it.
    public var problemsByWeight: [Problem] {
        let category: Problem.Category
        switch self.outcome {
        case .failed, .expectedFailure: category = .failure
        case .error: category = .error
        case .passed, .skipped: return self.problems
        }
        let place =
            self.problems.firstIndex { $0.category == category && !$0.isSoft }
            ?? self.problems.firstIndex { $0.category == category }
        guard let place else { return self.problems }
        var problems = self.problems
        problems.insert(problems.remove(at: place), at: 0)
        return problems
    }
}
