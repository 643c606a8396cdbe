import HTTPTypes
import Machines
import RunRecord
import Testing

@testable import Load

@Suite("Who is let in to a rendezvous")
struct RendezvousServerTests {
    private static let epoch = EpochTime(nanoseconds: 1_795_262_400_000_000_000)
    private static let token = "0123456789abcdef"

    private static func server(token: String? = nil, shards: Int = 2) -> RendezvousServer {
        let leader = RendezvousLeader(
            run: "nightly", plan: 7, shard: Shard(index: 1, count: shards), deadline: Self.epoch + .seconds(300),
            margin: .seconds(1))
        return RendezvousServer(leader, shards: shards, token: token)
    }

    private static func effects(
        _ server: inout RendezvousServer, _ input: RendezvousServer.Input, after seconds: Int = 0
    ) -> [RendezvousServer.Effect] {
        server.handle(input, at: Self.epoch + .seconds(seconds))
    }

    private static func arrival(_ number: UInt64, _ fields: HTTPFields = [:]) -> RendezvousServer.Input {
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: "127.0.0.1:7", path: "/rendezvous", headerFields: fields)
        return .asked(ConnectionID(number), head)
    }

    private static func ready(_ index: Int, of count: Int, from number: UInt64) -> RendezvousServer.Input {
        let line = RendezvousLine.ready(Shard(index: index, count: count), plan: 7, run: "nightly")
        return .received(ConnectionID(number), .text(line.text))
    }

    private static func isLetIn(_ effects: [RendezvousServer.Effect]) -> Bool {
        effects.contains { if case .accept = $0 { true } else { false } }
    }

    @Test("Where there is a token, only who shows it is let in")
    func token() {
        var server = Self.server(token: Self.token)
        #expect(!Self.isLetIn(Self.effects(&server, Self.arrival(1))))
        #expect(!Self.isLetIn(Self.effects(&server, Self.arrival(2, [.authorization: "Bearer 0123456789abcdeF"]))))
        #expect(Self.isLetIn(Self.effects(&server, Self.arrival(3, [.authorization: "Bearer \(Self.token)"]))))
    }

    @Test("A web page is not let in, whatever it shows")
    func page() {
        for token in [nil, Self.token] {
            var server = Self.server(token: token)
            let fields: HTTPFields = [.origin: "http://evil.example", .authorization: "Bearer \(Self.token)"]
            #expect(!Self.isLetIn(Self.effects(&server, Self.arrival(1, fields))))
        }
    }

    @Test("Connections that say nothing lose their places after ten seconds; one that has spoken keeps its own")
    func silence() throws {
        var server = Self.server()
        var accepted = 0
        for number in 1...30 where Self.isLetIn(Self.effects(&server, Self.arrival(UInt64(number)))) { accepted += 1 }
        // Twice the shards and some, so that a shard that was started again finds a place.
        #expect(accepted == 20)
        _ = Self.effects(
            &server,
            .received(ConnectionID(1), .text(RendezvousLine.ready(Shard(index: 3, count: 3), plan: 7, run: "x").text)),
            after: 5)
        #expect(server.wake == Self.epoch + .seconds(10))
        let dropped = Self.effects(&server, .waited, after: 10)
        #expect(dropped.filter { if case .abort = $0 { true } else { false } }.count == 19)
        #expect(!dropped.contains { if case .abort(ConnectionID(1)) = $0 { true } else { false } })
        #expect(Self.isLetIn(Self.effects(&server, Self.arrival(31), after: 11)))
    }

    @Test("A run of one shard starts without anybody else")
    func alone() {
        var server = Self.server(shards: 1)
        #expect(Self.effects(&server, .begun) == [.tell(.agreed(Self.epoch + .seconds(1)))])
        #expect(server.wake == nil)
    }

    @Test("The start is told to the shards that are ready and to nobody else, and a shard that is refused learns why")
    func start() {
        var server = Self.server(shards: 3)
        #expect(Self.effects(&server, .begun).isEmpty)
        #expect(server.wake == Self.epoch + .seconds(300))
        for number in 1...4 { #expect(Self.isLetIn(Self.effects(&server, Self.arrival(UInt64(number))))) }
        #expect(Self.effects(&server, Self.ready(2, of: 3, from: 1)).isEmpty)
        // It is there twice.
        let refusal = Self.effects(&server, Self.ready(2, of: 3, from: 2))
        guard case .transmit(ConnectionID(2), .failed)? = refusal.first else {
            Issue.record("not refused: \(refusal)")
            return
        }
        #expect(refusal.dropFirst() == [.close(ConnectionID(2), code: 1008)])
        let start = Self.epoch + .seconds(6)
        #expect(
            Self.effects(&server, Self.ready(3, of: 3, from: 3), after: 5) == [
                .transmit(ConnectionID(1), .start(start)), .close(ConnectionID(1), code: 1000),
                .transmit(ConnectionID(3), .start(start)), .close(ConnectionID(3), code: 1000),
                .tell(.agreed(start)),
            ])
        // One is silent still, and loses its place in time.
        #expect(server.wake == Self.epoch + .seconds(10))
        #expect(Self.effects(&server, .waited, after: 10) == [.abort(ConnectionID(4))])
        #expect(server.wake == nil)
    }

    @Test("All who are there learn of an interruption, but not who has gone")
    func interruption() {
        var server = Self.server(shards: 3)
        _ = Self.effects(&server, .begun)
        for number in 1...3 { _ = Self.effects(&server, Self.arrival(UInt64(number))) }
        _ = Self.effects(&server, Self.ready(2, of: 3, from: 1))
        #expect(Self.effects(&server, .closed(ConnectionID(2))).isEmpty)
        let reason = "shard 1/3 was interrupted"
        #expect(
            Self.effects(&server, .interrupted) == [
                .transmit(ConnectionID(1), .failed(reason)), .close(ConnectionID(1), code: 1000),
                .transmit(ConnectionID(3), .failed(reason)), .close(ConnectionID(3), code: 1000),
                .tell(.failed(StartError(message: reason))),
            ])
        #expect(Self.effects(&server, .interrupted).isEmpty)
    }

    @Test(
        "Without a token only the loopback is a place to meet",
        arguments: [
            ("tcp://127.0.0.1:7", true), ("tcp://localhost:7", true), ("tcp://[::1]:7", true), ("meeting", true),
            ("tcp://node-1:7", false), ("tcp://127.example.com:7", false), ("tcp://10.0.0.7:7", false),
            ("tcp://0123456789abcdef@node-1:7", true),
            ("tcp://short@node-1:7", false), ("tcp://@127.0.0.1:7", false),
        ])
    func places(text: String, isOne: Bool) {
        let place = try? RendezvousPlace(text: text)
        #expect((place != nil) == isOne)
        #expect(place?.description.contains("0123456789abcdef") != true)
    }

    @Test("What is wrong with a place is said without its token")
    func mistake() {
        let error = #expect(throws: StartError.self) {
            try RendezvousPlace(text: "http://0123456789abcdef@node-1:7")
        }
        #expect(error?.message.contains("node-1:7") == true)
        #expect(error?.message.contains("0123456789abcdef") == false)
    }
}
