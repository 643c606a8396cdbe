import JSON
import Machines
import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("The timers of a worker")
struct TimerQueueTests {
    private func instant(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    @Test("actions come in the order of their times, and equal times in that of scheduling")
    func order() {
        var queue = TimerQueue()
        var done: [String] = []
        for (name, due) in [("c", 20), ("a", 10), ("d", 20), ("b", 10)] as [(String, Int64)] {
            _ = queue.add(due: self.instant(due)) { done.append(name) }
        }
        while let action = queue.takeDue(at: self.instant(20)) { action() }
        #expect(done == ["a", "b", "c", "d"])
        #expect(queue.nextDue == nil)
    }

    @Test("what is not due waits")
    func waits() {
        var queue = TimerQueue()
        _ = queue.add(due: self.instant(10)) {}
        #expect(queue.takeDue(at: self.instant(9)) == nil)
        #expect(queue.nextDue == self.instant(10))
        #expect(queue.takeDue(at: self.instant(10)) != nil)
    }

    @Test("a canceled action does not come, and canceling it again changes nothing")
    func canceled() {
        var queue = TimerQueue()
        var done: [Int] = []
        let first = queue.add(due: self.instant(1)) { done.append(1) }
        queue.cancel(first)
        // The slot of the first is free for the second, which is another action.
        _ = queue.add(due: self.instant(1)) { done.append(2) }
        queue.cancel(first)
        while let action = queue.takeDue(at: self.instant(1)) { action() }
        #expect(done == [2])
    }

    @Test(
        "of thousands that are added and canceled in any order exactly the others come, by their times",
        arguments: 1...3 as ClosedRange<UInt64>)
    func many(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var queue = TimerQueue()
        var done: [Int64] = []
        var waiting: [(id: ScheduledID, due: Int64)] = []
        for _ in 0..<5000 {
            if waiting.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
                let due = Int64.random(in: 0..<100, using: &random)
                waiting.append((queue.add(due: self.instant(due)) { done.append(due) }, due))
            } else {
                let canceled = waiting.remove(at: Int.random(in: waiting.indices, using: &random))
                queue.cancel(canceled.id)
            }
        }
        while let action = queue.takeDue(at: self.instant(100)) { action() }
        #expect(done == waiting.map(\.due).sorted())
    }
}

@Suite("A worker in virtual time")
struct WorkerTests {
    @Test("time moves to the next timer and no further")
    func moves() {
        let worker = Worker()
        var times: [Duration] = []
        _ = worker.schedule(after: .seconds(5)) { times.append(worker.now - .start) }
        _ = worker.schedule(after: .seconds(1)) {
            times.append(worker.now - .start)
            _ = worker.schedule(after: .seconds(1)) { times.append(worker.now - .start) }
        }
        #expect(worker.runVirtually { times.count == 3 } == .done)
        #expect(times == [.seconds(1), .seconds(2), .seconds(5)])
        #expect(worker.now - .start == .seconds(5))
    }

    @Test("where nothing is left to happen a worker says so")
    func nothing() {
        let worker = Worker()
        #expect(worker.runVirtually { false } == .nothingCanHappen)
        #expect(worker.now == .start)
    }

    @Test("a worker that has ended is held by nothing that it was to do")
    func ended() {
        weak var held: Worker?
        func schedule() {
            let worker = Worker()
            held = worker
            var other: ScheduledID?
            _ = worker.schedule(after: .seconds(2)) { _ = worker.now }
            // As what is dropped may do: it cancels what is dropped with it.
            let canceler = Canceler { other.map(worker.cancel) }
            other = worker.schedule(after: .seconds(2)) { _ = canceler }
            worker.end()
        }
        schedule()
        #expect(held == nil)
    }

    @Test("a worker that ends lets happen what is due at once and what follows from it, and nothing that is far")
    func lastActions() {
        let worker = Worker()
        var done: [String] = []
        _ = worker.schedule(after: .zero) {
            done.append("closed")
            _ = worker.schedule(after: .milliseconds(20)) { done.append("told") }
        }
        _ = worker.schedule(after: .seconds(60)) { done.append("far") }
        worker.end()
        #expect(done == ["closed", "told"])
    }

    @Test("a worker ends although something comes again and again")
    func endlessEnd() {
        let worker = Worker()
        var count = 0
        func again() {
            count += 1
            _ = worker.schedule(after: .zero) { again() }
        }
        again()
        worker.end()
        #expect(count > 1)
        #expect(worker.runVirtually { false } == .nothingCanHappen)
    }

    @Test("a worker that ends asks no other thread any more, for that may take long")
    func endWithoutOthers() {
        let worker = Worker()
        var isAsked = false
        worker.outside { (tell: @escaping @Sendable (Int) -> Void) in
            isAsked = true
            tell(1)
        } completion: { _ in
            isAsked = true
        }
        worker.end()
        #expect(!isAsked)
    }

    /// Does something when it goes.
    private final class Canceler {
        private let cancel: () -> Void

        init(_ cancel: @escaping () -> Void) {
            self.cancel = cancel
        }

        deinit { self.cancel() }
    }

    @Test("a delay below zero is none")
    func negative() {
        let worker = Worker()
        var isDone = false
        _ = worker.schedule(after: .seconds(-1)) { isDone = true }
        #expect(worker.runVirtually { isDone } == .done)
        #expect(worker.now == .start)
    }
}

@Suite("Where threads meet")
struct LocalCoordinationTests {
    @Test("a barrier opens for all once as many have come as it takes, and closes behind them")
    func barrier() {
        let coordination = LocalCoordination(limit: 1 << 20)
        var through: [Int] = []
        for number in 1...5 { _ = coordination.arrive(at: "door", count: 2) { _ in through.append(number) } }
        #expect(through == [1, 2, 3, 4])
    }

    @Test("who waits no longer is not counted")
    func left() {
        let coordination = LocalCoordination(limit: 1 << 20)
        var through: [Int] = []
        let leave = coordination.arrive(at: "door", count: 2) { _ in through.append(1) }
        leave()
        _ = coordination.arrive(at: "door", count: 2) { _ in through.append(2) }
        #expect(through == [])
        _ = coordination.arrive(at: "door", count: 2) { _ in through.append(3) }
        #expect(through == [2, 3])
    }

    @Test("letters are taken in the order in which they came, by whoever has waited longest")
    func letters() {
        let coordination = LocalCoordination(limit: 1 << 20)
        var read: [String] = []
        #expect(coordination.post("a", to: "box") == nil)
        _ = coordination.take(from: "box") { read.append("1\($0.string ?? "")") }
        _ = coordination.take(from: "box") { read.append("2\($0.string ?? "")") }
        let leave = coordination.take(from: "box") { read.append("3\($0.string ?? "")") }
        leave()
        _ = coordination.take(from: "box") { read.append("4\($0.string ?? "")") }
        for letter in ["b", "c", "d"] { #expect(coordination.post(.string(letter), to: "box") == nil) }
        _ = coordination.take(from: "box") { read.append("5\($0.string ?? "")") }
        #expect(read == ["1a", "2b", "4c", "5d"])
    }

    @Test("a letter that is put back is the oldest again")
    func putBack() {
        let coordination = LocalCoordination(limit: 1 << 20)
        _ = coordination.post("b", to: "box")
        coordination.putBack("a", to: "box")
        var read: [String?] = []
        for _ in 0..<2 { _ = coordination.take(from: "box") { read.append($0.string) } }
        #expect(read == ["a", "b"])
    }

    @Test("letters that nobody takes are bounded in bytes, and taking one makes room")
    func bounded() {
        let coordination = LocalCoordination(limit: 4096)
        let letter = JSONValue.string(String(repeating: "x", count: 1000))
        var refusal: String?
        var count = 0
        while refusal == nil, count < 100 {
            refusal = coordination.post(letter, to: "box")
            count += 1
        }
        #expect(count <= 4)
        #expect(refusal?.contains("limits.held_memory") == true)
        _ = coordination.take(from: "box") { _ in }
        #expect(coordination.post(letter, to: "box") == nil)
    }
}
