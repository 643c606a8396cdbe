import JSON
import Machines
import Testing

@testable import LiveLike

@Suite("A carrier that is slow, lossy or away")
struct ReconnectTests {
    @Test(
        "After a lost network the loop goes on from its last token and nothing is missed or doubled",
        arguments: ["ios", "android"])
    func network(platform: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["platform": .string(platform)])
        world.serve("say", ["text": "one"], by: "Mo")
        world.run(for: .seconds(1))
        world.unplugged = [ada]
        world.serve("drop_subscribers")
        world.run(for: .seconds(20))
        for text in ["two", "three"] { world.serve("say", ["text": .string(text)], by: "Mo") }
        #expect(world.events(ada, .disconnected).count == 1)
        let delays = world.events(ada, .reconnecting).prefix(3).map { $0.fields["in"]?.double }
        #expect(delays == (platform == "ios" ? [3, 3, 3] : [1, 2, 4]))
        world.unplugged = []
        world.run(for: .seconds(40))
        #expect(world.heard(ada) == ["one", "two", "three"])
        #expect(world.events(ada, .reconnected).count == 1)
    }

    @Test("In a silent room a member notices the loss and the return", arguments: ["ios", "android"])
    func silentRoom(platform: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["platform": .string(platform)])
        world.forgetEvents()
        #expect(world.serve("drop_subscribers") == .done(1))
        world.run(for: .seconds(4))
        #expect(world.events[ada].map(\.event.kind) == [.disconnected, .reconnecting, .reconnected])
        #expect(world.serverProperties["subscribers"] == 1)
    }

    @Test("With a third of the answers lost every message still arrives once and in order", arguments: 1...5)
    func loss(seed: UInt64) throws {
        let world = try TestWorld(seed: seed)
        let ada = try world.connected(["retry_interval": 0.2])
        world.serve("set_loss", ["loss": 0.33])
        for number in 0..<100 {
            world.serve("say", ["text": .string("m\(number)")], by: "Mo")
            world.run(for: .milliseconds(100))
        }
        world.serve("set_loss", ["loss": 0])
        world.run(for: .seconds(30))
        #expect(world.heard(ada) == (0..<100).map { "m\($0)" })
        #expect(!world.events(ada, .reconnecting).isEmpty)
    }

    @Test("Latency and jitter delay messages and reorder none", arguments: 1...5)
    func jitter(seed: UInt64) throws {
        let world = try TestWorld(server: ["latency": 0.2, "jitter": 0.5], seed: seed, shuffles: true)
        let members = try (0..<5).map { _ in try world.connected() }
        for number in 0..<30 {
            world.serve("say", ["text": .string("m\(number)")], by: "Mo")
            world.run(for: .milliseconds(70))
        }
        world.run(for: .seconds(60))
        for member in members { #expect(world.heard(member) == (0..<30).map { "m\($0)" }) }
    }

    @Test("A request that waits is answered empty when its hold ends, and the loop asks again")
    func hold() throws {
        let world = try TestWorld(server: ["hold": 10])
        let ada = try world.connected()
        world.forgetEvents()
        // Connected at 0 s, looked at from 5 s to 40 s: the holds end at 10, 20, 30 and 40 s.
        world.run(for: .seconds(35))
        #expect(world.requestLog.count { $0.contains("/v2/subscribe") } == 4)
        #expect(world.events[ada].isEmpty)
    }

    @Test("A server that answers at once with nothing new does not make the loop spin")
    func emptyAnswers() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.forgetEvents()
        world.serve("fail_next", ["path": "/v2/subscribe", "status": 500, "count": 1_000_000])
        world.serve("drop_subscribers")
        world.run(for: .seconds(60))
        #expect(world.requestLog.count <= 21)
        #expect(world.events(ada, .disconnected).count == 1)
    }

    @Test("The heartbeat of the application is kept")
    func heartbeat() throws {
        let world = try TestWorld(server: ["heartbeat": 60])
        try _ = world.connected()
        world.forgetEvents()
        world.run(for: .seconds(185))
        #expect(world.requestLog.count { $0.contains("/heartbeat?") } == 3)
    }
}
