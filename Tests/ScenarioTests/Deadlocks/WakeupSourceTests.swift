import Testing

@testable import Scenario

@Suite("What can still bring an event to an actor")
struct WakeupSourceTests {
    private func source(
        _ means: WakeupSource.Means, _ activities: [WakeupSource.Activity] = [], hasBusyClient: Bool = false
    ) -> WakeupSource? {
        let threads = activities.enumerated().map { (number: $0.offset + 1, activity: $0.element) }
        return WakeupSource.first(for: means, threads: threads) { hasBusyClient }
    }

    @Test("a request, a connection or a timer of its own is enough, and so is a port that others can find")
    func ownMeans() {
        #expect(self.source(.work) == .ownWork)
        #expect(self.source(.outsiders) == .outsiders)
        #expect(self.source(.commands) == nil)
    }

    @Test("a party hears the clients of the play, a client does not hear other clients")
    func clients() {
        #expect(self.source(.clients, hasBusyClient: true) == .client)
        #expect(self.source(.clients) == nil)
        #expect(self.source(.commands, hasBusyClient: true) == nil)
    }

    @Test(
        "a thread that can act may bring it",
        arguments: [.runs, .waits, .expects(.work), .expects(.outsiders)] as [WakeupSource.Activity])
    func actingThreads(activity: WakeupSource.Activity) {
        #expect(self.source(.commands, [.expects(.commands), activity]) == .thread(2))
        #expect(self.source(.clients, [.joins, activity]) == .thread(2))
    }

    @Test("threads that wait for each other, or for what cannot come either, bring nothing")
    func stuckThreads() {
        #expect(self.source(.commands, [.expects(.commands)]) == nil)
        #expect(self.source(.commands, [.expects(.commands), .joins, .expects(.commands)]) == nil)
        #expect(self.source(.commands, [.expects(.commands), .expects(.clients)]) == nil)
        #expect(self.source(.commands, [.expects(.commands), .expects(.clients)], hasBusyClient: true) == .thread(2))
    }

    @Test("no thread is asked where the actor itself can bring it, and none after the first that acts")
    func cost() {
        var asked = 0
        let threads = (1...1000).lazy.map { number -> (number: Int, activity: WakeupSource.Activity) in
            asked += 1
            return (number, .waits)
        }
        #expect(WakeupSource.first(for: .work, threads: threads) { false } == .ownWork)
        #expect(asked == 0)
        #expect(WakeupSource.first(for: .commands, threads: threads) { false } == .thread(1))
        #expect(asked == 1)
    }
}
