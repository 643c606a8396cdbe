import HTTPTypes
import JSON
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
        return RendezvousServer(leader, epoch: Self.epoch, shards: shards, token: token)
    }

    private static func effects(
        _ server: inout RendezvousServer, _ input: ServerInput, after seconds: Int = 0
    ) -> [ServerEffect] {
        var step = ServerStep(now: .start + .seconds(seconds), random: RandomSource(seed: 1))
        server.handle(input, in: &step)
        return step.effects
    }

    private static func arrival(_ number: UInt64, _ fields: HTTPFields = [:]) -> ServerInput {
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: "127.0.0.1:7", path: "/rendezvous", headerFields: fields)
        return .upgradeRequested(ConnectionID(number), Request(head))
    }

    private static func isLetIn(_ effects: [ServerEffect]) -> Bool {
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
        let dropped = Self.effects(&server, .timerFired("greeting"), after: 10)
        #expect(dropped.filter { if case .abort = $0 { true } else { false } }.count == 19)
        #expect(!dropped.contains { if case .abort(ConnectionID(1)) = $0 { true } else { false } })
        #expect(Self.isLetIn(Self.effects(&server, Self.arrival(31), after: 11)))
    }

    @Test("A command that a rendezvous does not have is refused with those that it has, and changes nothing")
    func unknownOrder() {
        var server = Self.server(shards: 1)
        var step = ServerStep(now: .start, random: RandomSource(seed: 1))
        let refusal = server.perform(Command("beginn"), by: nil, in: &step)
        #expect(
            refusal
                == .refused(#"the leader of a rendezvous has no command "beginn"; it has "begin" and "interrupt""#))
        #expect(step.effects.isEmpty)
        // A run of one shard starts without anybody else.
        #expect(server.perform(RendezvousServer.Order.begin.command, by: nil, in: &step) == .done(.null))
        #expect(!step.effects.isEmpty)

        var client = RendezvousClient(
            RendezvousMember(
                run: "nightly", plan: 7, shard: Shard(index: 2, count: 2), deadline: Self.epoch + .seconds(300)),
            authority: "127.0.0.1:7", epoch: Self.epoch)
        var clientStep = ClientStep(now: .start, random: RandomSource(seed: 1))
        #expect(
            client.perform(Command("begin"), in: &clientStep)
                == .refused(#"a member of a rendezvous has no command "begin"; it has "meet""#))
        #expect(clientStep.effects.isEmpty)
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
