import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Mailboxes and barriers, walked at random")
struct CoordinationWalkTests {
    @Test(
        "each letter reaches the reader who has waited longest, in the order of posting",
        arguments: 1...15 as ClosedRange<UInt64>)
    func mailboxes(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let coordination = LocalCoordination(limit: 1 << 20)
        let names = ["a", "b"]
        // The plainest model: letters and readers of each box as lists.
        var letters: [String: [Int64]] = [:]
        var readers: [String: [Int]] = [:]
        var expected: [Int: Int64] = [:]
        var got: [Int: Int64] = [:]
        var leaves: [(reader: Int, name: String, leave: () -> Void)] = []
        var (letterCount, readerCount): (Int64, Int) = (0, 0)
        for _ in 0..<500 {
            guard let name = names.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                letterCount += 1
                #expect(coordination.post(.integer(letterCount), to: name) == nil)
                if readers[name]?.isEmpty == false, let reader = readers[name]?.removeFirst() {
                    expected[reader] = letterCount
                } else {
                    letters[name, default: []].append(letterCount)
                }
            case 2, 3:
                readerCount += 1
                let reader = readerCount
                if letters[name]?.isEmpty == false, let letter = letters[name]?.removeFirst() {
                    expected[reader] = letter
                } else {
                    readers[name, default: []].append(reader)
                }
                let leave = coordination.take(from: name) { letter in
                    #expect(got[reader] == nil, "a reader gets one letter")
                    got[reader] = letter.integer
                }
                leaves.append((reader, name, leave))
            default:
                // Also readers that have their letter already: that takes nothing back.
                guard let place = leaves.indices.randomElement(using: &random) else { continue }
                let (reader, name, leave) = leaves.remove(at: place)
                leave()
                readers[name]?.removeAll { $0 == reader }
            }
            #expect(got == expected)
        }
    }

    @Test(
        "a barrier opens for those who wait at it, all at once, and for nobody who has left or says another number",
        arguments: 1...15 as ClosedRange<UInt64>)
    func barriers(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let coordination = LocalCoordination(limit: 1 << 20)
        var waiting: [Int] = []
        var awaited = 0
        var (through, expected): ([Int], [Int]) = ([], [])
        var (refused, wrong): ([Int], [Int]) = ([], [])
        var leaves: [(number: Int, leave: () -> Void)] = []
        for number in 0..<300 {
            if Int.random(in: 0..<4, using: &random) == 0, let place = leaves.indices.randomElement(using: &random) {
                let (other, leave) = leaves.remove(at: place)
                leave()
                waiting.removeAll { $0 == other }
                continue
            }
            // Who comes says how many it takes; the barrier opens when that many are there who say the same.
            let isKnown = !waiting.isEmpty && Int.random(in: 0..<4, using: &random) > 0
            let count = isKnown ? awaited : Int.random(in: 1...5, using: &random)
            if waiting.isEmpty { awaited = count }
            if count == awaited { waiting.append(number) } else { wrong.append(number) }
            if waiting.count == awaited {
                expected += waiting
                waiting = []
            }
            let leave = coordination.arrive(at: "door", count: count) { refusal in
                if refusal == nil { through.append(number) } else { refused.append(number) }
            }
            leaves.append((number, leave))
            #expect(through == expected && refused == wrong, "\(number)")
        }
    }

    @Test("barriers and mailboxes of one name have nothing to do with each other")
    func names() {
        let coordination = LocalCoordination(limit: 1 << 20)
        var events: [String] = []
        _ = coordination.arrive(at: "x", count: 2) { _ in events.append("door") }
        _ = coordination.post("letter", to: "x")
        _ = coordination.take(from: "y") { _ in events.append("y") }
        #expect(events == [])
        _ = coordination.take(from: "x") { _ in events.append("x") }
        #expect(events == ["x"])
    }

    @Test("who is woken may come back at once, to the barrier that has just opened or to the mailbox")
    func again() {
        let coordination = LocalCoordination(limit: 1 << 20)
        var events: [String] = []
        _ = coordination.arrive(at: "door", count: 2) { _ in
            events.append("1")
            _ = coordination.arrive(at: "door", count: 2) { _ in events.append("1 again") }
        }
        _ = coordination.arrive(at: "door", count: 2) { _ in events.append("2") }
        #expect(events == ["1", "2"])
        _ = coordination.arrive(at: "door", count: 2) { _ in events.append("3") }
        #expect(events == ["1", "2", "1 again", "3"])
        _ = coordination.take(from: "box") { letter in
            events.append(letter.string ?? "")
            _ = coordination.take(from: "box") { events.append(($0.string ?? "") + " again") }
        }
        _ = coordination.post("a", to: "box")
        _ = coordination.post("b", to: "box")
        #expect(events.suffix(2) == ["a", "b again"])
    }

    @Test("a mailbox holds so many letters that nobody takes, and says which one is full")
    func full() {
        let coordination = LocalCoordination(limit: 1 << 30)
        for _ in 0..<LocalCoordination.mailboxLimit { #expect(coordination.post(1, to: "box") == nil) }
        #expect(coordination.post(1, to: "box") == "the mailbox \"box\" holds 100000 letters that nobody takes")
        #expect(coordination.post(1, to: "other") == nil)
        _ = coordination.take(from: "box") { _ in }
        #expect(coordination.post(1, to: "box") == nil)
    }

    @Test("nothing is kept of a mailbox with neither letters nor readers: a long run may name one for each exchange")
    func emptied() {
        let coordination = LocalCoordination(limit: 1 << 20)
        for number in 0..<10 {
            // The last to go is a letter, a reader that is served, and one that waits no more.
            _ = coordination.post("a", to: "taken \(number)")
            _ = coordination.take(from: "taken \(number)") { _ in }
            _ = coordination.take(from: "served \(number)") { _ in }
            _ = coordination.post("b", to: "served \(number)")
            _ = coordination.take(from: "given back \(number)") { _ in }
            coordination.putBack("c", to: "given back \(number)")
            let leave = coordination.take(from: "left \(number)") { _ in }
            leave()
        }
        #expect(Self.mailboxCount(of: coordination) == 0)
        _ = coordination.post("d", to: "box")
        _ = coordination.take(from: "other") { _ in }
        #expect(Self.mailboxCount(of: coordination) == 2)
    }

    private static func mailboxCount(of coordination: LocalCoordination) -> Int? {
        guard let mailboxes = Mirror(reflecting: coordination).descendant("mailboxes") else { return nil }
        return Mirror(reflecting: mailboxes).children.count
    }

    @Test("a letter that goes to a waiting reader needs no room")
    func noRoomNeeded() {
        let coordination = LocalCoordination(limit: 0)
        #expect(coordination.post("a", to: "box") != nil)
        var got: String?
        _ = coordination.take(from: "box") { got = $0.string }
        #expect(coordination.post("b", to: "box") == nil)
        #expect(got == "b")
    }
}
