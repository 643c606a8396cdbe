import Machines
import Testing
import Transport

@Suite("Faults")
struct FaultTests {
    private struct Run {
        let client = Peer()
        let server = Peer()
        let scheduler = VirtualScheduler()
        let network: FaultyNetwork

        /// Connects through a network with faults at the client's side and sends bytes both ways.
        init(_ plan: FaultPlan, seed: UInt64 = 1, bytes: [UInt8]) throws {
            let memory = MemoryNetwork(scheduler: self.scheduler)
            self.network = FaultyNetwork(
                base: memory, plan: plan, scheduler: self.scheduler, seed: seed)
            let server = self.server
            server.onOpen = { $0.write(bytes) }
            self.network.connect(self.client, to: try memory.listen(server))
            self.client.stream?.write(bytes)
            self.scheduler.run()
        }
    }

    private static let bytes = Array(0..<200 as Range<UInt8>)

    private static func plan(_ change: (inout FaultPlan) -> Void) -> FaultPlan {
        var plan = FaultPlan()
        change(&plan)
        return plan
    }

    @Test("Without faults everything passes")
    func none() throws {
        let run = try Run(FaultPlan(), bytes: Self.bytes)
        #expect(run.client.heard == [.opened, .bytes(Self.bytes)])
        #expect(run.server.heard == [.opened, .bytes(Self.bytes)])
    }

    @Test("Small pieces arrive whole and in order")
    func pieces() throws {
        let run = try Run(.dripFeed(longestPiece: 4), bytes: Self.bytes)
        #expect(run.client.received == Self.bytes)
        #expect(run.server.received == Self.bytes)
        #expect(run.client.heard.count > 50)
    }

    @Test("Thousands of pieces on their way have some timers, and arrive whole, in order and in time")
    func manyPieces() throws {
        let run = try Run(FaultPlan(), bytes: [1])
        run.network.plan = Self.plan {
            $0.outgoing.delay = .seconds(1)
            $0.outgoing.longestPiece = 1
            $0.outgoing.pace = .milliseconds(1)
        }
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        run.client.stream?.write(bytes)
        run.client.stream?.write([2])
        #expect(run.scheduler.waitingCount < 300)
        run.scheduler.run()
        #expect(run.server.received == [1] + bytes + [2])
        // The last piece departs 4,999 paces after the first, and what is written later does not overtake it.
        #expect(run.scheduler.now == .start + .seconds(1) + .milliseconds(4999))
        #expect(run.server.heard.count > 5000)
    }

    @Test("Delay, chance and pace make bytes late but keep their order")
    func delay() throws {
        let run = try Run(
            Self.plan {
                $0.incoming.delay = .seconds(1)
                $0.incoming.jitter = .seconds(1)
                $0.incoming.longestPiece = 10
                $0.incoming.pace = .milliseconds(100)
            }, bytes: Self.bytes)
        #expect(run.client.received == Self.bytes)
        #expect(run.scheduler.now >= Instant.start + .seconds(3))
        #expect(run.scheduler.now <= Instant.start + .seconds(22))
    }

    @Test("A connection is dropped for both sides after so many bytes", arguments: [0, 1, 77, 199])
    func drop(limit: Int) throws {
        let received = try Run(Self.plan { $0.incoming.dropAfter = limit }, bytes: Self.bytes)
        #expect(received.client.received == Array(Self.bytes.prefix(limit)))
        #expect(received.client.failure == .connectionLost)
        #expect(received.server.failure == .connectionLost)
        let sent = try Run(Self.plan { $0.outgoing.dropAfter = limit }, bytes: Self.bytes)
        #expect(sent.server.received == Array(Self.bytes.prefix(limit)))
        #expect(sent.client.failure == .connectionLost)
        #expect(sent.server.failure == .connectionLost)
    }

    @Test("What a stalled connection held back arrives whole and in order when it goes on, and its end after it")
    func standstill() throws {
        let run = try Run(Self.plan { $0.incoming.stallAfter = 50 }, bytes: Self.bytes)
        run.server.stream?.write(Self.bytes)
        run.server.stream?.close()
        run.scheduler.run()
        #expect(run.client.received == Array(Self.bytes.prefix(50)) && !run.client.heard.contains(.end))
        // It stands still at once under this one; what is held stays held.
        run.network.plan = Self.plan { $0.incoming.stallAfter = 0 }
        run.scheduler.run()
        #expect(run.client.received.count == 50 && !run.client.heard.contains(.end))
        run.network.plan = Self.plan { $0.incoming.longestPiece = 7 }
        run.scheduler.run()
        #expect(run.client.received == Self.bytes + Self.bytes)
        #expect(run.client.heard.last == .end)
    }

    @Test("More than a stalled connection can hold back drops it when it goes on, rather than lose a part")
    func standstillOfMuch() throws {
        let run = try Run(Self.plan { $0.incoming.stallAfter = 0 }, bytes: Self.bytes)
        for _ in 0..<3 { run.server.stream?.write([UInt8](repeating: 7, count: 600_000)) }
        run.scheduler.run()
        #expect(!run.client.isClosed)
        run.network.plan = FaultPlan()
        run.scheduler.run()
        #expect(run.client.received.isEmpty && run.client.failure == .connectionLost)
    }

    @Test("A connection that stalls holds everything back without an end")
    func stall() throws {
        let run = try Run(Self.plan { $0.incoming.stallAfter = 50 }, bytes: Self.bytes)
        #expect(run.client.received == Array(Self.bytes.prefix(50)))
        run.server.stream?.close()
        run.scheduler.run()
        #expect(!run.client.isClosed)
        run.client.stream?.close()
        run.scheduler.run()
        #expect(run.client.isClosed)
    }

    @Test(
        "It is known which limits in bytes were reached under the plan of the time, also on connections that are gone")
    func strikes() throws {
        func strikes(_ change: (inout FaultPlan) -> Void) throws -> FaultStrikes {
            try Run(Self.plan(change), bytes: Self.bytes).network.strikes
        }
        let none = try strikes {
            $0.incoming.stallAfter = 200
            $0.outgoing.dropAfter = 201
        }
        #expect(none == [])
        #expect(try strikes { $0.outgoing.stallAfter = 199 } == .stall)
        #expect(try strikes { $0.incoming.stallAfter = 0 } == .stall)
        let cut = try Run(Self.plan { $0.incoming.dropAfter = 200 }, bytes: Self.bytes)
        #expect(cut.client.isClosed && !cut.network.hasConnections)
        #expect(cut.network.strikes == .cut)
        cut.network.plan = Self.plan { $0.incoming.dropAfter = 200 }
        #expect(cut.network.strikes == [])
    }

    @Test("An end that stands still is struck, and one that this side makes is none")
    func strikesOfEnds() throws {
        let own = try Run(Self.plan { $0.outgoing.stallAfter = 200 }, bytes: Self.bytes)
        own.client.stream?.close()
        own.scheduler.run()
        #expect(own.client.isClosed && own.network.strikes == [])
        let other = try Run(Self.plan { $0.incoming.stallAfter = 200 }, bytes: Self.bytes)
        other.server.stream?.close()
        other.scheduler.run()
        #expect(!other.client.isClosed && other.network.strikes == .stall)
        other.client.stream?.abort()
        #expect(other.network.strikes == .stall)
        other.network.plan = FaultPlan()
        #expect(other.network.strikes == [])
    }

    @Test("Corruption flips one bit of a piece, the same with the same seed")
    func corruption() throws {
        let plan = Self.plan { $0.incoming.corruption = 1 }
        let runs = try [
            Run(plan, bytes: Self.bytes), Run(plan, bytes: Self.bytes), Run(plan, seed: 2, bytes: Self.bytes),
        ]
        let flipped = zip(runs[0].client.received, Self.bytes).map { ($0 ^ $1).nonzeroBitCount }.reduce(0, +)
        #expect(flipped == 1)
        #expect(runs[0].client.heard == runs[1].client.heard)
        #expect(runs[0].client.heard != runs[2].client.heard)
        #expect(runs[0].server.received == Self.bytes)
    }

    @Test("Refusals come by chance, and never within the call")
    func refusal() throws {
        let scheduler = VirtualScheduler()
        let memory = MemoryNetwork(scheduler: scheduler)
        let network = FaultyNetwork(
            base: memory, plan: Self.plan { $0.refusal = 0.5 }, scheduler: scheduler, seed: 4)
        let listener = try memory.listen(Peer())
        let clients = (0..<100).map { _ in Peer() }
        for client in clients { network.connect(client, to: listener) }
        #expect(clients.filter { !$0.heard.isEmpty }.isEmpty)
        scheduler.run()
        let refused = clients.count { $0.heard == [.closed(.cannotConnect)] }
        #expect(30...70 ~= refused)
        #expect(clients.count { $0.heard == [.opened] } == 100 - refused)
    }

    @Test("An outage drops all connections for both sides")
    func outage() throws {
        let run = try Run(FaultPlan(), bytes: Self.bytes)
        run.network.dropConnections()
        run.scheduler.run()
        #expect(run.client.failure == .connectionLost)
        #expect(run.server.failure == .connectionLost)
    }

    @Test("A listener with faults has them on the connections that it accepts")
    func listener() throws {
        let scheduler = VirtualScheduler()
        let memory = MemoryNetwork(scheduler: scheduler)
        let network = FaultyNetwork(
            base: memory, plan: Self.plan { $0.outgoing.dropAfter = 3 }, scheduler: scheduler,
            seed: 4)
        let (client, server) = (Peer(), Peer())
        server.onOpen = { $0.write([1, 2, 3, 4, 5]) }
        memory.connect(client, to: try network.listen(server))
        scheduler.run()
        #expect(client.received == [1, 2, 3])
        #expect(client.failure == .connectionLost)
        #expect(server.failure == .connectionLost)
    }

    @Test("A narrow line takes its time for every byte, in order")
    func bandwidth() throws {
        let run = try Run(Self.plan { $0.incoming.bytesPerSecond = 100 }, bytes: Self.bytes)
        #expect(run.client.received == Self.bytes)
        #expect(run.scheduler.now == .start + .seconds(2))
    }

    @Test("A lost segment comes again after its time-out, the same with the same seed")
    func loss() throws {
        let plan = Self.plan {
            $0.outgoing.loss = 0.6
            $0.outgoing.delay = .milliseconds(10)
        }
        let runs = try (1...20).map { try Run(plan, seed: $0, bytes: Self.bytes) }
        #expect(runs.filter { $0.server.received != Self.bytes && !$0.client.isClosed }.isEmpty)
        #expect(Set(runs.map(\.scheduler.now)).count > 3)
        let again = try (1...20).map { try Run(plan, seed: $0, bytes: Self.bytes) }
        #expect(runs.map(\.scheduler.now) == again.map(\.scheduler.now))
    }

    @Test("Where everything is lost, an attempt to connect is given up after six tries")
    func totalLoss() throws {
        let run = try Run(Self.plan { $0.outgoing.loss = 1 }, bytes: Self.bytes)
        #expect(run.client.heard == [.closed(.cannotConnect)])
        #expect(run.scheduler.now == .start + .seconds(1 + 2 + 4 + 8 + 16 + 32))
    }

    @Test("Where everything is lost from some moment on, the connection is given up after fifteen tries")
    func lossLater() throws {
        let run = try Run(FaultPlan(), bytes: Self.bytes)
        run.network.plan = Self.plan { $0.outgoing.loss = 1 }
        run.client.stream?.write(Self.bytes)
        run.scheduler.run()
        #expect(run.client.failure == .connectionLost)
        #expect(run.server.received == Self.bytes)
        // 0.2 s doubled nine times to 102.4 s, then 120 s five times.
        #expect(run.scheduler.now == .start + .milliseconds(204_600) + .seconds(600))
    }

    @Test("Opening takes two ways, and what is written meanwhile a third")
    func opening() throws {
        let run = try Run(
            Self.plan {
                $0.incoming.delay = .seconds(1)
                $0.outgoing.delay = .seconds(1)
            }, bytes: Self.bytes)
        #expect(run.server.received == Self.bytes)
        #expect(run.scheduler.now == .start + .seconds(3))
    }

    @Test("A plan holds for open connections from the moment on in which it changes")
    func change() throws {
        let run = try Run(FaultPlan(), bytes: Self.bytes)
        run.network.plan = Self.plan { $0.outgoing.delay = .seconds(1) }
        run.client.stream?.write([1])
        run.network.plan = FaultPlan()
        run.client.stream?.write([2])
        run.scheduler.run()
        #expect(run.server.received == Self.bytes + [1, 2])
        #expect(run.scheduler.now == .start + .seconds(1))
        run.client.stream?.write([3])
        run.scheduler.run()
        #expect(run.scheduler.now == .start + .seconds(1))
    }

    @Test("Either direction can end alone; what is sent into it is lost", arguments: FaultSide.allCases)
    func halfClose(side: FaultSide) throws {
        let run = try Run(FaultPlan(), bytes: [1])
        run.network.endDirection(of: side)
        run.client.stream?.write([2])
        run.server.stream?.write([3])
        run.scheduler.run()
        let (ended, other) = side == .client ? (run.server, run.client) : (run.client, run.server)
        #expect(ended.heard.contains(.end))
        #expect(!other.heard.contains(.end))
        #expect(ended.received == [1])
        #expect(other.received == (side == .client ? [1, 3] : [1, 2]))
    }

    @Test("A name that cannot be resolved is an attempt that fails")
    func resolution() throws {
        var plan = FaultPlan()
        plan.resolution = .failing
        #expect(try Run(plan, bytes: []).client.heard == [.closed(.cannotConnect)])
        plan.resolution = .slow(.seconds(2))
        let run = try Run(plan, bytes: Self.bytes)
        #expect(run.client.received == Self.bytes)
        #expect(run.scheduler.now == .start + .seconds(2))
    }
}
