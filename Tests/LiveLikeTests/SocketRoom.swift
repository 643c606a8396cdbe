import Glibc
import JSON
import Machines
import NIOCore
import Testing
import Transport

@testable import LiveLike

/// A simulated server and members of its lobby over real sockets on one event loop, and what the members hear.
///
/// It is made and used on that loop alone, and lives as long as its drivers.
final class SocketRoom {
    /// What came of a room.
    struct Outcome: Sendable {
        /// How many messages each member has heard.
        var heard: [Int]
        /// Messages that came twice, too early or too late.
        var mistakes = 0
        /// Errors and lost connections.
        var troubles: [String] = []
        /// How many requests waited for messages before the first one was said.
        var subscribers = 0
    }

    private let messages: Int
    private let scheduler: EventLoopScheduler
    private let network: SocketNetwork
    private let server: ServerDriver
    private let origin: String
    private let finish: (Outcome) -> Void
    private var members: [ClientDriver] = []
    private var connected = 0
    private var said = 0
    private var turns = 0
    private var outcome: Outcome
    private var isOver = false
    /// So many members connect at the same time.
    private static let batch = 50

    /// Makes the server; ``begin()`` lets the members in.
    ///
    /// - Parameters:
    ///   - limit: After this time the room gives up.
    ///   - finish: Called once with what came of it.
    init(
        members: Int, messages: Int, limit: Duration, eventLoop: any EventLoop, finish: @escaping (Outcome) -> Void
    ) throws {
        self.messages = messages
        self.scheduler = EventLoopScheduler(eventLoop: eventLoop)
        self.network = SocketNetwork(eventLoop: eventLoop)
        self.outcome = Outcome(heard: [Int](repeating: 0, count: members))
        self.finish = finish
        let listener = try self.network.listen(on: .loopback, identity: nil)
        self.origin = "http://\(listener.endpoint)"
        let configuration = ServerConfiguration(origin: self.origin, options: [:], epochMilliseconds: TestWorld.epoch)
        let makeServer = try #require(LiveLikeSystem.system.server.make)
        self.server = ServerDriver(
            machine: try makeServer(configuration), label: "server", listener: listener,
            scheduler: self.scheduler, random: RandomSource(seed: 1), callScript: { _, _, _ in }, emit: { _, _ in })
        self.scheduler.schedule(after: limit) { self.end() }
    }

    /// Connects the members one batch after the other.
    func begin() throws {
        for _ in 0..<min(Self.batch, self.outcome.heard.count) { try self.addMember() }
    }

    private func addMember() throws {
        let number = self.members.count
        let machine = try LiveLikeSystem.system.client.make(
            ClientConfiguration(origin: self.origin, target: [:], options: ["raw": false]))
        let driver = ClientDriver(
            machine: machine, label: "member \(number)", network: self.network, scheduler: self.scheduler,
            random: RandomSource(seed: UInt64(number) + 2), callScript: { _, _, _ in },
            emit: { self.observed($0, by: number) })
        self.members.append(driver)
        _ = driver.perform(Command("connect", ["room": "lobby"]))
    }

    private func observed(_ event: ChatEvent, by member: Int) {
        switch event.kind {
        case .connected: self.memberConnected()
        case .message:
            if event.fields["text"]?.string != "m\(self.outcome.heard[member])" { self.outcome.mistakes += 1 }
            self.outcome.heard[member] += 1
        case .error, .disconnected, .reconnecting: self.outcome.troubles.append("\(member): \(event.kind)")
        default: break
        }
    }

    private func memberConnected() {
        self.connected += 1
        if self.members.count < self.outcome.heard.count {
            do { try self.addMember() } catch { self.outcome.troubles.append("\(error)") }
        } else if self.connected == self.outcome.heard.count {
            self.waitForSubscribers()
        }
    }

    private func waitForSubscribers() {
        guard self.server.properties["subscribers"]?.integer == Int64(self.connected) else {
            self.scheduler.schedule(after: .milliseconds(5)) { if !self.isOver { self.waitForSubscribers() } }
            return
        }
        self.outcome.subscribers = self.connected
        self.sayNext()
    }

    private func sayNext() {
        guard !self.isOver else { return }
        guard self.said < self.messages else { return self.waitForMessages() }
        // Now one message, now several at once, so that answers carry one or more.
        self.turns += 1
        for _ in 0..<[1, 4, 10][self.turns % 3] where self.said < self.messages {
            _ = self.server.perform(Command("say", ["text": .string("m\(self.said)")]), by: "Mo")
            self.said += 1
        }
        self.scheduler.schedule(after: .milliseconds(10)) { self.sayNext() }
    }

    private func waitForMessages() {
        guard !self.isOver else { return }
        let isComplete = self.outcome.heard.allSatisfy { $0 >= self.messages }
        // What came once could still come again, so a complete room waits a moment more.
        self.scheduler.schedule(after: .milliseconds(isComplete ? 300 : 10)) {
            if isComplete { self.end() } else { self.waitForMessages() }
        }
    }

    private func end() {
        guard !self.isOver else { return }
        self.isOver = true
        for member in self.members { member.close() }
        self.members = []
        self.server.close()
        self.finish(self.outcome)
    }
}

/// How many files and sockets this process may have open.
enum FileLimit {
    /// Raises the limit as far as the system lets the process, since many systems begin with 1,024.
    ///
    /// - Returns: The limit from now on.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
