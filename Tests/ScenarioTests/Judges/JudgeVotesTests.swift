import Testing

@testable import Scenario

@Suite("The votes of a judge")
struct JudgeVotesTests {
    private static func reply(_ verdicts: [Bool], by model: String = "m") -> ModelCall.Reply {
        ModelCall.Reply(
            answer: .judged(verdicts.map { ModelAnswer.Vote(verdict: $0, reason: $0 ? "it is" : "it is not") }),
            answeredBy: model)
    }

    @Test("more than half of them must say yes; half is a no")
    func majority() {
        func votes(_ verdicts: [Bool]) -> JudgeVotes {
            JudgeVotes(verdicts.map { ModelAnswer.Vote(verdict: $0, reason: $0 ? "it is" : "it is not") })
        }
        #expect(votes([true, false, true]).isYes)
        #expect(votes([true, false, true]).figures == "2 of 3 votes: it is")
        #expect(!votes([true, false]).isYes)
        #expect(votes([false, true, false]).figures == "2 of 3 votes: it is not")
        #expect(votes([true, false]).lines == ["yes: it is", "no: it is not"])
    }

    @Test("votes of the same model are joined in their order")
    func joined() throws {
        let reply = try JudgeVotes.joined([Self.reply([true]), Self.reply([false])])
        guard case .judged(let votes) = reply.answer else {
            Issue.record("no votes")
            return
        }
        #expect(votes.map(\.verdict) == [true, false])
        #expect(reply.answeredBy == "m")
    }

    @Test("votes of different models are no verdict")
    func differentModels() {
        #expect(throws: ModelFailure("its votes come from different models")) {
            try JudgeVotes.joined([Self.reply([true], by: "m"), Self.reply([true], by: "n")])
        }
    }
}
