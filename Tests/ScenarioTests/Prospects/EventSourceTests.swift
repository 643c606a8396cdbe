import Testing

@testable import Scenario

@Suite("What can still bring an event to an actor")
struct EventSourceTests {
    private func prospect(
        _ means: EventSource.Means, _ activities: [EventSource.Activity] = [], hasBusyClient: Bool = false
    ) -> EventSource? {
        let threads = activities.enumerated().map { (number: $0.offset + 1, activity: $0.element) }
        return EventSource.prospect(with: means, threads: threads) { hasBusyClient }
    }

    @Test("a request, a connection or a timer of its own is enough, and so is a port that others can find")
    func ownMeans() {
        #expect(self.prospect(.work) == .ownWork)
        #expect(self.prospect(.outsiders) == .outsiders)
        #expect(self.prospect(.commands) == nil)
    }

    @Test("a party hears the clients of the play, a client does not hear other clients")
    func clients() {
        #expect(self.prospect(.clients, hasBusyClient: true) == .client)
        #expect(self.prospect(.clients) == nil)
        #expect(self.prospect(.commands, hasBusyClient: true) == nil)
    }

    @Test(
        "a thread that can act may bring it",
        arguments: [.runs, .waits, .expects(.work), .expects(.outsiders)] as [EventSource.Activity])
    func actingThreads(activity: EventSource.Activity) {
        #expect(self.prospect(.commands, [.expects(.commands), activity]) == .thread(2))
        #expect(self.prospect(.clients, [.joins, activity]) == .thread(2))
    }

    @Test("threads that wait for each other, or for what cannot come either, bring nothing")
    func stuckThreads() {
        #expect(self.prospect(.commands, [.expects(.commands)]) == nil)
        #expect(self.prospect(.commands, [.expects(.commands), .joins, .expects(.commands)]) == nil)
        #expect(self.prospect(.commands, [.expects(.commands), .expects(.clients)]) == nil)
        #expect(self.prospect(.commands, [.expects(.commands), .expects(.clients)], hasBusyClient: true) == .thread(2))
    }

    @Test("no thread is asked where the actor itself can bring it, and none after the first that acts")
    func cost() {
        var asked = 0
        let threads = (1...1000).lazy.map { number -> (number: Int, activity: EventSource.Activity) in
            asked += 1
            return (number, .waits)
        }
        #expect(EventSource.prospect(with: .work, threads: threads) { false } == .ownWork)
        #expect(asked == 0)
        #expect(EventSource.prospect(with: .commands, threads: threads) { false } == .thread(1))
        #expect(asked == 1)
    }
}
