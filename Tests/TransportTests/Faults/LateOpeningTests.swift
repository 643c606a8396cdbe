import Machines
import Testing
import Transport

/// A scheduler whose time goes on while it is looked at, as real time does.
private final class TickingScheduler: Scheduler {
    private var time = Instant.start
    private var random: RandomSource
    private var count: UInt64 = 0
    private var waiting: [(due: Instant, id: ScheduledID, action: () -> Void)] = []

    init(seed: UInt64) { self.random = RandomSource(seed: seed) }

    var now: Instant {
        self.time = self.time + .microseconds(Int64.random(in: 0...5, using: &self.random))
        return self.time
    }

    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        self.count += 1
        let id = ScheduledID(self.count)
        self.waiting.append((self.now + max(delay, .zero), id, action))
        return id
    }

    func cancel(_ id: ScheduledID) { self.waiting.removeAll { $0.id == id } }

    /// Runs everything that waits, each when it is due; what is due at one instant in the order of its numbers.
    func run() {
        while let place = self.waiting.indices.min(by: { first, second in
            let (first, second) = (self.waiting[first], self.waiting[second])
            return (first.due, first.id.number) < (second.due, second.id.number)
        }) {
            let next = self.waiting.remove(at: place)
            self.time = max(self.time, next.due)
            next.action()
        }
    }
}

@Suite("Connections that open late")
struct LateOpeningTests {
    @Test("What was written before the connection is open is sent, however time goes on meanwhile", arguments: 1...40)
    func writtenBefore(seed: Int) throws {
        let scheduler = TickingScheduler(seed: UInt64(seed))
        let memory = MemoryNetwork(scheduler: scheduler)
        var plan = FaultPlan()
        plan.resolution = .slow(.milliseconds(200))
        let network = FaultyNetwork(base: memory, plan: plan, scheduler: scheduler, seed: 1)
        let (client, server) = (Peer(), Peer())
        network.connect(client, to: try memory.listen(server))
        client.stream?.write([1, 2, 3])
        scheduler.run()
        #expect(server.received == [1, 2, 3])
    }
}
