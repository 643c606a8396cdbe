import Foundation
import Glibc
import Machines
import NIOCore
import Testing

@testable import Transport

@Suite("Source addresses", .serialized)
struct SourceAddressTests {
    @Test(
        "stand for what a list, a range or a block of addresses holds",
        arguments: [
            ("127.0.0.2", ["127.0.0.2"]), ("127.0.0.2, 127.0.0.9,127.0.0.2", ["127.0.0.2", "127.0.0.9"]),
            ("127.0.0.254-127.0.1.1", ["127.0.0.254", "127.0.0.255", "127.0.1.0", "127.0.1.1"]),
            ("127.0.0.7/30", ["127.0.0.5", "127.0.0.6"]), ("127.0.0.7/31", ["127.0.0.6", "127.0.0.7"]),
            ("127.0.0.7/32", ["127.0.0.7"]), ("::1", ["::1"]), ("10.0.0.1-10.0.0.1", ["10.0.0.1"]),
        ])
    func reads(text: String, list: [String]) throws {
        #expect(try SourceAddresses(text: text).list == list)
    }

    @Test("stand for all hosts of a block")
    func block() throws {
        let list = try SourceAddresses(text: "127.0.0.0/28").list
        #expect(list.count == 14)
        #expect(list.first == "127.0.0.1")
        #expect(list.last == "127.0.0.14")
    }

    @Test(
        "are refused with what to write",
        arguments: [
            ("", "is no address; write"), ("127.0.0.2,", "is no address"), ("desk.test", "is no address"),
            ("127.0.0.2-127.0.0.1", "is no range"), ("127.0.0.2-9", "is no range"), ("127.0.0/24", "is no block"),
            ("127.0.0.1/33", "is no block"), ("127.0.0.256-127.0.1.0", "is no range"), ("0.0.0.0/0", "at most 65536"),
            ("10.0.0.0/16,10.1.0.0/16", "more than 65536"), ("127.0.0.2,::1", "both kinds"), ("::1-::2", "is no range"),
        ])
    func refuses(text: String, message: String) {
        let failure = #expect(throws: TransportFailure.self) { try SourceAddresses(text: text) }
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }

    @Test("that this machine does not have are named, those that it has are not")
    func check() throws {
        try SourceAddresses(text: "127.0.0.0/28").check()
        let failure = #expect(throws: TransportFailure.self) {
            try SourceAddresses(text: "127.0.0.2,203.0.113.1,203.0.113.2").check()
        }
        #expect(failure?.message.hasPrefix("203.0.113.1 and 1 more of them cannot be bound") == true)
    }

    /// Connects clients, each from the next source address, to listeners in turn, and returns where they came from.
    private static func connect(
        _ count: Int, listeners: Int, sources: String, whenOpen: @escaping () -> Void = {}
    ) throws -> (from: [Endpoint], failures: [TransportFailure.Code]) {
        var from: [Endpoint] = []
        var failures: [TransportFailure.Code] = []
        let addresses = try SourceAddresses(text: sources)
        try EventLoopThread.play { eventLoop, finish in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let network = SocketNetwork(
                eventLoop: eventLoop, configuration: SocketNetworkConfiguration(sourceAddresses: addresses))
            let servers = (0..<listeners).map { _ in Peer() }
            let doors = try servers.map { try network.listen($0) }
            for (door, server) in zip(doors, servers) {
                door.onAccept = { stream in
                    if let stream = stream as? SocketStreamHandler { from.append(stream.peer) }
                    return server
                }
            }
            let clients = (0..<count).map { _ in Peer() }
            for (number, client) in clients.enumerated() {
                client.stream = network.belonging(to: number, leavingFrom: number / listeners).connect(
                    to: doors[number % listeners].endpoint, security: .plain, delegate: client)
            }
            func poll(_ remaining: Int) {
                failures = clients.compactMap(\.failure)
                if from.count + failures.count == count || remaining == 0 {
                    whenOpen()
                    for client in clients { client.stream?.abort() }
                    for door in doors { door.close() }
                    finish()
                } else {
                    scheduler.schedule(after: .milliseconds(1)) { poll(remaining - 1) }
                }
            }
            poll(5000)
        }
        return (from, failures)
    }

    /// The own address of each socket of this process that waits with its port until it is connected.
    private static var withoutPort: [String] {
        // Beside tests that open thousands of connections these have high numbers.
        (0..<1 << 16 as Range<CInt>).compactMap { descriptor in
            var isSet: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            guard getsockopt(descriptor, CInt(IPPROTO_IP), 24, &isSet, &length) == 0, isSet == 1 else {
                return nil
            }
            // The family takes two bytes, then a port as many, then the address.
            var own = [UInt8](repeating: 0, count: 16)
            length = socklen_t(own.count)
            let result = own.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
            }
            guard result == 0, own[0] == UInt8(AF_INET) else { return nil }
            return own[4..<8].map(String.init).joined(separator: ".")
        }
    }

    @Test("are taken in turn, and no port is taken before there is a connection")
    func inTurn() throws {
        var bound: [String] = []
        let (from, failures) = try Self.connect(4, listeners: 1, sources: "127.0.77.2-127.0.77.3") {
            bound = Self.withoutPort.filter { $0.hasPrefix("127.0.77.") }
        }
        #expect(failures.isEmpty)
        #expect(from.map(\.host).sorted() == ["127.0.77.2", "127.0.77.2", "127.0.77.3", "127.0.77.3"])
        #expect(bound.sorted() == ["127.0.77.2", "127.0.77.2", "127.0.77.3", "127.0.77.3"])
        #expect(Set(from).count == 4)
    }

    @Test("that this machine does not have make a connection fail, not the process")
    func foreign() throws {
        #expect(try Self.connect(1, listeners: 1, sources: "203.0.113.1").failures == [.cannotConnect])
    }

    @Test(
        "share their ports between destinations, so that more connections fit than there are ports",
        .enabled(if: IsolatedNetwork.isAllowed, "a network of its own takes an administrator on Linux"))
    func sharedPorts() throws {
        let outcome = try IsolatedNetwork.run(ports: 50_000...50_019) {
            try Self.connect(45, listeners: 3, sources: "127.0.0.2")
        }
        let (from, failures) = try #require(outcome)
        #expect(failures.isEmpty)
        #expect(from.count == 45)
        #expect(Set(from.map(\.port)).count <= 20)
    }
}

/// A thread in a network namespace of its own, where the ports of outgoing connections are few; the namespace is gone
/// with the thread.
enum IsolatedNetwork {
    /// Whether the system lets this process have one.
    static let isAllowed = (try? Self.run(ports: 50_000...50_019) { true }) == true

    private final class Outcome<Value>: @unchecked Sendable {
        // Safe because the thread that waits reads only after the other one has signaled.
        var result: Result<Value, any Error>?
    }

    /// Runs a body there.
    ///
    /// - Returns: Nil where the system does not allow it.
    static func run<Value>(ports: ClosedRange<Int>, _ body: @escaping () throws -> Value) throws -> Value? {
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let body = body  // Safe because the caller waits for the other thread.
        Thread.detachNewThread {
            defer { done.signal() }
            guard Self.enter(ports) else { return }
            outcome.result = Result { try body() }
        }
        done.wait()
        return try outcome.result?.get()
    }

    private static func enter(_ ports: ClosedRange<Int>) -> Bool {
        typealias Unshare = @convention(c) (CInt) -> CInt
        let newNetwork: CInt = 0x4000_0000
        guard let symbol = dlsym(nil, "unshare"), unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else {
            return false
        }
        // Brings up the loopback interface: a name of 16 bytes, then the flags IFF_UP and IFF_RUNNING (netdevice(7)).
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: Array("lo".utf8))
        request[16] = UInt8(0x01 | 0x40)
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        let isUp = request.withUnsafeMutableBytes { ioctl(descriptor, UInt(SIOCSIFFLAGS), $0.baseAddress!) } == 0
        let range = Data("\(ports.lowerBound) \(ports.upperBound)".utf8)
        return isUp
            && (try? range.write(to: URL(fileURLWithPath: "/proc/sys/net/ipv4/ip_local_port_range"))) != nil
    }
}
