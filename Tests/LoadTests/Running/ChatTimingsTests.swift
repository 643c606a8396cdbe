import Machines
import Testing

@testable import Load

@Suite("The times of one actor's conversation")
struct ChatTimingsTests {
    private static func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    /// Acknowledges a text and returns what that measures, in milliseconds.
    private static func acknowledge(
        _ timings: inout ChatTimings, _ number: UInt32? = nil, at milliseconds: Int64
    ) -> Int64? {
        var times: [Duration] = []
        timings.acknowledged(number, at: Self.at(milliseconds)) { metric, time in
            #expect(metric == .acknowledgement)
            times.append(time)
        }
        #expect(times.count < 2)
        return times.first.map { $0 / .milliseconds(1) }.map { Int64($0) }
    }

    @Test("An acknowledgement that names its text is that text's, in any order, and also if others are lost")
    func named() {
        var timings = ChatTimings()
        for number in 0..<4 as Range<UInt32> {
            _ = timings.sends("text", number: number, at: Self.at(10 * Int64(number)))
        }
        #expect(Self.acknowledge(&timings, 2, at: 25) == 5)
        #expect(Self.acknowledge(&timings, 1, at: 26) == 16)
        // What is acknowledged once more, or was never sent, is nothing new.
        #expect(Self.acknowledge(&timings, 1, at: 27) == nil)
        #expect(Self.acknowledge(&timings, 77, at: 27) == nil)
        #expect(Self.acknowledge(&timings, 3, at: 50) == 20)
    }

    @Test("Of texts whose acknowledgement is not declared those lack it that were overtaken or have waited long")
    func missing() {
        var timings = ChatTimings()
        for number in 0..<4 as Range<UInt32> {
            _ = timings.sends("text", number: number, isDue: number == 1, at: Self.at(10 * Int64(number)))
        }
        #expect(timings.missingCount(at: Self.at(40)) == 0)
        #expect(Self.acknowledge(&timings, 2, at: 41) == 21)
        // The second one is declared, and the acknowledgement of the last one may still come.
        #expect(timings.missingCount(at: Self.at(42)) == 1)
        #expect(timings.missingCount(at: Self.at(1029)) == 1)
        #expect(timings.missingCount(at: Self.at(1030)) == 2)
    }

    @Test("Of more named texts than are kept the oldest are given up")
    func manyNamed() {
        var timings = ChatTimings()
        _ = timings.sends("text", number: 0, at: Self.at(0))
        #expect(Self.acknowledge(&timings, 0, at: 1) == 1)
        for number in 1...3000 as ClosedRange<UInt32> {
            #expect(timings.sends("text", number: number, at: Self.at(Int64(number))) == true)
        }
        #expect(Self.acknowledge(&timings, 1, at: 4000) == nil)
        #expect(Self.acknowledge(&timings, 3000, at: 4000) == 1000)
    }

    @Test("Of more texts than are kept, times are missing and none is wrong")
    func manyUnnamed() {
        var timings = ChatTimings()
        let count: Int64 = 1500
        var kept: Int64 = 0
        for number in 0..<count where timings.sends("text", number: nil, at: Self.at(number)) { kept += 1 }
        #expect(kept == 1024)
        for number in 0..<count - 1 {
            #expect(Self.acknowledge(&timings, at: 10_000 + number) == (number < kept ? 10_000 : nil))
        }
        // The acknowledgement of an earlier one is still to come.
        #expect(timings.sends("text", number: nil, at: Self.at(20_000)) == false)
        #expect(Self.acknowledge(&timings, at: 20_001) == nil)
        #expect(Self.acknowledge(&timings, at: 20_002) == nil)
        #expect(timings.sends("text", number: nil, at: Self.at(20_003)) == true)
        #expect(Self.acknowledge(&timings, at: 20_010) == 7)
    }

    @Test("A text that is taken back takes no acknowledgement of another", arguments: [true, false])
    func takenBack(isNamed: Bool) {
        var timings = ChatTimings()
        let numbers: [UInt32?] = isNamed ? [0, 1] : [nil, nil]
        let wasKept = timings.sends("one", number: numbers[0], at: Self.at(0))
        timings.takeBack(number: numbers[0], sentAt: Self.at(0), wasKept: wasKept)
        _ = timings.sends("two", number: numbers[1], at: Self.at(100))
        #expect(Self.acknowledge(&timings, numbers[1], at: 130) == 30)
    }

    @Test("Texts are unacknowledged until they are, also those that are not kept", arguments: [true, false])
    func unacknowledged(isNamed: Bool) {
        var timings = ChatTimings()
        for number in 0..<1500 as Range<UInt32> {
            _ = timings.sends("text", number: isNamed ? number : nil, isDue: true, at: Self.at(Int64(number)))
        }
        #expect(timings.unacknowledgedCount == 1500)
        _ = timings.sends("text", number: isNamed ? 1500 : nil, at: Self.at(1500))
        _ = Self.acknowledge(&timings, isNamed ? 3 : nil, at: 2000)
        #expect(timings.unacknowledgedCount == 1499)
        // The same once more is no other one.
        if isNamed { _ = Self.acknowledge(&timings, 3, at: 2001) }
        #expect(timings.unacknowledgedCount == 1499)
    }

    /// Plays events and returns the times that they complete, in milliseconds.
    private static func times(of events: [(EventKind, at: Int64)]) -> [BuiltInMetric: Int64] {
        var timings = ChatTimings()
        var times: [BuiltInMetric: Int64] = [:]
        timings.commanded(at: Self.at(0))
        for (kind, at) in events {
            timings.observed(kind, isOwn: false, at: Self.at(at)) { metric, time in
                #expect(times[metric] == nil)
                times[metric] = Int64(time / .milliseconds(1))
            }
        }
        return times
    }

    @Test("A chat that starts before it is accepted has waited in the queue, and its first response not")
    func queued() {
        let queued: [(EventKind, at: Int64)] = [
            (.chatStarted, 10), (.queue, 20), (.accepted, 520), (.agentJoined, 550), (.message, 600), (.message, 900),
        ]
        #expect(Self.times(of: queued) == [.queue: 500, .firstResponse: 80])
        // A start after the queue does not end the wait either.
        let late: [(EventKind, at: Int64)] = [(.queue, 20), (.chatStarted, 30), (.agentJoined, 120), (.message, 150)]
        #expect(Self.times(of: late) == [.queue: 100, .firstResponse: 30])
        #expect(Self.times(of: [(.chatStarted, 10), (.autoMessage, 50)]) == [.firstResponse: 40])
        #expect(Self.times(of: [(.message, 50)]) == [:])
    }

    @Test("A text that holds one of the actor's and more quotes it, before and after it is acknowledged")
    func quoted() {
        var timings = ChatTimings()
        _ = timings.sends("hello", number: 0, at: Self.at(0))
        for _ in 1...2 {
            #expect(timings.isQuoted(0, by: "You asked: hello - I do not know"))
            for own in ["hello", "hell", "HELLO THERE", "h*llo there", ""] { #expect(!timings.isQuoted(0, by: own)) }
            #expect(!timings.isQuoted(1, by: "You asked: hello - I do not know"))
            _ = Self.acknowledge(&timings, 0, at: 1)
        }
    }
}

@Suite("The trace of a text")
struct TextTraceTests {
    @Test("finds the text in a longer one, and nothing else", arguments: 0..<20 as Range<UInt64>)
    func found(seed: UInt64) {
        var random = RandomSource(seed: seed)
        func text(_ lengths: ClosedRange<Int>) -> String {
            let count = Int.random(in: lengths, using: &random)
            return String((0..<count).map { _ in ["a", "b", "é"].randomElement(using: &random)! as Character })
        }
        for _ in 0..<500 {
            let (sent, received) = (text(1...5), text(0...20))
            let isLonger = received.utf8.count > sent.utf8.count
            #expect(TextTrace(of: sent).isWithin(received) == (isLonger && received.contains(sent)))
        }
    }

    @Test("is of no use for an empty text, and is not looked for in a very long one")
    func bounds() {
        #expect(!TextTrace(of: "").isWithin("anything"))
        let padding = String(repeating: "x", count: TextTrace.searchLimit - 5)
        #expect(TextTrace(of: "hello").isWithin(padding + "hello"))
        #expect(!TextTrace(of: "hello").isWithin(padding + "xhello"))
        let long = String(repeating: "y", count: 100_000)
        #expect(!TextTrace(of: long).isWithin(long + "y"))
    }
}
