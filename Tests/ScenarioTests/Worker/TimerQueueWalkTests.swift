import Machines
import Testing
import Transport

@testable import Scenario

@Suite("The timers of a worker, walked at random")
struct TimerQueueWalkTests {
    /// The same in the plainest way: a list that is searched each time.
    private struct Model {
        private(set) var waiting: [(due: Int64, name: Int)] = []

        /// The place of the next one: of those with the earliest time the one that was added first.
        private var next: Int? {
            self.waiting.indices.min {
                (self.waiting[$0].due, self.waiting[$0].name) < (self.waiting[$1].due, self.waiting[$1].name)
            }
        }

        var nextDue: Int64? { self.next.map { self.waiting[$0].due } }

        mutating func add(_ name: Int, due: Int64) { self.waiting.append((due, name)) }
        mutating func cancel(_ name: Int) { self.waiting.removeAll { $0.name == name } }

        mutating func takeDue(at now: Int64) -> Int? {
            guard let place = self.next, self.waiting[place].due <= now else { return nil }
            return self.waiting.remove(at: place).name
        }
    }

    private func instant(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test(
        "adding, canceling and taking in any order gives what a sorted list gives",
        arguments: 1...20 as ClosedRange<UInt64>)
    func walk(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var queue = TimerQueue()
        var model = Model()
        var ids: [ScheduledID] = []
        var taken: [Int] = []
        var now: Int64 = 0
        // Some walks let many wait, others hardly any, so that slots are used again and again.
        let eagerness = Int.random(in: 1...4, using: &random)
        for step in 0..<600 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<(2 + eagerness):
                let due = now + Int64.random(in: -3...20, using: &random)
                let name = ids.count
                ids.append(queue.add(due: self.instant(due)) { taken.append(name) })
                model.add(name, due: due)
            case 6:
                // Also those that are gone: what lies in their slot by now is another action.
                guard let name = ids.indices.randomElement(using: &random) else { continue }
                queue.cancel(ids[name])
                model.cancel(name)
            default:
                now += Int64.random(in: 0...4, using: &random)
                taken = []
                while let action = queue.takeDue(at: self.instant(now)) { action() }
                var expected: [Int] = []
                while let name = model.takeDue(at: now) { expected.append(name) }
                #expect(taken == expected, "step \(step)")
            }
            #expect(queue.nextDue == model.nextDue.map { self.instant($0) }, "step \(step)")
        }
    }

    @Test("canceling nearly all of many leaves the others, in their order")
    func mostCanceled() {
        var queue = TimerQueue()
        var done: [Int] = []
        let ids = (0..<1000).map { number in queue.add(due: self.instant(Int64(number % 7))) { done.append(number) } }
        for (number, id) in ids.enumerated() where number % 50 != 0 { queue.cancel(id) }
        while let action = queue.takeDue(at: self.instant(7)) { action() }
        let left = (0..<1000).filter { $0 % 50 == 0 }
        #expect(done == (0..<7).flatMap { due in left.filter { $0 % 7 == due } })
        #expect(queue.nextDue == nil)
    }

    @Test("an action that was canceled is let go at once, though its time has not come")
    func released() {
        final class Held {}
        var queue = TimerQueue()
        weak var held: Held?
        let id = {
            let object = Held()
            held = object
            return queue.add(due: self.instant(1_000_000)) { withExtendedLifetime(object) {} }
        }()
        #expect(held != nil)
        queue.cancel(id)
        #expect(held == nil)
    }

    @Test("an id that was never given, and one of an empty queue, cancel nothing")
    func unknown() {
        var queue = TimerQueue()
        queue.cancel(ScheduledID(0))
        queue.cancel(ScheduledID(.max))
        _ = queue.add(due: .start) {}
        queue.cancel(ScheduledID(0))
        queue.cancel(ScheduledID(.max))
        #expect(queue.takeDue(at: .start) != nil)
    }

    @Test("the end of time is a time like others")
    func extremes() {
        var queue = TimerQueue()
        var done: [String] = []
        _ = queue.add(due: self.instant(.max)) { done.append("last") }
        _ = queue.add(due: self.instant(.min)) { done.append("first") }
        #expect(queue.nextDue == self.instant(.min))
        while let action = queue.takeDue(at: self.instant(.max - 1)) { action() }
        #expect(done == ["first"])
        while let action = queue.takeDue(at: self.instant(.max)) { action() }
        #expect(done == ["first", "last"])
    }
}
