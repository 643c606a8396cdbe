import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import PlainWebSocket

@Suite("A connection goes through its transition table, and through nothing else")
struct TransitionTests {
    @Test("a connection")
    func connection() throws {
        typealias Walked = WalkedClient<PlainWebSocketClient>
        typealias Input = TransitionWalk<Walked>.Input
        func input(_ name: String, in states: Set<String>, _ input: @escaping (ConnectionID) -> ClientInput) -> Input {
            Input(name, if: { states.contains($0.properties["state"]?.string ?? "") }) { walked in
                if let connection = walked.connection { walked.handle(input(connection)) }
            }
        }
        let closure = WebSocketClosure(code: 1000, reason: "")
        let configuration = ClientConfiguration(origin: "ws://echo.test", target: [:], options: [:])
        let walk = TransitionWalk(
            Walked(try PlainWebSocketClient(configuration)), state: { $0.properties["state"]?.string ?? "" },
            inputs: [
                Input("connect") { $0.perform("connect") },
                input("opened", in: ["connecting"]) { .opened($0, subprotocol: nil) },
                input("open failed", in: ["connecting"]) { .openFailed($0, TransportFailure(.cannotConnect, "no")) },
                input("message", in: ["open", "closing"]) { .received($0, .text("hi")) },
                Input("close") { $0.perform("close") }, Input("drop") { $0.perform("drop") },
                input("closed", in: ["open", "closing"]) { .closed($0, closure) },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "connect", "connecting"), StateChange("closed", "connect", "connecting"),
                StateChange("connecting", "opened", "open"), StateChange("connecting", "open failed", "closed"),
                StateChange("open", "close", "closing"), StateChange("open", "closed", "closed"),
                StateChange("closing", "closed", "closed"), StateChange("connecting", "drop", "closed"),
                StateChange("open", "drop", "closed"), StateChange("closing", "drop", "closed"),
            ])
    }

    @Test("what comes behind the client's close is shown, until the server closes as well")
    func saidWhileClosing() throws {
        var client = try PlainWebSocketClient(ClientConfiguration(origin: "ws://echo.test", target: [:], options: [:]))
        var step = PlainWebSocketClient.Step(now: .start, random: RandomSource(seed: 1))
        #expect(client.perform(.connect(nil), in: &step) == .done(.null))
        client.handle(.opened(1, subprotocol: nil), in: &step)
        #expect(client.perform(.close(code: nil, reason: nil), in: &step) == .done(.null))
        client.handle(.received(1, .text("late")), in: &step)
        client.handle(.closed(1, WebSocketClosure(code: 1000, reason: "")), in: &step)
        let events = step.effects.compactMap { if case .emit(let event) = $0 { event } else { nil } }
        #expect(events.map(\.kind) == [.connected, .frame, .disconnected])
        #expect(events.first?.fields == [:], "a field that says nothing is absent, for null is true in Lua")
        #expect(events.dropFirst().first?.fields["text"] == "late")
    }

    @Test("what is sent on a connection that has ended is refused, unless it ended by itself")
    func ended() throws {
        typealias Walked = WalkedClient<PlainWebSocketClient>
        func answer(_ end: (inout Walked, ConnectionID) -> Void) throws -> CommandOutcome {
            let configuration = ClientConfiguration(origin: "ws://echo.test", target: [:], options: [:])
            var client = Walked(try PlainWebSocketClient(configuration))
            client.perform("connect")
            guard let connection = client.connection else { return .refused("nothing was opened") }
            client.handle(.opened(connection, subprotocol: nil))
            end(&client, connection)
            return client.perform("send", ["text": "hi"])
        }
        func closed(_ code: UInt16, _ reason: String) throws -> CommandOutcome {
            try answer { $0.handle(.closed($1, WebSocketClosure(code: code, reason: reason))) }
        }
        #expect(try closed(1011, "boom") == .disconnected("the server closed the connection: 1011 boom"))
        #expect(try closed(1011, "") == .disconnected("the server closed the connection: 1011 internal error"))
        #expect(try closed(1006, "the connection was cut") == .disconnected("the connection was cut"))
        let needed = "send needs an open connection, but it is"
        let advice = "call connect and expect \"connected\" first"
        let own = try answer {
            $0.perform("close")
            $0.handle(.closed($1, WebSocketClosure(code: 1000, reason: "")))
        }
        #expect(own == .refused("\(needed) closed; \(advice)"))
        #expect(try answer { client, _ in client.perform("drop") } == .refused("\(needed) closed; \(advice)"))
        // Whoever connects again is not told of the connection before.
        let again = try answer {
            $0.handle(.closed($1, WebSocketClosure(code: 1011, reason: "boom")))
            $0.perform("connect")
        }
        #expect(again == .refused("\(needed) connecting; \(advice)"))
    }
}
