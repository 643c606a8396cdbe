import Machines
import Metrics
import RunRecord
import Secrets
import Testing

@testable import Load

@Suite("Why users of a run did not pass")
struct ProblemTallyTests {
    @Test("what nobody in particular had is counted as often as it was had, with what is alike")
    func counts() {
        func problem(_ message: String) -> Problem {
            Problem(category: .failure, kind: .violation, message: message, file: "a.lua", line: 3)
        }
        var tally = ProblemTally(vault: SecretVault())
        tally.add(problem("once"), of: nil, at: .start)
        tally.add(problem("often"), of: nil, at: .start + .seconds(2), count: 5)
        #expect(tally.causes.map(\.count) == [6])
        #expect(tally.causes.map(\.message) == ["once"] && tally.causes.map(\.user) == [nil])
        #expect(tally.causes.map(\.firstMicroseconds) == [0])
        #expect(tally.causes.map(\.lastMicroseconds) == [2_000_000])
    }
}
