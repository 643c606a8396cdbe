import NIOCore
import NIOPosix
import RunRecord
import Testing
import Transport

@testable import Load

@Suite("The rendezvous over connections")
struct RendezvousMachineTests {
    /// What a meeting over sockets on one event loop came to, by shard.
    ///
    /// - Parameter awaited: It is over when these shards know what came of it; all of them if nil.
    private func meet(
        _ indexes: [Int], of count: Int, plans: [UInt64], wait: Duration, until awaited: [Int]? = nil
    ) -> [Int: RendezvousMember.Outcome] {
        var outcomes: [Int: RendezvousMember.Outcome] = [:]
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let network = SocketNetwork(eventLoop: eventLoop)
            let epoch = EpochTime(nanoseconds: 1_795_262_400_000_000_000)
            let deadline = epoch + wait
            var server: RendezvousServerDriver?
            var clients: [RendezvousClientDriver] = []
            var isOver = false
            func finish(_ index: Int, _ outcome: RendezvousMember.Outcome) {
                outcomes[index] = outcome
                guard (awaited ?? indexes).allSatisfy({ outcomes[$0] != nil }), !isOver else { return }
                isOver = true
                // Not from within the driver that is just telling.
                scheduler.schedule(after: .zero) {
                    clients.forEach { $0.close() }
                    server?.close()
                    eventLoop.shutdownGracefully { _ in }
                }
            }
            do {
                let listener = try network.listen(on: Endpoint(host: "127.0.0.1", port: 0), identity: nil)
                let authority = "\(listener.endpoint)"
                for (place, index) in indexes.enumerated() where index > 1 {
                    let member = RendezvousMember(
                        run: "nightly", plan: plans[place], shard: Shard(index: index, count: count),
                        deadline: deadline + .seconds(5))
                    let driver = RendezvousClientDriver(
                        RendezvousClient(member, authority: authority), network: network,
                        clock: RendezvousClock(scheduler, at: epoch), onOutcome: { finish(index, $0) })
                    clients.append(driver)
                    driver.begin()
                }
                guard indexes.contains(1) else { return }
                let leader = RendezvousLeader(
                    run: "nightly", plan: plans[0], shard: Shard(index: 1, count: count), deadline: deadline,
                    margin: .seconds(60))
                server = RendezvousServerDriver(
                    RendezvousServer(leader, shards: count), listener: listener,
                    clock: RendezvousClock(scheduler, at: epoch), onOutcome: { finish(1, $0) })
                server?.begin()
            } catch {
                Issue.record(error)
                eventLoop.shutdownGracefully { _ in }
            }
        }
        return outcomes
    }

    @Test("agrees on one instant for all shards")
    func agrees() {
        let outcomes = self.meet([1, 2, 3, 4], of: 4, plans: [7, 7, 7, 7], wait: .seconds(60))
        #expect(outcomes.count == 4)
        #expect(Set(outcomes.values).count == 1)
        guard case .agreed? = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
    }

    @Test("fails in every shard, with the name of the missing one, when one does not come")
    func missing() {
        let outcomes = self.meet([1, 3], of: 3, plans: [7, 7], wait: .milliseconds(700))
        for index in [1, 3] {
            guard case .failed(let error)? = outcomes[index] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(error.message.contains("2/3"))
        }
    }

    @Test("refuses a shard with another plan, which learns why")
    func otherPlan() {
        // The leader waits on for the right one.
        let outcomes = self.meet([1, 2], of: 2, plans: [7, 8], wait: .seconds(600), until: [2])
        guard case .failed(let error)? = outcomes[2] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(error.message.contains("another load shape, rows or seed"))
    }

    @Test("tries again until its time is over when nobody is there")
    func nobody() {
        let outcomes = self.meet([2], of: 2, plans: [7], wait: .milliseconds(-4000))
        guard case .failed(let error)? = outcomes[2] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(error.message.contains("waited in vain"))
    }
}
