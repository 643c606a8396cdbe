import HTTPTypes
import Machines
import Testing
import Transport

@Suite("How long a connection may take to open")
struct OpeningLimitTests {
    private static let id = ConnectionID(1)

    /// Opens a WebSocket with a server that is silent, or answers after four ways of a slow network.
    private static func play(
        _ limit: WebSocketOptions.TimeLimit, latency: Duration, _ check: @escaping (Stage) -> Void
    ) throws {
        var configuration = StageConfiguration()
        configuration.latency = latency
        try Stage.play(.memory, configuration) { stage in
            stage.server.react = { input in
                if case .upgradeRequested(let id, _) = input { [.accept(id, subprotocol: nil)] } else { [] }
            }
            let head = HTTPRequest(method: .get, scheme: "ws", authority: "\(stage.serverPort.endpoint)", path: "/")
            stage.client(.open(Self.id, head, subprotocols: [], WebSocketOptions(timeLimit: limit))) {
                stage.client.inputs.count == 1
            }
            stage.then { check(stage) }
        }
    }

    @Test("a machine that has no limit waits for ever, beyond the limit of the port")
    func none() throws {
        try Self.play(.none, latency: .seconds(20)) { stage in
            #expect(stage.client.inputs == [.opened(Self.id, subprotocol: nil)])
            #expect(stage.scheduler.now == .start + .seconds(80))
        }
    }

    @Test("the limit of a machine holds as it is, shorter or longer than that of the port", arguments: [5, 70])
    func own(seconds: Int) throws {
        try Self.play(.after(.seconds(seconds)), latency: .seconds(20)) { stage in
            guard case .openFailed(_, let failure)? = stage.client.inputs.first else {
                Issue.record("it came to \(stage.client.inputs)")
                return
            }
            #expect(failure.code == .timedOut)
            #expect(stage.scheduler.now == .start + .seconds(seconds))
        }
    }

    @Test("a machine that says nothing has the limit of the port")
    func standard() throws {
        try Self.play(.standard, latency: .seconds(20)) { stage in
            #expect(stage.scheduler.now == .start + .seconds(30))
        }
    }
}
