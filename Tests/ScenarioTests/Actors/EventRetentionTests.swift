import Machines
import Testing

@testable import Scenario

@Suite("Which events an actor keeps")
struct EventRetentionTests {
    @Test("only a user of a load test lets go, and only if its script asks for nothing that has passed")
    func whoLetsGo() {
        #expect(EventRetention(isLoadUser: false, readsHistory: false) == .all)
        #expect(EventRetention(isLoadUser: false, readsHistory: true) == .all)
        #expect(EventRetention(isLoadUser: true, readsHistory: true) == .all)
        #expect(EventRetention(isLoadUser: true, readsHistory: false) == .last(8))
    }

    @Test("a log that keeps all lets nothing go")
    func keepsAll() {
        var log = EventLog()
        for number in 1...100 {
            let place = log.append(
                ChatEvent(EventKind(rawValue: "event_\(number)")), weight: 10, at: .start, isNoise: false)
            log.take([place])
        }
        #expect(log.forget(by: .all) == 0)
        #expect(log.heldCount == 100)
        #expect(log.forget(by: .last(8)) == 920)
        #expect(log.heldCount == 8)
    }
}
