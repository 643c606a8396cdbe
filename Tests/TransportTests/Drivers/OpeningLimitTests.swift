import HTTPTypes
import Machines
import Testing
import Transport

@Suite("How long a connection may take to open")
struct OpeningLimitTests {
    private static let id = ConnectionID(1)

    /// Opens a WebSocket with a server that is silent, or answers after four ways of a slow network.
    private static func play(
        _ limit: OpeningLimit, latency: Duration, _ check: @escaping (DriverPair) -> Void
    ) throws {
        var configuration = DriverPairConfiguration()
        configuration.latency = latency
        try DriverPair.play(.memory, configuration) { pair in
            pair.server.react = { input in
                if case .upgradeRequested(let id, _) = input { [.accept(id, subprotocol: nil)] } else { [] }
            }
            let head = HTTPRequest(method: .get, scheme: "ws", authority: "\(pair.serverDriver.endpoint)", path: "/")
            pair.client(.open(Self.id, head, subprotocols: [], WebSocketOptions(timeLimit: limit))) {
                pair.client.inputs.count == 1
            }
            pair.then { check(pair) }
        }
    }

    @Test("a machine that has no limit waits for ever, beyond the limit of the driver")
    func none() throws {
        try Self.play(.none, latency: .seconds(20)) { pair in
            #expect(pair.client.inputs == [.opened(Self.id, subprotocol: nil)])
            #expect(pair.scheduler.now == .start + .seconds(80))
        }
    }

    @Test("the limit of a machine holds as it is, shorter or longer than that of the driver", arguments: [5, 70])
    func own(seconds: Int) throws {
        try Self.play(.after(.seconds(seconds)), latency: .seconds(20)) { pair in
            guard case .openFailed(_, let failure)? = pair.client.inputs.first else {
                Issue.record("it came to \(pair.client.inputs)")
                return
            }
            #expect(failure.code == .timedOut)
            #expect(pair.scheduler.now == .start + .seconds(seconds))
        }
    }

    @Test("a machine that says nothing has the limit of the driver")
    func standard() throws {
        try Self.play(.standard, latency: .seconds(20)) { pair in
            #expect(pair.scheduler.now == .start + .seconds(30))
        }
    }
}
