import Transport

extension FaultPlan {
    /// A plan in which everything arrives in pieces of one to a few bytes, in both directions.
    static func dripFeed(longestPiece: Int = 3) -> FaultPlan {
        var plan = FaultPlan()
        plan.incoming.longestPiece = longestPiece
        plan.outgoing.longestPiece = longestPiece
        return plan
    }
}
