import Machines
import Testing

@testable import Metrics

@Suite("The delivery ledger")
struct LedgerTests {
    @Test("Deliveries are counted as lost, duplicated, out of order and to the wrong user")
    func account() {
        var ledger = Ledger(run: 7)
        let envelopes = (0..<5).map { _ in
            ledger.send(from: 1, in: 10, receivers: 2, intendedMicroseconds: 0)
        }
        for place in [0, 2, 1, 1, 4] { ledger.receive(envelopes[place], by: 2, isAddressee: true) }
        for place in 0..<5 { ledger.receive(envelopes[place], by: 3, isAddressee: true) }
        ledger.receive(envelopes[0], by: 9, isAddressee: false)
        ledger.receive(
            LedgerEnvelope(run: 8, sender: 1, channel: 10, sequence: 0, intendedMicroseconds: 0), by: 2,
            isAddressee: true)
        let account = ledger.account(isOver: true)
        #expect(account.sent == 5)
        #expect(account.expected == 10)
        #expect(account.delivered == 9)
        #expect(account.lost == 1)
        #expect(account.duplicated == 1)
        #expect(account.reordered == 1)
        #expect(account.misdelivered == 1)
        #expect(account.foreign == 1)
        #expect(!account.isClean)
        #expect(
            account.line == "9 of 10 deliveries, 1 lost, 1 duplicated, 1 out of order, 1 to the wrong user, "
                + "1 of another run")
        #expect(ledger.account(isOver: false).underWay == 1)
        #expect(ledger.worstStreams(limit: 5, isOver: true).map(\.sender) == [1])
    }

    @Test("Large numbers are told with commas")
    func line() {
        var account = DeliveryAccount()
        account.expected = 10_000_000
        account.delivered = 9_999_998
        account.lost = 2
        #expect(account.line == "9,999,998 of 10,000,000 deliveries, 2 lost, 0 duplicated")
    }

    @Test("Sender and receiver on different shards come to the account of one", arguments: 0..<10 as Range<UInt64>)
    func merging(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var whole = Ledger(run: 1)
        var shards = [Ledger](repeating: Ledger(run: 1), count: 3)
        for _ in 0..<500 {
            let sender = UInt32.random(in: 0..<6, using: &random)
            let envelope = whole.send(from: sender, in: sender / 2, receivers: 2, intendedMicroseconds: 5)
            #expect(
                shards[Int(sender) % 3].send(from: sender, in: sender / 2, receivers: 2, intendedMicroseconds: 5)
                    == envelope)
            for receiver in 10..<12 as Range<UInt32> {
                for _ in 0..<[0, 1, 1, 1, 1, 1, 1, 2].randomElement(using: &random)! {
                    let isAddressee = Int.random(in: 0..<20, using: &random) > 0
                    whole.receive(envelope, by: receiver, isAddressee: isAddressee)
                    shards[Int(receiver) % 3].receive(envelope, by: receiver, isAddressee: isAddressee)
                }
            }
        }
        for order in [[0, 1, 2], [2, 0, 1]] {
            var merged = shards[order[0]]
            merged.merge(shards[order[1]])
            merged.merge(shards[order[2]])
            #expect(merged == whole)
            #expect(merged.account(isOver: true) == whole.account(isOver: true))
        }
    }

    @Test("A message that could not be sent is not lost, and is no surprise if it comes all the same")
    func unsent() {
        var ledger = Ledger(run: 1)
        let envelopes = (0..<4).map { _ in ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0) }
        ledger.receive(envelopes[0], by: 2, isAddressee: true)
        ledger.excuse(2, from: 1, in: 1)
        // One is lost in earnest.
        #expect(ledger.account(isOver: true).lost == 1)
        ledger.receive(envelopes[3], by: 2, isAddressee: true)
        #expect(ledger.account(isOver: true).isClean && ledger.account(isOver: true).expected == 2)
        ledger.receive(envelopes[2], by: 2, isAddressee: true)
        let account = ledger.account(isOver: true)
        #expect(account.lost == 0 && account.unexpected == 0 && account.expected == 3)
        var other = Ledger(run: 1)
        _ = other.send(from: 1, in: 1, receivers: 2, intendedMicroseconds: 0)
        other.excuse(2, from: 1, in: 1)
        ledger.merge(other)
        #expect(ledger.account(isOver: true).lost == 0)
    }

    @Test("Deliveries that need not come are not lost, and excuse no others if they come all the same")
    func excused() {
        var ledger = Ledger(run: 1)
        let envelopes = (0..<4).map { _ in ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0) }
        ledger.excuse(2, from: 1, in: 1)
        #expect(ledger.account(isOver: true).lost == 2 && ledger.account(isOver: true).expected == 2)
        ledger.receive(envelopes[3], by: 2, isAddressee: true)
        ledger.excuse(-1, from: 1, in: 1)
        #expect(ledger.account(isOver: true).lost == 2 && ledger.account(isOver: true).expected == 3)
        ledger.excuse(-9, from: 1, in: 1)
        #expect(ledger.account(isOver: true).lost == 3 && ledger.account(isOver: true).unexpected == 0)
    }

    @Test("What was sent before a receiver began and came to it before is history, and anything else is not")
    func history() {
        var ledger = Ledger(run: 1)
        let envelopes = [5, 10].map { ledger.send(from: 1, in: 1, receivers: 2, intendedMicroseconds: $0) }
        #expect(ledger.receive(envelopes[0], by: 2, isAddressee: true) == .delivered)
        #expect(ledger.receive(envelopes[0], by: 2, isAddressee: true, since: 10) == .history)
        #expect(ledger.receive(envelopes[1], by: 2, isAddressee: true, since: 10) == .delivered)
        #expect(ledger.receive(envelopes[1], by: 2, isAddressee: true, since: 10) == .duplicated)
        // To this one it is new.
        #expect(ledger.receive(envelopes[0], by: 3, isAddressee: true, since: 10) == .delivered)
        let account = ledger.account(isOver: true)
        #expect(account.delivered == 3 && account.duplicated == 1)
    }

    @Test("A message, or a later one, has come to a receiver or has not")
    func hasCome() {
        var ledger = Ledger(run: 1)
        let envelopes = (0..<3).map { _ in ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0) }
        ledger.receive(envelopes[1], by: 2, isAddressee: true)
        #expect(envelopes.map { ledger.hasCome($0, to: 2) } == [true, true, false])
        #expect(!ledger.hasCome(envelopes[0], to: 3))
    }

    @Test("What comes back to its sender once more is a duplicate")
    func repeated() {
        var ledger = Ledger(run: 1)
        _ = ledger.send(from: 1, in: 1, receivers: 0, intendedMicroseconds: 0)
        ledger.repeated(from: 1, in: 1)
        #expect(ledger.account(isOver: true).line == "0 of 0 deliveries, 0 lost, 1 duplicated")
    }

    @Test("While the run lasts a message is lost only when 64 later ones have come")
    func overdue() {
        var ledger = Ledger(run: 1)
        let envelopes = (0..<70).map { _ in ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0) }
        for envelope in [envelopes[0]] + envelopes[2..<60] { ledger.receive(envelope, by: 2, isAddressee: true) }
        #expect(ledger.account(isOver: false).lost == 0)
        #expect(ledger.account(isOver: false).underWay == 11)
        for envelope in envelopes[60...] { ledger.receive(envelope, by: 2, isAddressee: true) }
        #expect(ledger.account(isOver: false).lost == 1)
        #expect(ledger.receive(envelopes[1], by: 2, isAddressee: true) == .reordered)
        #expect(ledger.account(isOver: true).lost == 0)
        #expect(ledger.receive(envelopes[1], by: 2, isAddressee: true) == .duplicated)
    }

    @Test("What was said before somebody joined, or while it was away, is not lost while the run lasts")
    func absence() {
        var ledger = Ledger(run: 1)
        let envelopes = (0..<600).map { _ in ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0) }
        for envelope in envelopes[100..<200] { ledger.receive(envelope, by: 2, isAddressee: true) }
        #expect(ledger.account(isOver: false).lost == 0)
        for envelope in envelopes[300..<400] { ledger.receive(envelope, by: 2, isAddressee: true, since: 9) }
        #expect(ledger.account(isOver: false).lost == 0)
        // One that comes all the same makes up for none that is missing.
        for envelope in envelopes[401..<500] { ledger.receive(envelope, by: 2, isAddressee: true, since: 9) }
        #expect(ledger.account(isOver: false).lost == 1)
        for number in [0, 50, 250] {
            #expect(ledger.receive(envelopes[number], by: 2, isAddressee: true, since: 9) == .reordered)
        }
        #expect(ledger.account(isOver: false).lost == 1)
        #expect(ledger.receive(envelopes[400], by: 2, isAddressee: true, since: 9) == .reordered)
        #expect(ledger.account(isOver: false).lost == 0)
        #expect(ledger.account(isOver: true).lost == 600 - 303)
    }

    @Test("Each stream has its own account of what later messages have overtaken, also in what is merged")
    func overdueByStream() {
        var (first, second) = (Ledger(run: 1), Ledger(run: 1))
        for sender in 1...2 as ClosedRange<UInt32> {
            let envelopes = (0..<70).map { _ in
                first.send(from: sender, in: 1, receivers: 1, intendedMicroseconds: 0)
            }
            // The second text of both is missing; 64 later ones of the second sender's have not come.
            for envelope in [envelopes[0]] + envelopes[2..<(sender == 1 ? 70 : 50)] {
                second.receive(envelope, by: 3, isAddressee: true)
            }
        }
        first.merge(second)
        #expect(first.account(isOver: false).lost == 1)
        #expect(first.account(isOver: false).underWay == 21)
        #expect(first.worstStreams(limit: 5, isOver: false).map(\.sender) == [1])
        #expect(first.worstStreams(limit: 5, isOver: true).map(\.sender) == [2, 1])
        #expect(first.defectLines(limit: 5, isOver: false).count == 1)
    }

    @Test("A lost message and an old one that comes again later than many others do not make up for each other")
    func lostAndDoubled() {
        var ledger = Ledger(run: 1)
        let envelopes = (0..<4_000).map { _ in ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0) }
        for (number, envelope) in envelopes.enumerated() {
            if number % 200 == 50 { continue }
            ledger.receive(envelope, by: 2, isAddressee: true)
            guard number % 200 == 199 else { continue }
            // More than 64 later than it came first.
            #expect(ledger.receive(envelopes[number - 99], by: 2, isAddressee: true) == .duplicated)
        }
        let account = ledger.account(isOver: true)
        #expect(account.lost == 20)
        #expect(account.duplicated == 20)
        #expect(account.reordered == 0)
        #expect(ledger.account(isOver: false).lost == 20)
    }

    @Test("Of more gaps than are remembered the old ones stay lost, and the new ones are told from duplicates")
    func manyGaps() {
        var window = ArrivalWindow()
        for number in 0..<UInt32(10_000) { #expect(window.receive(2 * number) == .inOrder) }
        #expect(window.missing == 10_000 - 1 - 32)
        #expect(window.receive(1) == .duplicate)
        #expect(window.missing == 10_000 - 1 - 32)
        #expect(window.receive(19_997) == .reordered)
        #expect(window.receive(19_997) == .duplicate)
        #expect(window.receive(19_001) == .reordered)
        #expect(window.missing == 10_000 - 2 - 32)
    }

    @Test("The window agrees with remembering every message", arguments: 0..<20 as Range<UInt64>)
    func window(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var window = ArrivalWindow()
        var seen: Set<UInt32> = []
        var highest: UInt32 = 0
        var first: UInt64?
        for step in 0..<2_000 as Range<UInt32> {
            // Never further back than the window, where it must know each message by itself.
            let jump = UInt32.random(in: 0..<60, using: &random)
            let sequence = Bool.random(using: &random) ? step + jump / 10 : highest - min(highest, jump)
            let expected: ArrivalWindow.Arrival =
                seen.contains(sequence) ? .duplicate : sequence < highest ? .reordered : .inOrder
            #expect(window.receive(sequence) == expected)
            seen.insert(sequence)
            highest = max(highest, sequence)
            // What came before all that have been seen was sent before the receiver was there.
            let start = first ?? UInt64(sequence)
            first = start
            let left = max(start, UInt64(highest) + 1 >= 64 ? UInt64(highest) + 1 - 64 : 0)
            #expect(window.missing == left - start - UInt64(seen.count { start..<left ~= UInt64($0) }))
        }
    }

    @Test("Numbers at the ends of their range do not trap")
    func extremes() {
        var ledger = Ledger(run: .max)
        for sequence in [0, UInt32.max, 0, 5, UInt32.max] {
            ledger.receive(
                LedgerEnvelope(run: .max, sender: .max, channel: .max, sequence: sequence, intendedMicroseconds: .max),
                by: .max, isAddressee: true)
        }
        // What comes before all that have been seen is new once, and a duplicate when it comes again.
        #expect(ledger.account(isOver: true).unexpected == 3)
        #expect(ledger.account(isOver: true).duplicated == 2)
        #expect(ledger.send(from: 1, in: 1, receivers: -3, intendedMicroseconds: -9).intendedMicroseconds == 0)
    }

    @Test("What a shard hears of texts that it has not sent is for the whole run to judge")
    func partOfRun() {
        let figures: [(WritableKeyPath<DeliveryAccount, Int64>, isWrongInPart: Bool)] = [
            (\.lost, true), (\.duplicated, true), (\.reordered, true), (\.misdelivered, true), (\.unexpected, false),
            (\.foreign, false),
        ]
        #expect(DeliveryAccount().isClean && DeliveryAccount().isCleanInPart)
        for (figure, isWrongInPart) in figures {
            var account = DeliveryAccount()
            account[keyPath: figure] = 1
            #expect(!account.isClean && account.isCleanInPart != isWrongInPart, "\(account.line)")
        }
    }
}

@Suite("Envelopes")
struct EnvelopeTests {
    private static let envelope = LedgerEnvelope(
        run: 0xDEAD_BEEF, sender: 41, channel: 7, sequence: 123_456, intendedMicroseconds: 98_765_432)

    @Test("An envelope is found at the end, in the middle, in another case, and alone")
    func found() throws {
        let text = Self.envelope.text
        #expect(text == "[rp1-1ps9wxb-15-7-2n9c-1msvw8-zic]")
        for (message, rest) in [
            ("hello \(text)", "hello"), (text, ""), ("a \(text) b", "a b"), ("x\(text)", "x"),
            ("hello \(text.uppercased())", "hello"), ("<p>hé [rp1- \(text)</p>", "<p>hé [rp1-</p>"),
        ] {
            let found = try #require(LedgerEnvelope.extract(from: message))
            #expect(found.envelope == Self.envelope)
            #expect(found.message == rest)
            #expect(Array(message.utf8).withUnsafeBytes(LedgerEnvelope.mayStand))
        }
        #expect(LedgerEnvelope.extract(from: Self.envelope.appended(to: "hi"))?.message == "hi")
    }

    @Test(
        "Where no envelope can stand is told at once", arguments: ["", "[", "[[rp", "x [rp1", "[rp2-", "rp1-1", "[[["])
    func noneCanStand(text: String) {
        #expect(!Array(text.utf8).withUnsafeBytes(LedgerEnvelope.mayStand))
    }

    @Test("Of two envelopes the last one counts, as in a quoted answer")
    func last() {
        var other = Self.envelope
        other.sequence = 9
        #expect(LedgerEnvelope.extract(from: "> \(Self.envelope.text) \(other.text)")?.envelope == other)
    }

    @Test("An envelope with one character changed or missing is none")
    func damaged() {
        let text = Self.envelope.text
        var mistaken = 0
        for place in text.indices {
            var cut = text
            cut.remove(at: place)
            if LedgerEnvelope.extract(from: cut) != nil { mistaken += 1 }
            for replacement in ["0", "z", "-", "]", "é", " "] {
                var changed = text
                changed.replaceSubrange(place...place, with: replacement)
                guard changed != text, let found = LedgerEnvelope.extract(from: changed) else { continue }
                if found.envelope != Self.envelope { mistaken += 1 }
            }
        }
        #expect(mistaken == 0)
    }

    @Test("Any text can be searched, and long ones in a time that grows with their length only")
    func hostile() {
        var random = RandomSource(seed: 3)
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in Array("[rp1-]0z+Z ".utf8).randomElement(using: &random)! }
            _ = LedgerEnvelope.extract(from: String(decoding: bytes, as: UTF8.self))
            _ = LedgerEnvelope.extract(from: String(decoding: random.bytes(40), as: UTF8.self))
        }
        #expect(LedgerEnvelope.extract(from: String(repeating: "[rp1-", count: 100_000)) == nil)
        #expect(LedgerEnvelope.extract(from: "[rp1-\(String(repeating: "z", count: 70))-1-1-1-1-1]") == nil)
    }

    @Test("Envelopes with any numbers come back", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let envelope = LedgerEnvelope(
            run: .random(in: 0 ... .max, using: &random), sender: .random(in: 0 ... .max, using: &random),
            channel: .random(in: 0...9, using: &random), sequence: .random(in: 0 ... .max, using: &random),
            intendedMicroseconds: .random(in: 0 ... .max, using: &random))
        #expect(LedgerEnvelope.extract(from: envelope.appended(to: "m"))?.envelope == envelope)
    }
}
