import Machines
import RunRecord
import Testing

@testable import Load

@Suite("The rendezvous of shards")
struct RendezvousTests {
    private let now = EpochTime(nanoseconds: 1_795_262_400_000_000_000)

    private func leader(_ count: Int, earliest: EpochTime? = nil) -> RendezvousLeader {
        RendezvousLeader(
            run: "nightly 17", plan: 0xABC, shard: Shard(index: 1, count: count), deadline: self.now + .seconds(60),
            margin: .seconds(2), earliest: earliest)
    }

    private func member(_ index: Int, of count: Int, plan: UInt64 = 0xABC, run: String = "nightly 17")
        -> RendezvousMember
    {
        RendezvousMember(
            run: run, plan: plan, shard: Shard(index: index, count: count), deadline: self.now + .seconds(90))
    }

    @Test("agrees on one instant for all, once the last one is ready")
    func agrees() {
        var leader = self.leader(3)
        #expect(leader.begin(at: self.now) == [])
        #expect(leader.received(self.member(3, of: 3).greeting.text, from: 10, at: self.now) == [])
        #expect(leader.missing == [Shard(index: 2, count: 3)])
        let later = self.now + .seconds(5)
        let start = later + .seconds(2)
        #expect(
            leader.received(self.member(2, of: 3).greeting.text, from: 11, at: later)
                == [.announce(.start(start)), .agree(start)])
        #expect(self.member(2, of: 3).received(RendezvousLine.start(start).text, at: later) == .agreed(start))
        #expect(leader.wake == nil)
        #expect(leader.wait(until: self.now + .seconds(100)) == [])
    }

    @Test("starts a run of one shard at once, and no run before the time that was given")
    func alone() {
        var leader = self.leader(1)
        #expect(leader.begin(at: self.now).last == .agree(self.now + .seconds(2)))
        var later = self.leader(1, earliest: self.now + .seconds(30))
        #expect(later.begin(at: self.now).last == .agree(self.now + .seconds(30)))
    }

    @Test("fails when shards are missing, and names them to all")
    func missing() {
        var leader = self.leader(4)
        _ = leader.received(self.member(3, of: 4).greeting.text, from: 10, at: self.now)
        #expect(leader.wait(until: self.now + .seconds(59)) == [])
        let actions = leader.wait(until: self.now + .seconds(60))
        #expect(actions.first == .announce(.failed("not ready in time: 2/4, 4/4")))
        guard case .fail(let error)? = actions.last else {
            Issue.record("the leader does not fail: \(actions)")
            return
        }
        #expect(error.message.contains("2/4, 4/4"))
        // One that comes then learns that it is too late.
        let late = leader.received(self.member(2, of: 4).greeting.text, from: 11, at: self.now + .seconds(61))
        guard case .refuse(11, .failed(let reason))? = late.first else {
            Issue.record("the late shard is not refused: \(late)")
            return
        }
        #expect(reason.contains("too late"))
    }

    @Test(
        "refuses a double shard, another plan, another run and whatever else comes",
        arguments: [
            ("repartee 1 ready 2/3 abc nightly 17", "twice"), ("repartee 1 ready 1/3 abc nightly 17", "twice"),
            ("repartee 1 ready 3/3 abd nightly 17", "another load shape, rows or seed"),
            ("repartee 1 ready 3/3 abc nightly 18", "not nightly 18"),
            ("repartee 1 ready 3/4 abc nightly 17", "3 shards, not 4"),
            ("repartee 1 start 17", "no line"), ("GET / HTTP/1.1", "no line"), ("", "no line"),
            ("repartee 2 ready 3/3 abc nightly 17", "no line"), ("repartee 1 ready 4/3 abc nightly 17", "no line"),
        ])
    func refuses(line: String, reason: String) {
        var leader = self.leader(3)
        _ = leader.received(self.member(2, of: 3).greeting.text, from: 10, at: self.now)
        let actions = leader.received(line, from: 11, at: self.now)
        guard actions.count == 1, case .refuse(11, .failed(let text))? = actions.first else {
            Issue.record("not refused: \(actions)")
            return
        }
        #expect(text.contains(reason))
        #expect(leader.missing == [Shard(index: 3, count: 3)])
    }

    @Test("waits again for a shard whose connection closed")
    func closed() {
        var three = self.leader(3)
        _ = three.received(self.member(2, of: 3).greeting.text, from: 10, at: self.now)
        // A connection that is no shard's takes none with it.
        three.closed(peer: 99)
        #expect(three.missing == [Shard(index: 3, count: 3)])
        three.closed(peer: 10)
        #expect(three.missing.count == 2)
        #expect(three.received(self.member(2, of: 3).greeting.text, from: 12, at: self.now) == [])
        #expect(three.received(self.member(3, of: 3).greeting.text, from: 13, at: self.now).count == 2)
    }

    @Test("makes the run invalid for a shard that hears of the start after it, or never")
    func late() {
        let member = self.member(2, of: 2)
        let line = RendezvousLine.start(self.now).text
        #expect(member.received(line, at: self.now) == .agreed(self.now))
        for outcome in [
            member.received(line, at: self.now + .milliseconds(1)), member.received("hello", at: self.now),
            member.received(RendezvousLine.failed("x").text, at: self.now), member.wait(until: self.now + .seconds(90)),
        ] {
            guard case .failed = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        #expect(member.wait(until: self.now) == .waiting)
    }

    @Test(
        "says the same to whoever reads its lines",
        arguments: [
            .ready(Shard(index: 2, count: 4), plan: .max, run: "a run of two words"), .ready(.whole, plan: 0, run: "x"),
            .start(EpochTime(nanoseconds: .max)), .start(EpochTime(nanoseconds: -5)), .failed("a reason"),
        ] as [RendezvousLine])
    func lines(line: RendezvousLine) {
        #expect(RendezvousLine(text: line.text) == line)
    }

    @Test("never makes two lines of a name with a line end in it, nor one that is too long")
    func oneLine() {
        let line = RendezvousLine.ready(
            .whole, plan: 1, run: "a\nrepartee 1 start 5" + String(repeating: "é", count: 900))
        let hasLineEnd = line.text.contains { $0.isNewline }
        #expect(!hasLineEnd)
        #expect(line.text.utf8.count <= RendezvousLine.limit)
        #expect(RendezvousLine(text: String(repeating: "x", count: 100_000)) == nil)
    }

    @Test("takes any bytes without a trap", arguments: 0..<200 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var bytes = Array("repartee 1 ready 2/4 9f86d081884c7d65 nightly-17".utf8)
        for _ in 0..<4 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let text = String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
        var leader = self.leader(4)
        let actions = leader.received(text, from: 1, at: self.now)
        // One line, whatever it says, is at most one shard of the three that are waited for.
        #expect(leader.wake != nil && leader.missing.count >= 2)
        #expect(!actions.contains { if case .agree = $0 { true } else { false } })
        #expect(EpochTime(text: text) == nil)
        #expect(self.member(2, of: 4).received(text, at: self.now) != .waiting)
    }
}
