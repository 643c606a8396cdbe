import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Scenarios dealt to event loops")
struct RealTimeDealTests {
    private static func members(_ source: String) -> [ScenarioSuite.Member] {
        MiniRun.suite(source).prepared(repetitions: 1, retries: 0).members
    }

    private static func plain(_ count: Int) -> [ScenarioSuite.Member] {
        Self.members("for number = 1, \(count) do scenario(\"s\" .. number, function() end) end")
    }

    /// Two scenarios that tries decide, five of which begin at once, and a plain one.
    private static let tried = Self.members(
        """
        scenario("one", { passes = { at_least = 0.9 } }, function() end)
        scenario("two", { passes = { at_least = 0.9 } }, function() end)
        scenario("plain", function() end)
        """)

    private static func end(_ outcome: Outcome = .passed) -> ScenarioEnd {
        ScenarioEnd(index: 0, atNanoseconds: 0, outcome: outcome)
    }

    /// Deals until nothing can be played.
    private func all(_ deal: inout RealTimeDeal, mayBegin: Bool = true) -> [(loop: Int, play: DealtPlay)] {
        var dealt: [(loop: Int, play: DealtPlay)] = []
        while let one = deal.deal(mayBegin: mayBegin, at: .zero) { dealt.append(one) }
        return dealt
    }

    @Test("the slots are spread over the loops, and scenarios begin in their order on the one that has most free ones")
    func spread() {
        var deal = RealTimeDeal(Self.plain(20), slots: 8, loops: 3)
        let dealt = self.all(&deal)
        #expect(dealt.map(\.play) == (0..<8).map { .scenario($0) })
        #expect(dealt.map(\.loop) == [0, 1, 0, 1, 2, 0, 1, 2])
        #expect(deal.freeSlot(on: 2, endOf: 4) == nil)
        let next = self.all(&deal)
        #expect(next.map(\.loop) == [2] && next.map(\.play) == [.scenario(8)])
    }

    @Test(
        "a loop has a slot and something to play",
        arguments: [(16, 2, 2), (1, 8, 1), (16, 64, 5), (3, 8, 3), (4, 0, 1)])
    func loopCount(slots: Int, processors: Int, count: Int) {
        #expect(RealTimeDeal.loopCount(for: Self.plain(5), slots: slots, processors: processors) == count)
    }

    @Test("tries of one scenario count as many plays, and none at all plays on one loop")
    func loopCountOfTries() {
        let tried = Array(Self.tried.prefix(1))
        #expect(RealTimeDeal.loopCount(for: tried, slots: 16, processors: 8) == 8)
        #expect(RealTimeDeal.loopCount(for: [], slots: 16, processors: 8) == 1)
    }

    @Test("nothing begins that may not, and then all is at rest once what plays has ended")
    func stopped() {
        var deal = RealTimeDeal(Self.plain(4), slots: 2, loops: 2)
        #expect(deal.isAtRest && self.all(&deal).count == 2 && !deal.isAtRest)
        for index in 0..<2 { #expect(deal.freeSlot(on: index, endOf: index) == nil) }
        #expect(self.all(&deal, mayBegin: false).isEmpty && deal.isAtRest)
        #expect(deal.takeRest().map(\.definition.title) == ["s3", "s4"])
        #expect(deal.takeRest().isEmpty && self.all(&deal).isEmpty)
    }

    @Test("the end of a file is told once, with the last of its scenarios, wherever that was played")
    func files() {
        let settings = MiniRun.settings()
        let source = "scenario(\"s\", function() end) scenario(\"t\", function() end)"
        let suite = ScenarioSuite(
            [ScriptFile(name: "a.lua", source: source), ScriptFile(name: "b.lua", source: source)], settings: settings)
        var deal = RealTimeDeal(suite.prepared(repetitions: 1, retries: 0).members, slots: 4, loops: 2)
        #expect(self.all(&deal).map(\.loop) == [0, 1, 0, 1])
        #expect(deal.freeSlot(on: 1, endOf: 3) == nil)
        #expect(deal.freeSlot(on: 0, endOf: 0) == nil)
        #expect(deal.freeSlot(on: 1, endOf: 1) == "a.lua")
        #expect(deal.freeSlot(on: 0, endOf: 2) == "b.lua")
        #expect(deal.isAtRest)
    }

    @Test("tries of one scenario play on several loops, and those that have begun come before what has not")
    func tries() throws {
        var deal = RealTimeDeal(Self.tried, slots: 7, loops: 2)
        let dealt = self.all(&deal)
        #expect(dealt.prefix(5).map(\.play) == (1...5).map { .try(0, number: $0) })
        #expect(Set(dealt.prefix(5).map(\.loop)) == [0, 1])
        #expect(dealt.suffix(2).map(\.play) == [.try(1, number: 1), .try(1, number: 2)])
        // One that failed leaves one less to come, one that passed makes another one needed.
        #expect(!deal.add(Self.end(.failed), TryEvidence(number: 1, isWhole: true), of: 0).isDone)
        _ = deal.freeSlot(on: 0, endOf: nil)
        #expect(self.all(&deal).map(\.play) == [.try(1, number: 3)])
        #expect(!deal.add(Self.end(.passed), TryEvidence(number: 2, isWhole: true), of: 0).isDone)
        _ = deal.freeSlot(on: 1, endOf: nil)
        #expect(self.all(&deal).map(\.play) == [.try(0, number: 6)])
    }

    @Test("tries that have begun are played on when nothing else may begin, until they decide")
    func decided() {
        var deal = RealTimeDeal(Array(Self.tried.prefix(2)), slots: 1, loops: 1)
        var mayBegin = true
        var count = 0
        while let (loop, play) = deal.deal(mayBegin: mayBegin, at: .zero) {
            mayBegin = false
            count += 1
            #expect(play == .try(0, number: count) && !deal.isAtRest)
            let judgement = deal.add(Self.end(.failed), TryEvidence(number: count, isWhole: true), of: 0)
            #expect(judgement.judged.map(\.number) == [count] && deal.standing(of: 0) != nil)
            let file = deal.freeSlot(on: loop, endOf: judgement.isDone ? 0 : nil)
            #expect(file == nil && deal.isAtRest == judgement.isDone)
        }
        #expect(count > 2 && deal.isAtRest && deal.standing(of: 0) == nil && deal.takeRest().count == 1)
    }

    @Test("whatever ends first, all play once, none has a slot too many, and all come to rest", arguments: 1...60)
    func walk(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        let members = Self.tried + Self.plain(12)
        let (slots, loops) = (Int.random(in: 3...9, using: &random), seed % 3 + 1)
        var deal = RealTimeDeal(members, slots: slots, loops: loops)
        var playing: [(loop: Int, play: DealtPlay)] = []
        var begun: [DealtPlay] = []
        var ended: [Int] = []
        var needless = 0
        while true {
            let dealt = self.all(&deal)
            begun += dealt.map(\.play)
            playing += dealt
            #expect(deal.isAtRest == playing.isEmpty)
            if playing.isEmpty { break }
            for loop in 0..<loops {
                #expect(playing.count { $0.loop == loop } <= slots / loops + (loop < slots % loops ? 1 : 0))
            }
            let (loop, play) = playing.remove(at: Int.random(in: 0..<playing.count, using: &random))
            switch play {
            case .scenario(let index):
                ended.append(index)
                _ = deal.freeSlot(on: loop, endOf: index)
            case .try(let index, let number):
                let outcome: Outcome = [.passed, .passed, .failed, .error][Int.random(in: 0..<4, using: &random)]
                let judgement = deal.add(Self.end(outcome), TryEvidence(number: number, isWhole: true), of: index)
                for (number, loop) in judgement.needless {
                    needless += 1
                    #expect(playing.contains { $0.loop == loop && $0.play == .try(index, number: number) })
                }
                if judgement.isDone { ended.append(index) }
                _ = deal.freeSlot(on: loop, endOf: judgement.isDone ? index : nil)
            }
        }
        #expect(ended.sorted() == Array(members.indices) && deal.takeRest().isEmpty)
        #expect(Set(begun).count == begun.count)
        // Each series is broken at most once, and tells of those beside it then.
        #expect(needless <= 2 * slots)
    }
}

@Suite("Tries that play on several event loops")
struct RealTimeSeriesTests {
    private static func series() throws -> RealTimeSeries {
        let suite = MiniRun.suite("scenario(\"s\", { passes = { at_least = 0.9 } }, function() end)")
        let member = try #require(suite.prepared(repetitions: 1, retries: 0).members.first)
        return RealTimeSeries(try #require(member.tries), begin: .seconds(3))
    }

    private static func said(_ number: Int) -> [RunEntry] {
        [.happened(scenario: number, atNanoseconds: 0, .logged(level: .info, text: "\(number)"))]
    }

    private static func end(_ number: Int, _ outcome: Outcome) -> (ScenarioEnd, TryEvidence) {
        (
            ScenarioEnd(index: number, atNanoseconds: 0, outcome: outcome), TryEvidence(number: number, isWhole: true)
        )
    }

    /// The numbers of tries in what goes to the record; those of ends are negative.
    private static func numbers(_ entries: [RunEntry]) -> [Int] {
        entries.map { entry in
            switch entry {
            case .scenarioEnded(let end): -end.index
            case .happened(let number, _, _): number
            case .scenarioStarted, .runStarted, .runEnded: 0
            }
        }
    }

    @Test("what they give goes to the record in the order of their numbers, at once for the first that has not ended")
    func order() throws {
        var series = try Self.series()
        for number in 1...5 { #expect(series.next(on: number % 2) == number) }
        #expect(series.next(on: 0) == nil)
        #expect(Self.numbers(series.add(Self.said(1), ofTry: 1)) == [1])
        for number in [3, 2, 3] { #expect(series.add(Self.said(number), ofTry: number).isEmpty) }
        let (third, evidence) = Self.end(3, .failed)
        #expect(series.add(third, evidence).entries.isEmpty)
        let (first, proof) = Self.end(1, .failed)
        let judgement = series.add(first, proof)
        #expect(Self.numbers(judgement.entries) == [-1, 2] && judgement.judged.map(\.number) == [1])
        #expect(Self.numbers(series.add(Self.said(2), ofTry: 2)) == [2])
        let (second, other) = Self.end(2, .failed)
        #expect(Self.numbers(series.add(second, other).entries) == [-2, 3, 3, -3])
        #expect(series.begin == .seconds(3))
    }

    @Test("one that broke tells once where those beside it play, and what they still give is nobody's")
    func broken() throws {
        var series = try Self.series()
        for number in 1...5 { #expect(series.next(on: 10 + number) == number) }
        #expect(series.add(Self.said(2), ofTry: 2).isEmpty)
        let (broken, evidence) = Self.end(1, .error)
        let judgement = series.add(broken, evidence)
        #expect(judgement.needless == [2: 12, 3: 13, 4: 14, 5: 15] && !judgement.isDone)
        #expect(Self.numbers(judgement.entries) == [-1] && series.outcome == .error)
        #expect(series.add(Self.said(2), ofTry: 2).isEmpty && series.next(on: 0) == nil)
        for number in [4, 2, 5, 3] {
            let (end, evidence) = Self.end(number, .error)
            let rest = series.add(end, evidence)
            #expect(rest.entries.isEmpty && rest.judged.isEmpty && rest.needless.isEmpty)
            #expect(rest.isDone == (number == 3))
        }
    }
}
