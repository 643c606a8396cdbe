import Synchronization
import Testing

@testable import CommandLine

@Suite("Who hears signals, and how soon the process ends")
struct SignalListenersTests {
    @Test("those who listen hear the first; after the second the process has time for reports, after the third none")
    func presses() {
        let count = Atomic(0)
        var listeners = SignalListeners()
        let first = listeners.add { count.add(1, ordering: .relaxed) }
        let second = listeners.add { count.add(10, ordering: .relaxed) }
        #expect(!first.isLate && !second.isLate)
        for end in [SignalListeners.End.open, .afterGrace, .atOnce, .atOnce] {
            let heard = listeners.hear()
            heard.actions.forEach { $0() }
            #expect(heard.end == end)
        }
        #expect(count.load(ordering: .relaxed) == 44)
        listeners.remove(first.number)
        #expect(listeners.hear().actions.count == 1)
    }

    @Test("those who listen have the last word, and nobody else")
    func lastWords() {
        let count = Atomic(0)
        var listeners = SignalListeners()
        let first = listeners.add({}, ending: { count.add(1, ordering: .relaxed) })
        let second = listeners.add({}, ending: { count.add(10, ordering: .relaxed) })
        _ = listeners.add {}
        listeners.lastWords.forEach { $0() }
        #expect(count.load(ordering: .relaxed) == 11)
        listeners.remove(first.number)
        listeners.lastWords.forEach { $0() }
        #expect(count.load(ordering: .relaxed) == 21)
        listeners.remove(second.number)
        #expect(listeners.lastWords.isEmpty)
    }

    @Test("the second that comes when the run has ended and nobody listens any more leaves time to end")
    func late() {
        var listeners = SignalListeners()
        let run = listeners.add {}
        #expect(listeners.hear().end == .open)
        listeners.remove(run.number)
        let second = listeners.hear()
        #expect(second.actions.isEmpty && second.end == .afterGrace)
        #expect(listeners.hear().end == .atOnce)
    }

    @Test("one that comes between two listeners is for the next, and ends the process if there is none")
    func missed() {
        var listeners = SignalListeners()
        listeners.remove(listeners.add {}.number)
        #expect(!listeners.isMissed)
        #expect(listeners.hear().end == .afterGraceUnlessTaken)
        #expect(listeners.isMissed)
        let next = listeners.add {}
        #expect(next.isLate && !listeners.isMissed)
        // It counts as the first that this one hears.
        #expect(listeners.hear().end == .afterGrace)
        #expect(!listeners.add {}.isLate)
        #expect(listeners.hear().end == .open)
    }

    @Test("that the terminal has gone counts once, however often it is told, as a signal like others")
    func hangup() {
        var listeners = SignalListeners()
        _ = listeners.add {}
        let first = listeners.hear(isHangup: true)
        #expect(first.actions.count == 1 && first.end == .open)
        let again = listeners.hear(isHangup: true)
        #expect(again.actions.isEmpty && again.end == .open)
        #expect(listeners.hear().end == .afterGrace)
    }
}
