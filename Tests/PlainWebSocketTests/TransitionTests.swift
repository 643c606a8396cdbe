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
        typealias Walked = WalkedClient<WebSocketClient>
        typealias Input = TransitionWalk<Walked>.Input
        func input(_ name: String, in states: Set<String>, _ input: @escaping (ConnectionID) -> ClientInput) -> Input {
            Input(name, if: { states.contains($0.properties["state"]?.string ?? "") }) { walked in
                if let connection = walked.connection { walked.handle(input(connection)) }
            }
        }
        let closure = WebSocketClosure(code: 1000, reason: "")
        let configuration = ClientConfiguration(origin: "ws://echo.test", target: [:], options: [:])
        let walk = TransitionWalk(
            Walked(try WebSocketClient(configuration)), state: { $0.properties["state"]?.string ?? "" },
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
}
