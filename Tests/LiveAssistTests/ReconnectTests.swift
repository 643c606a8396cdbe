import HTTPTypes
import JSON
import Machines
import Testing

@testable import LiveAssist

@Suite("Lost connections")
struct ReconnectTests {
    @Test("A short loss: disconnected, retry, failed attempt, retry, connected, the agent sees the screen again")
    func recovery() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "screen": ["elements": [["id": "a", "label": "Hello"]]]
        ])
        world.forgetEvents()
        world.reachability[consumer] = .silent
        let start = world.now
        world.serve("drop", ["role": "consumer"])
        #expect(world.callbacks(consumer) == ["onDisconnect(_:reason:)", "willRetry(inSeconds:attempt:of:connector:)"])
        #expect(world.events(consumer, .reconnecting).last?.fields["in"] == 1.0)
        #expect(world.events(consumer, .reconnecting).last?.fields["of"] == 6)
        // The first attempt starts after 1 s and is given up after 5 s.
        world.run(for: .seconds(6))
        #expect(world.events(consumer, .disconnected).count == 2)
        #expect(world.events[consumer].last?.event.fields["attempt"] == 2)
        #expect(world.events[consumer].last.map { $0.at - start } == .seconds(6))
        world.reachability[consumer] = .reachable
        world.run(for: .seconds(2))
        #expect(world.events(consumer, .connected).first?.fields["first"] == false)
        #expect(world.events(agent, .screen).last?.fields["full"] == true)
        #expect(world.property(consumer, "cobrowsing") == true)
        #expect(world.events(consumer, .agentLeftCobrowse).isEmpty)
        #expect(world.events(agent, .consumerJoined).count == 1)
        world.act(consumer, "change", ["id": "a", "value": "after"])
        world.run(for: .seconds(1))
        #expect(world.received(agent, "after"))
    }

    @Test("The waits follow retryIntervals and the limits maxReconnectTimeouts, whose last value repeats")
    func exhausted() throws {
        let world = try TestWorld()
        let consumer = try world.consumer(["retryIntervals": [1, 2, 4], "maxReconnectTimeouts": [3, 5]])
        world.forgetEvents()
        world.reachability[consumer] = .silent
        let start = world.now
        world.serve("drop")
        world.run(for: .seconds(100))
        let times = world.events[consumer].filter { $0.event.kind == .disconnected }.map { $0.at - start }
        // Lost at 0; tries at 1 to 4, 6 to 11 and 15 to 20.
        #expect(times == [.zero, .seconds(4), .seconds(11), .seconds(20)])
        #expect(world.events(consumer, .reconnecting).map { $0.fields["in"] } == [1.0, 2.0, 4.0])
        #expect(world.events(consumer, .terminated).map { $0.fields["code"] } == [30102])
        #expect(world.events[consumer].last?.event.kind == .terminated)
    }

    @Test("By default there are six attempts at increasing intervals")
    func defaults() throws {
        let world = try TestWorld()
        let consumer = try world.consumer()
        world.reachability[consumer] = .refused
        world.serve("drop")
        world.run(for: .seconds(200))
        #expect(world.events(consumer, .reconnecting).map { $0.fields["in"] } == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
        #expect(world.events(consumer, .disconnected).count == 7)
        #expect(world.events(consumer, .terminated).count == 1)
    }

    @Test(
        "With an empty list the script alone reconnects",
        arguments: [["retryIntervals": []], ["defaults": "initializer"]] as [JSONObject])
    func noAutomaticAttempts(options: JSONObject) throws {
        let world = try TestWorld()
        let consumer = try world.consumer(options)
        world.serve("drop")
        world.run(for: .seconds(100))
        #expect(world.events(consumer, .disconnected).count == 1)
        #expect(world.events(consumer, .reconnecting).isEmpty)
        #expect(world.events(consumer, .terminated).isEmpty)
        world.reachability[consumer] = .silent
        world.act(consumer, "reconnect", ["timeout": 2])
        world.run(for: .seconds(2))
        #expect(world.events(consumer, .disconnected).count == 2)
        world.reachability[consumer] = .reachable
        world.act(consumer, "reconnect", ["timeout": 2])
        #expect(world.events(consumer, .connected).count == 2)
        world.serve("drop")
        world.act(consumer, "terminate", ["reason": "enough"])
        #expect(world.events(consumer, .terminated).first?.fields["reason"] == "enough")
    }

    @Test("The script reconnects at once during the wait for an automatic attempt")
    func reconnectEarly() throws {
        let world = try TestWorld()
        let consumer = try world.consumer(["retryIntervals": [30]])
        world.serve("drop")
        world.act(consumer, "reconnect")
        #expect(world.events(consumer, .connected).count == 2)
        world.run(for: .seconds(60))
        #expect(world.events(consumer, .connected).count == 2)
    }

    @Test("The first connection is not tried again", arguments: [TestWorld.Reachability.refused, .silent])
    func firstConnection(reachability: TestWorld.Reachability) throws {
        let world = try TestWorld()
        let consumer = try world.add(["sessionToken": "t", "correlationId": "c", "initialConnectTimeout": 7])
        world.reachability[consumer] = reachability
        world.act(consumer, "start_support")
        world.run(for: .seconds(6.9))
        #expect(world.events(consumer, .error).count == (reachability == .refused ? 1 : 0))
        world.run(for: .seconds(100))
        #expect(world.events(consumer, .error).map { $0.fields["code"] } == [30102])
        #expect(world.handshakes.count == 1)
    }

    @Test("A token that does not open the session is refused")
    func badToken() throws {
        let world = try TestWorld()
        let consumer = try world.add(["sessionToken": "wrong", "correlationId": "room"])
        world.act(consumer, "start_support")
        #expect(world.events(consumer, .error).first?.fields["code"] == 30102)
    }

    @Test("A server that stays silent is noticed within 20 s")
    func silence() throws {
        let world = try TestWorld()
        let consumer = try world.consumer()
        world.run(for: .seconds(100))
        #expect(world.events(consumer, .disconnected).isEmpty)
        world.serve("swallow_pongs")
        let start = world.now
        world.run(for: .seconds(20))
        let lost = try #require(world.events[consumer].first { $0.event.kind == .disconnected })
        #expect(lost.at - start <= .seconds(20))
    }

    @Test("Topics outlive their owner for the grace time and no longer", arguments: [(59, true), (61, false)])
    func grace(seconds: Int, isThere: Bool) throws {
        let world = try TestWorld()
        let consumer = try world.consumer(["retryIntervals": [90]])
        let agent = try world.agent()
        world.serve("drop", ["role": "consumer"])
        world.run(for: .seconds(seconds))
        #expect((world.serverProperties["sessions"]?[0]?["topics"]?.integer ?? 0 > 0) == isThere)
        world.act(consumer, "reconnect")
        world.act(agent, "request_cobrowse")
        #expect(world.events(consumer, .cobrowseRequested).count == 1)
        world.act(consumer, "allow_cobrowse")
        #expect(world.events(agent, .screen).count == 1)
    }

    @Test("An agent who has not heard of the screen yet asks by a message, and is answered", arguments: [true, false])
    func requestBeforeLists(isAllowed: Bool) throws {
        func frame(_ type: JSONValue, from participant: UInt16) -> JSONObject {
            let frame = TopicFrame(.sendMessage, topic: 0, participant: participant, json: ["type": type])
            return ["base64": .string(Base64.encode(frame.bytes))]
        }
        let world = try TestWorld()
        let consumer = try world.consumer()
        let agent = try world.agent()
        world.act(agent, "send_frame", frame("requestScreenShare", from: 2))
        #expect(world.events(consumer, .cobrowseRequested).count == 1)
        if isAllowed {
            world.act(consumer, "allow_cobrowse")
            #expect(world.events(agent, .screen).count == 1)
        } else {
            let refusal = frame("rejectScreenShare", from: 1).merging(["role": "agent"])
            world.serve("send_frame", refusal)
            #expect(world.events(agent, .cobrowseRejected).isEmpty, "it has not asked")
            world.act(agent, "request_cobrowse")
            world.serve("send_frame", refusal)
            world.serve("send_frame", refusal)
            #expect(world.events(agent, .cobrowseRejected).count == 1)
        }
    }

    @Test("An agent that comes back must be admitted again")
    func agentReconnects() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.serve("drop", ["role": "agent"])
        #expect(world.events(consumer, .agentLeftCobrowse).count == 1)
        #expect(world.events(consumer, .agentLeftSession).count == 1)
        world.forgetEvents()
        world.run(for: .seconds(5))
        #expect(world.events(agent, .reconnected).count == 1)
        #expect(world.events(consumer, .agentJoinedSession).count == 1)
        #expect(world.events(agent, .screen).isEmpty)
        world.act(agent, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        #expect(world.events(agent, .screen).count == 1)
    }

    @Test("An agent who has come back closes what it pushed before, and only that")
    func agentClosesItsDocument() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        world.serve("drop", ["role": "agent"])
        world.run(for: .seconds(2))
        world.act(agent, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        let ann = try world.agent(["name": "Ann"])
        world.act(ann, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        world.act(ann, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        world.forgetEvents()
        world.act(agent, "close_document", ["id": 0])
        #expect(world.events(consumer, .documentClosed).map { $0.fields["document"] } == [1])
        #expect(world.events(agent, .documentResult).map { $0.fields["outcome"] } == ["closed"])
        #expect(world.events(ann, .documentResult).isEmpty)
        #expect(world.events(consumer, .error).isEmpty)
    }

    @Test("The agent's rules are the web SDK's: of n intervals n − 1 are used")
    func webRules() throws {
        let world = try TestWorld()
        try _ = world.consumer()
        let agent = try world.agent(["retryIntervals": [1, 2, 4]])
        world.reachability[agent] = .refused
        world.serve("drop", ["role": "agent"])
        world.run(for: .seconds(100))
        #expect(world.events(agent, .reconnecting).map { $0.fields["attempt"] } == [1, 2])
        #expect(world.events(agent, .disconnected).count == 2)
        #expect(world.events(agent, .terminated).first?.fields["callback"] == "connectionLost")
    }

    @Test("Delayed frames change nothing but the time")
    func latency() throws {
        let world = try TestWorld(server: ["latency": 0.3])
        let consumer = try world.consumer()
        let agent = try world.agent()
        world.run(for: .seconds(2))
        world.act(agent, "request_cobrowse")
        world.run(for: .seconds(2))
        world.act(consumer, "allow_cobrowse")
        world.run(for: .seconds(3))
        #expect(world.events(agent, .screen).count == 1)
    }

    @Test("Support can be started again after its end, on a new connection")
    func startAgain() throws {
        let world = try TestWorld()
        let consumer = try world.consumer()
        for round in 1...3 {
            #expect(world.events(consumer, .connected).count == round)
            world.command(consumer, "end_support")
            world.act(consumer, "start_support", ["configuration": ["correlationId": .string("room-\(round)")]])
        }
        #expect(world.events(consumer, .terminated).count == 3)
        #expect(world.serverProperties["sessions"]?.array?.count == 1)
    }

    @Test("Tearing down ends everything without an event and leaves no timer")
    func tearDown() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        world.forgetEvents()
        world.tearDown(consumer)
        world.tearDown(agent)
        world.run(for: .seconds(400))
        #expect(world.events[consumer].isEmpty)
        #expect(world.timerNames(consumer).isEmpty)
        #expect(world.timerNames(agent).isEmpty)
        #expect(world.serverProperties["sessions"] == [])
    }
}
