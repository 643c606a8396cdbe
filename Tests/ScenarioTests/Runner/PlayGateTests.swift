import Dispatch
import Synchronization
import Testing

@testable import Scenario

@Suite("The gate that holds a run")
struct PlayGateTests {
    /// Passes a gate from another thread; counts how often it has.
    private final class Passer: Sendable {
        let gate = PlayGate()
        let passed = Atomic(0)
        private let waiting = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)

        /// Passes the gate so many times, which goes on by itself.
        func start(_ count: Int) {
            DispatchQueue(label: "passer").async {
                for _ in 0..<count {
                    self.gate.pass { self.waiting.signal() }
                    self.passed.wrappingAdd(1, ordering: .sequentiallyConsistent)
                }
                self.end.signal()
            }
        }

        /// Waits until it stands before the gate.
        func stood() { self.waiting.wait() }

        /// Waits until it has passed as often as it was to.
        func ended() { self.end.wait() }

        var count: Int { self.passed.load(ordering: .sequentiallyConsistent) }
    }

    @Test("lets everything pass unless it is held")
    func open() {
        let passer = Passer()
        passer.start(1_000)
        passer.ended()
        #expect(passer.count == 1_000 && !passer.gate.isHeld)
    }

    @Test("lets one pass for each step, and all once it is no longer held")
    func steps() {
        let passer = Passer()
        passer.gate.hold(true)
        passer.start(10)
        for number in 0..<3 {
            passer.stood()
            #expect(passer.count == number)
            passer.gate.step()
        }
        passer.stood()
        #expect(passer.count == 3 && passer.gate.isHeld)
        passer.gate.hold(false)
        passer.ended()
        #expect(passer.count == 10)
    }

    @Test("counts steps that come before anybody stands there, and forgets them when it is held anew")
    func beforehand() {
        let passer = Passer()
        passer.gate.hold(true)
        for _ in 0..<2 { passer.gate.step() }
        passer.start(5)
        passer.stood()
        #expect(passer.count == 2)
        passer.gate.hold(false)
        passer.ended()

        let other = Passer()
        other.gate.step()
        other.gate.hold(true)
        other.start(1)
        other.stood()
        #expect(other.count == 0)
        other.gate.step()
        other.ended()
    }
}
