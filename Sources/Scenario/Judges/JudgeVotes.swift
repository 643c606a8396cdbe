/// The votes of a judge about one text, and what they come to.
struct JudgeVotes {
    private let votes: [ModelAnswer.Vote]

    init(_ votes: [ModelAnswer.Vote]) { self.votes = votes }

    /// Whether more than half of them say yes.
    var isYes: Bool { self.votes.count { $0.verdict } * 2 > self.votes.count }

    /// How many of them agree with what they come to, and the first reason of one that does.
    var figures: String {
        let agreeing = self.votes.filter { $0.verdict == self.isYes }
        return "\(agreeing.count) of \(self.votes.count) votes: \(agreeing.first?.reason ?? "")"
    }

    /// Each in a line.
    var lines: [String] { self.votes.map { "\($0.verdict ? "yes" : "no"): \($0.reason)" } }

    /// Joins the replies to the requests of one question.
    ///
    /// - Throws: ``ModelFailure`` if different models gave them, for their votes are no verdict then.
    static func joined(_ replies: [ModelCall.Reply]) throws(ModelFailure) -> ModelCall.Reply {
        guard let first = replies.first, replies.allSatisfy({ $0.answeredBy == first.answeredBy }) else {
            throw ModelFailure("its votes come from different models")
        }
        let votes = replies.flatMap { reply -> [ModelAnswer.Vote] in
            if case .judged(let votes) = reply.answer { votes } else { [] }
        }
        return ModelCall.Reply(
            answer: votes.isEmpty ? first.answer : .judged(votes), answeredBy: first.answeredBy)
    }
}
