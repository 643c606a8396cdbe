import JSON
import NIOCore
import NIOPosix
import Testing

@testable import Scenario

@Suite("Barriers and mailboxes of several threads")
struct SharedCoordinationTests {
    /// Runs something on a loop and waits for it.
    private func on<Value: Sendable>(
        _ loop: any EventLoop, _ action: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await loop.submit(action).get()
    }

    @Test("A letter whose reader did not wait any longer goes to the next one")
    func lateLetter() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (hub, other) = (group.next(), group.next())
        let shared = SharedCoordination(on: hub, limit: 1 << 20)
        let letter = other.makePromise(of: JSONValue.self)
        try await self.on(other) {
            let remote = RemoteCoordination(shared, on: other)
            // The wait is taken back before the hub can have answered it.
            let cancel = remote.take(from: "box") { _ in Issue.record("nobody waits here any more") }
            #expect(remote.post("hello", to: "box") == nil)
            cancel()
            _ = remote.take(from: "box") { letter.succeed($0) }
        }
        #expect(try await letter.futureResult.get() == "hello")
        try await group.shutdownGracefully()
    }

    @Test("A barrier opens for the users of all threads at once, and not for one too few")
    func barrier() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let loops = (0..<3).map { _ in group.next() }
        let shared = SharedCoordination(on: loops[0], limit: 1 << 20)
        let opened = loops.map { $0.makePromise(of: String?.self) }
        let remotes = loops.map { loop in
            NIOLoopBoundBox.makeBoxSendingValue(RemoteCoordination?.none, eventLoop: loop)
        }
        // Whoever takes a wait back before it opens is not counted.
        let (last, remote, promise) = (loops[2], remotes[2], opened[2])
        try await self.on(last) {
            remote.value = RemoteCoordination(shared, on: last)
            remote.value?.arrive(at: "all", count: 3) { _ in Issue.record("it was taken back") }()
        }
        for place in 0..<2 {
            let (loop, promise, remote) = (loops[place], opened[place], remotes[place])
            try await self.on(loop) {
                remote.value = RemoteCoordination(shared, on: loop)
                _ = remote.value?.arrive(at: "all", count: 3) { promise.succeed($0) }
            }
        }
        try await self.on(last) { _ = remote.value?.arrive(at: "all", count: 3) { promise.succeed($0) } }
        for promise in opened { #expect(try await promise.futureResult.get() == nil) }
        try await group.shutdownGracefully()
    }

    @Test("A barrier for another number than users of another thread wait for is refused, until they have gone")
    func counts() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let (hub, first, second) = (group.next(), group.next(), group.next())
        let shared = SharedCoordination(on: hub, limit: 1 << 20)
        let remotes = [first, second].map { loop in
            NIOLoopBoundBox.makeBoxSendingValue(RemoteCoordination?.none, eventLoop: loop)
        }
        let leave = NIOLoopBoundBox.makeBoxSendingValue((() -> Void)?.none, eventLoop: first)
        try await self.on(first) {
            remotes[0].value = RemoteCoordination(shared, on: first)
            leave.value = remotes[0].value?.arrive(at: "door", count: 2) { _ in Issue.record("nobody came") }
        }
        // What one thread asked for has come before the next one asks.
        try await self.on(hub) {}
        let refused = second.makePromise(of: String?.self)
        try await self.on(second) {
            remotes[1].value = RemoteCoordination(shared, on: second)
            _ = remotes[1].value?.arrive(at: "door", count: 3) { refused.succeed($0) }
        }
        #expect(
            try await refused.futureResult.get()
                == "barrier \"door\" is for 3 here, and others wait at it for 2: give both the same number, or two names"
        )
        try await self.on(first) { leave.value?() }
        try await self.on(hub) {}
        let opened = second.makePromise(of: String?.self)
        try await self.on(second) {
            for _ in 0..<2 { _ = remotes[1].value?.arrive(at: "door", count: 3) { _ in } }
            _ = remotes[1].value?.arrive(at: "door", count: 3) { opened.succeed($0) }
        }
        #expect(try await opened.futureResult.get() == nil)
        try await group.shutdownGracefully()
    }

    @Test("A letter for which there is no room is told: to the next who sends one, and at the end")
    func noRoom() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (hub, other) = (group.next(), group.next())
        let shared = SharedCoordination(on: hub, limit: 100)
        let remote = NIOLoopBoundBox.makeBoxSendingValue(RemoteCoordination?.none, eventLoop: other)
        try await self.on(other) {
            remote.value = RemoteCoordination(shared, on: other)
            for _ in 0..<3 { _ = remote.value?.post(.string(String(repeating: "x", count: 80)), to: "box") }
        }
        // What was posted before has been answered when the loops have turned once more.
        try await self.on(hub) {}
        #expect(try await self.on(other) { remote.value?.post("y", to: "box") }?.contains("held_memory") == true)
        #expect(shared.complaints.count == 1)
        #expect(shared.complaints.first?.hasPrefix("3 letters were thrown away") == true)
        try await self.on(other) { remote.value = nil }
        try await group.shutdownGracefully()
    }
}
