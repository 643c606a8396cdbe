import HTTPTypes
import Machines
import Testing
import Transport

@Suite("Bytes of a server that no request asked for", .serialized)
struct UnaskedBytesTests {
    /// What a server does beside answering the first request.
    struct Surplus: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answer = UnaskedBytesTests.answer

        /// What it sends right behind the answer.
        var behind = ""

        /// What it sends once the answer has been heard.
        var later = ""

        /// Whether it then ends the connection.
        var isEnd = false
        let isTold: Bool
    }

    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 1\n\na"
    private static let farewell = "HTTP/1.1 408 Request Timeout\nConnection: close\nContent-Length: 0\n\n"

    private static let surpluses: [Surplus] = [
        .init(testDescription: "a second answer at once", behind: answer, isTold: true),
        .init(testDescription: "a second answer later", later: answer, isTold: true),
        .init(testDescription: "junk at once", behind: "junk", isTold: true),
        .init(testDescription: "junk later", later: "junk", isTold: true),
        .init(testDescription: "junk behind a line end", behind: "\n", later: "\njunk", isTold: true),
        .init(testDescription: "half a status line", later: "\nHTTP/1.1 4", isEnd: true, isTold: true),
        .init(testDescription: "a line end", later: "\n", isTold: false),
        .init(testDescription: "a line end at once, and the end", behind: "\n", isEnd: true, isTold: false),
        .init(testDescription: "the end", isEnd: true, isTold: false),
        .init(testDescription: "the end in words", later: farewell, isEnd: true, isTold: false),
        .init(
            testDescription: "too long a body on a connection that does not stay",
            answer: "HTTP/1.1 200 OK\nConnection: close\nContent-Length: 1\n\na", behind: "b", isTold: false),
        .init(
            testDescription: "another protocol",
            answer: "HTTP/1.1 101 Switching Protocols\nConnection: Upgrade\nUpgrade: other\n\n", behind: "hello",
            isTold: false),
    ]

    private static let carriers: [Medium] = [.memory, .memoryInSmallPieces, .sockets, .socketsInSmallPieces]

    @Test("They are told, once, and nobody takes them for an answer", arguments: carriers, surpluses)
    func surplus(transport: Medium, surplus: Surplus) throws {
        try DriverPair.play(transport) { pair in
            var violations: [ServerViolation] = []
            pair.clientDriver.onReport { if case .violated(let violation) = $0 { violations.append(violation) } }
            var streams: [any ByteStream] = []
            let listener = try pair.clientNetwork.listen(on: .loopback, identity: nil)
            listener.onAccept = { stream in
                let (peer, isFirst) = (Peer(), streams.isEmpty)
                streams.append(stream)
                peer.stream = stream
                peer.onBytes = { stream in
                    guard peer.received.suffix(4) == Array("\r\n\r\n".utf8)[...] else { return }
                    stream.write((isFirst ? surplus.answer + surplus.behind : Self.answer).wire)
                }
                peer.onEnd = { $0.close() }
                return peer
            }
            let head = HTTPRequest(method: .get, scheme: "http", authority: "\(listener.endpoint)", path: "/")
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 1 }
            pair.then({
                if !surplus.later.isEmpty { streams[0].write(surplus.later.wire) }
                if surplus.isEnd { streams[0].close() }
            }) { violations.count == (surplus.isTold ? 1 : 0) }
            pair.client(.setTimer("later", .milliseconds(100))) { pair.client.inputs.count == 2 }
            pair.then { #expect(pair.clientDriver.isQuiet) }
            pair.client(.send(ExchangeID(2), Request(head))) { pair.client.inputs.count == 3 }
            pair.then {
                guard case .responded(ExchangeID(2), let response) = pair.client.inputs[2] else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(response.body == Array("a".utf8))
                #expect(streams.count == 2)
                let message = "\(listener.endpoint) sent bytes that no request asked for, behind a complete answer"
                #expect(violations.map(\.message) == (surplus.isTold ? [message] : []))
                #expect(
                    violations.allSatisfy { $0.bytes.first == (surplus.behind + surplus.later).wire.first { $0 > 32 } })
                listener.close()
            }
        }
    }

    @Test(
        "Of connections with line ends behind their answers no more are kept than of others", arguments: Medium.inMemory
    )
    func keptConnections(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.client.bounds.idleConnections = 2
        try DriverPair.play(transport, configuration) { pair in
            var peers: [Peer] = []
            let listener = try pair.clientNetwork.listen(on: .loopback, identity: nil)
            listener.onAccept = { stream in
                let peer = Peer()
                peers.append(peer)
                peer.stream = stream
                peer.onBytes = { stream in
                    guard peer.received.suffix(4) == Array("\r\n\r\n".utf8)[...] else { return }
                    stream.write((Self.answer + "\n").wire)
                }
                peer.onEnd = { $0.close() }
                return peer
            }
            let head = HTTPRequest(method: .get, scheme: "http", authority: "\(listener.endpoint)", path: "/")
            for number in 1...5 {
                pair.client(.send(ExchangeID(UInt64(number)), Request(head))) {
                    pair.client.inputs.count == 2 * number - 1
                }
                // In pieces, the line end comes behind the answer.
                pair.client(.setTimer("later", .milliseconds(100))) { pair.client.inputs.count == 2 * number }
            }
            pair.then {
                #expect(peers.count == 5 && peers.count { !$0.heard.contains(.end) } == 2)
                listener.close()
            }
        }
    }

    @Test("What is captured says why their connection is dropped")
    func capture() throws {
        final class Recorder: WireObserver {
            let wantsBytes = false
            var closings: [String?] = []
            func observe(_ record: WireRecord) {
                if case .closed(let reason) = record.content { self.closings.append(reason) }
            }
        }
        let recorder = Recorder()
        var configuration = DriverPairConfiguration()
        configuration.observer = recorder
        try DriverPair.play(.memory, configuration) { pair in
            let peer = Peer()
            peer.onBytes = { $0.write((Self.answer + "junk").wire) }
            let listener = try pair.clientNetwork.listen(peer)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "\(listener.endpoint)", path: "/")
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 1 }
            pair.then {
                #expect(
                    recorder.closings == [
                        "the server sent bytes that no request asked for, behind a complete answer"
                    ])
                listener.close()
            }
        }
    }
}
