import JSON
import Machines
import Testing
import Transport

@testable import Scenario

@Suite("What a script asks for with t:server")
struct ServerSpecificationTests {
    private static func wish(
        _ options: JSONObject, own: [String] = []
    ) throws(UsageError) -> ServerSpecification {
        try ServerSpecification(options, own: own.map { ParameterDeclaration($0, .json, optional: true, "") })
    }

    @Test("nothing asked for is a server of its own on any port")
    func plain() throws {
        let wish = try Self.wish(["queue": 2])
        #expect(!wish.isShared && !wish.isCallback && wish.place == nil && wish.options == ["queue": 2])
    }

    @Test("what every server takes is taken out of the options of the system")
    func general() throws {
        let wish = try Self.wish(["shared": true, "callback": true, "port": 8080, "host": "0.0.0.0", "queue": 2])
        #expect(wish.isShared && wish.isCallback && wish.options == ["queue": 2])
        #expect(wish.place == Endpoint(host: "0.0.0.0", port: 8080))
        #expect(try Self.wish(["host": "::1"]).place == Endpoint(host: "::1", port: 0))
        #expect(try Self.wish(["port": 80]).place == Endpoint(host: "127.0.0.1", port: 80))
    }

    @Test("an option of the system's own wins over one of the same name")
    func own() throws {
        let wish = try Self.wish(["port": "harbor", "shared": 7], own: ["port", "shared"])
        #expect(wish.place == nil && !wish.isShared && wish.options == ["port": "harbor", "shared": 7])
        let names = ServerSpecification.parameters(of: [ParameterDeclaration("port", .string, "")]).map(\.name)
        #expect(names == ["port", "shared", "callback", "host"])
    }

    @Test(
        "a port is one",
        arguments: [(1, true), (65535, true), (0, false), (65536, false), (-1, false), (.min, false)] as [(Int64, Bool)]
    )
    func ports(port: Int64, isTaken: Bool) {
        if isTaken {
            #expect(throws: Never.self) { try Self.wish(["port": .integer(port)]) }
        } else {
            let mistake = #expect(throws: UsageError.self) { try Self.wish(["port": .integer(port)]) }
            #expect(mistake?.message == "t:server: port is a number from 1 to 65535, not \(port)")
        }
    }

    private final class Silent: ExecutionObserver {
        func commands(
            _ actor: any ObservedActor, _ command: inout Command, sending text: SentText?, at now: PoolInstant
        ) -> (() -> Void)? { nil }
        func observes(_ actor: any ObservedActor, _ event: inout ChatEvent, at now: PoolInstant) {}
        func measured(_ measurement: ClientMeasurement, at now: PoolInstant) {}
        func measuredOfSharedServer(_ measurement: ClientMeasurement, at now: PoolInstant) {}
        func stepEnded(_ name: String, after duration: Duration, at now: PoolInstant) {}
        func scriptEnded(at now: PoolInstant) {}
        func measures(_ sample: ScriptSample, at now: PoolInstant) -> String? { nil }
        func marks(_ label: String, at now: PoolInstant) {}
    }

    private static func mistake(
        _ options: JSONObject, isSplit: Bool?, inRoom: Bool = false,
        beside servers: ExecutionServers = ExecutionServers()
    ) throws -> String? {
        let slot = isSplit.map { isSplit in
            VirtualUserSlot(
                user: UserContext(number: 0, iteration: 0, seed: 1, members: [:], needsSharedServer: inRoom),
                observer: Silent(),
                coordination: LocalCoordination(limit: 0), meetings: MeetingCheck(),
                servers: SharedServers(isSplit: isSplit))
        }
        let wish = try Self.wish(options)
        do throws(UsageError) {
            try wish.check(for: slot, beside: servers)
            return nil
        } catch { return error.message }
    }

    @Test("users cannot each listen on one port, nor share a server that some of them cannot reach")
    func users() throws {
        #expect(try Self.mistake(["port": 80], isSplit: nil) == nil)
        #expect(try Self.mistake(["port": 80], isSplit: false)?.contains("cannot each listen on port 80") == true)
        #expect(try Self.mistake(["port": 80, "shared": true], isSplit: false) == nil)
        #expect(try Self.mistake(["host": "0.0.0.0"], isSplit: false) == nil)
        #expect(try Self.mistake(["shared": true], isSplit: true)?.contains("play it with --cores 1") == true)
        #expect(try Self.mistake(["shared": true], isSplit: nil) == nil)
        #expect(try Self.mistake([:], isSplit: true) == nil)
    }

    @Test("members of a room need a server that is shared, and may have others beside it")
    func rooms() throws {
        #expect(try Self.mistake([:], isSplit: false, inRoom: true)?.contains("rooms need one server for all") == true)
        #expect(try Self.mistake(["shared": true], isSplit: false, inRoom: true) == nil)
        #expect(try Self.mistake(["callback": true], isSplit: false, inRoom: true) == nil)
        var servers = ExecutionServers()
        servers.add(TestServer(named: "a"))
        #expect(try Self.mistake([:], isSplit: false, inRoom: true, beside: servers) != nil)
        servers.add(TestServer(named: "a", isShared: true))
        #expect(try Self.mistake([:], isSplit: false, inRoom: true, beside: servers) == nil)
    }

    @Test("shared servers of one system at different places, and those that are called back, are told apart")
    func keys() throws {
        let wishes: [JSONObject] = [[:], ["port": 80], ["port": 81], ["host": "::1"], ["callback": true]]
        let keys = try wishes.map { try Self.wish($0).key(of: "boldchat") }
        #expect(Set(keys).count == wishes.count)
        #expect(try Self.wish(["shared": true]).key(of: "boldchat") == keys[0])
        #expect(try Self.wish([:]).key(of: "oracle") != keys[0])
    }
}

@Suite("The servers of a play")
struct ExecutionServersTests {
    @Test("clients of a system talk to the one that was started last, and to none that is there to be called back")
    func home() {
        var servers = ExecutionServers()
        #expect(servers.home(of: "a") == nil && servers.count == 0)
        let (first, second, callback, other) = (
            TestServer(named: "a"), TestServer(named: "a"), TestServer(named: "a"), TestServer(named: "b")
        )
        servers.add(first)
        servers.add(callback, isCallback: true)
        #expect(servers.home(of: "a") === first)
        servers.add(second)
        servers.add(other)
        #expect(servers.home(of: "a") === second && servers.home(of: "b") === other)
        #expect(servers.home(of: "c") == nil && servers.count == 4)
    }

    @Test("a shared server is found by its identity, and others are not")
    func shared() {
        var servers = ExecutionServers()
        let (own, shared) = (TestServer(named: "a"), TestServer(named: "a", isShared: true))
        servers.add(own)
        servers.add(shared)
        #expect(servers.shared(ObjectIdentifier(shared)) === shared)
        #expect(servers.shared(ObjectIdentifier(own)) == nil)
    }
}
