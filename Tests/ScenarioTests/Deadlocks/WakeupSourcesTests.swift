import Testing

@testable import Scenario

@Suite("What can still bring an event to an actor")
struct WakeupSourcesTests {
    private func canReach(
        _ means: WakeupSources.Means, _ activities: [WakeupSources.Activity] = [], hasBusyClient: Bool = false
    ) -> Bool {
        WakeupSources(threads: activities) { hasBusyClient }.canReach(means)
    }

    @Test("a request, a connection or a timer of its own is enough, and so is a port that others can find")
    func ownMeans() {
        #expect(self.canReach(.work))
        #expect(self.canReach(.outsiders))
        #expect(!self.canReach(.commands))
    }

    @Test("a party hears the clients of the play, a client does not hear other clients")
    func clients() {
        #expect(self.canReach(.clients, hasBusyClient: true))
        #expect(!self.canReach(.clients))
        #expect(!self.canReach(.commands, hasBusyClient: true))
    }

    @Test(
        "a thread that can act may bring it",
        arguments: [.runs, .waits, .expects(.work), .expects(.outsiders)] as [WakeupSources.Activity])
    func actingThreads(activity: WakeupSources.Activity) {
        #expect(self.canReach(.commands, [.expects(.commands), activity]))
        #expect(self.canReach(.clients, [.joins, activity]))
    }

    @Test("threads that wait for each other, or for what cannot come either, bring nothing")
    func stuckThreads() {
        #expect(!self.canReach(.commands, [.expects(.commands)]))
        #expect(!self.canReach(.commands, [.expects(.commands), .joins, .expects(.commands)]))
        #expect(!self.canReach(.commands, [.expects(.commands), .expects(.clients)]))
        #expect(self.canReach(.commands, [.expects(.commands), .expects(.clients)], hasBusyClient: true))
    }

    @Test("no thread is asked after the first that acts, and no client then")
    func cost() {
        var (askedThreads, askedClients) = (0, 0)
        let threads = (1...1000).lazy.map { _ -> WakeupSources.Activity in
            askedThreads += 1
            return .waits
        }
        let sources = WakeupSources(threads: threads) {
            askedClients += 1
            return false
        }
        #expect(sources.canReach(.commands) && sources.canReach(.clients))
        #expect(askedThreads == 1 && askedClients == 0)
    }

    @Test("clients are asked once, whatever waits")
    func clientCost() {
        var asked = 0
        let threads: [WakeupSources.Activity] = [.joins, .expects(.clients), .expects(.clients)]
        let sources = WakeupSources(threads: threads) {
            asked += 1
            return true
        }
        #expect(sources.canReach(.commands) && sources.canReach(.clients) && asked == 1)
    }
}
