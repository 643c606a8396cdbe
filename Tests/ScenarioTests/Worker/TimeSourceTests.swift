import Machines
import NIOCore
import Testing

@testable import Scenario

@Suite("The one source of time")
struct TimeSourceTests {
    @Test("virtual time stands still until it is moved, and never goes back")
    func virtual() {
        var time = TimeSource.virtual
        #expect(time.isVirtual && time.now == .start)
        time.advance(to: .start + .seconds(5))
        #expect(time.now == Instant.start + .seconds(5))
        time.advance(to: .start + .seconds(3))
        #expect(time.now == Instant.start + .seconds(5))
        time.advance(to: Instant(nanoseconds: .max))
        #expect(time.now == Instant(nanoseconds: .max))
        time.advance(to: .start)
        #expect(time.now == Instant(nanoseconds: .max))
    }

    @Test("virtual time has no deadline on the clock of the machine")
    func virtualDeadline() {
        #expect(TimeSource.virtual.deadline(of: .start) == nil)
        #expect(TimeSource.virtual.deadline(of: Instant(nanoseconds: .max)) == nil)
    }

    @Test("real time cannot be moved, and its deadlines are as far apart as its instants")
    func real() throws {
        var time = TimeSource.real()
        time.advance(to: .start + .seconds(86_400))
        #expect(!time.isVirtual && time.now >= .start && time.now < .start + .seconds(86_400))
        let deadlines = try [Duration.zero, .seconds(60)].map { try #require(time.deadline(of: .start + $0)) }
        #expect((deadlines[1] - deadlines[0]).nanoseconds == 60_000_000_000)
    }
}

@Suite("What a watchdog sees of a worker")
struct WorkerPulseTests {
    @Test("there is a turn while something is done and none in between")
    func turns() {
        let pulse = WorkerPulse()
        #expect(pulse.turn == nil)
        pulse.begin()
        #expect(pulse.turn != nil)
        pulse.end()
        #expect(pulse.turn == nil)
    }

    @Test("no turn has the number of another, also where a turn within a turn ends before it")
    func numbers() throws {
        let pulse = WorkerPulse()
        var seen: Set<UInt64> = []
        for place in 0..<100 {
            pulse.begin()
            let turn = try #require(pulse.turn)
            #expect(seen.insert(turn).inserted)
            // A script that goes on within a callback of a connection: the turn is still the same one.
            if place.isMultiple(of: 3) {
                pulse.begin()
                #expect(pulse.turn == turn)
                pulse.end()
            }
            pulse.end()
            #expect(pulse.turn == nil)
        }
    }

    @Test("showing progress begins another turn")
    func progress() {
        let pulse = WorkerPulse()
        pulse.begin()
        let first = pulse.turn
        pulse.end()
        pulse.begin()
        #expect(pulse.turn != nil && pulse.turn != first)
    }

    @Test("to stop a turn of a worker does nothing, because what machines do ends by itself")
    func stopping() throws {
        let pulse = WorkerPulse()
        pulse.begin()
        let turn = try #require(pulse.turn)
        pulse.stop(turn, because: "it takes long")
        #expect(pulse.turn == turn)
    }
}

@Suite("The order of a worker in virtual time")
struct WorkerOrderTests {
    @Test("what is asked for at the same instant happens in the order in which it was asked for, also from within")
    func sameInstant() {
        let worker = Worker()
        var done: [String] = []
        _ = worker.schedule(after: .seconds(1)) {
            done.append("a")
            _ = worker.schedule(after: .zero) { done.append("c") }
            done.append("a still")
        }
        _ = worker.schedule(after: .seconds(1)) { done.append("b") }
        #expect(worker.runVirtually { done.count == 4 } == .done)
        #expect(done == ["a", "a still", "b", "c"])
        #expect(worker.now - .start == .seconds(1))
    }

    @Test("the run stops after the step that makes it so, not later")
    func stops() {
        let worker = Worker()
        var count = 0
        for _ in 0..<5 { _ = worker.schedule(after: .seconds(1)) { count += 1 } }
        #expect(worker.runVirtually { count == 2 } == .done)
        #expect(count == 2)
        #expect(worker.runVirtually { true } == .done)
        #expect(count == 2)
        #expect(worker.runVirtually { false } == .nothingCanHappen)
        #expect(count == 5)
    }

    @Test("a canceled timer moves no time")
    func canceled() {
        let worker = Worker()
        let late = worker.schedule(after: .seconds(60)) { Issue.record("it was canceled") }
        _ = worker.schedule(after: .seconds(1)) { worker.cancel(late) }
        #expect(worker.runVirtually { false } == .nothingCanHappen)
        #expect(worker.now - .start == .seconds(1))
    }

    @Test("a delay beyond the end of time stops there and traps nobody")
    func endless() {
        let worker = Worker()
        var isDone = false
        _ = worker.schedule(after: .seconds(Int64.max)) { isDone = true }
        #expect(worker.runVirtually { isDone } == .done)
        #expect(worker.now == Instant(nanoseconds: .max))
        // And after that nothing is before now.
        var wasLast = false
        _ = worker.schedule(after: .seconds(1)) { wasLast = true }
        #expect(worker.runVirtually { wasLast } == .done)
        #expect(worker.now == Instant(nanoseconds: .max))
    }
}
