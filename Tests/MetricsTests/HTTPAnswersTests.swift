import Testing

@testable import Metrics

@Suite("What HTTP requests of a run came to")
struct HTTPAnswersTests {
    private static let phases = Phases([
        .init("warm-up", startMicroseconds: 0, isCounted: false), .init("run", startMicroseconds: 1_000_000),
    ])

    @Test("Answers of all roles are put together by their status, without the warm-up")
    func statuses() throws {
        var measured = Measurements(phases: Self.phases)
        for role in ["buyer", "seller"] {
            for (status, count) in [("503", 2), ("200", 5), ("other", 1)] as [(String, Int64)] {
                let id = try measured.series(
                    Metric("http_answers", .counter), tags: [Tag("status", status), Tag("role", role)])
                measured.record(id, count, at: 1_500_000)
                measured.record(id, 100, at: 0)
            }
            let failed = try measured.series(Metric("http_failed", .rate), tags: [Tag("role", role)])
            measured.record(failed, isHit: true, at: 0)
            for number in 0..<10 { measured.record(failed, isHit: number < 4, at: 2_000_000) }
        }
        let answers = try #require(HTTPAnswers(measured))
        #expect(answers.statuses.map(\.name) == ["200", "503", "other"])
        #expect(answers.statuses.map(\.count) == [10, 4, 2])
        #expect(answers.requests == 20 && answers.failed == 8 && answers.unanswered == 4)
        #expect(answers.text == "20 requests, 8 failed (40%)")
        measured.record(try measured.series(Metric("http_repeated", .counter)), 1_200, at: 1_500_000)
        #expect(HTTPAnswers(measured)?.text == "20 requests, 8 failed (40%), 1,200 sent twice")
    }

    @Test("A run without requests has none, and a warm-up with some makes no difference")
    func none() throws {
        var measured = Measurements(phases: Self.phases)
        #expect(HTTPAnswers(measured) == nil)
        measured.record(try measured.series(Metric("http_failed", .rate)), isHit: true, at: 0)
        #expect(HTTPAnswers(measured) == nil)
        measured.record(try measured.series(Metric("http_failed", .rate)), isHit: false, at: 1_000_000)
        #expect(HTTPAnswers(measured)?.text == "1 request, none failed")
    }
}
