import HTTPTypes
import JSON
import Machines
import PlainWebSocket
import Testing
import Transport

@testable import Scenario

@Suite("The control port")
struct ControlPortTests {
    /// What a control port that listens on a host makes of a request with this authority: nil if it does what is asked.
    private static func refusal(of authority: String?, on host: String, isUpgrade: Bool) -> HTTPResponse.Status? {
        var server = ControlServer(host: host)
        var step = ServerStep(now: .start, random: RandomSource(seed: 1))
        let path = isUpgrade ? ControlMessage.path : "/servers"
        let request = Request(HTTPRequest(method: .get, scheme: nil, authority: authority, path: path))
        server.handle(
            isUpgrade ? .upgradeRequested(ConnectionID(1), request) : .requested(ExchangeID(1), request), in: &step)
        for case .respond(_, let answer) in step.effects { return answer.head.status }
        for case .refuse(_, let answer) in step.effects { return answer.head.status }
        return nil
    }

    @Test(
        "A page whose name leads to this machine is refused; addresses, localhost and the host's own name are not",
        arguments: [false, true])
    func names(isUpgrade: Bool) {
        for authority in [
            nil, "127.0.0.1:7700", "10.0.0.7", "[::1]:7700", "localhost:7700", "LOCALHOST", "build-7:7700",
        ] {
            let refusal = Self.refusal(of: authority, on: "build-7", isUpgrade: isUpgrade)
            #expect(refusal == nil, "\(authority ?? "no authority")")
        }
        for authority in [
            "evil.example:7700", "evil.example", "127.0.0.1.evil.example:7700", "localhost.evil.example", "",
        ] {
            let refusal = Self.refusal(of: authority, on: "127.0.0.1", isUpgrade: isUpgrade)
            #expect(refusal == .misdirectedRequest, "\(authority)")
        }
    }

    private static func host(_ clock: ManualClock) throws -> ControlHost {
        try ControlHost(
            systems: [PlainWebSocketSystem.system], on: .loopback, network: MemoryNetwork(scheduler: clock),
            scheduler: clock,
            seed: 1, epochMilliseconds: 0)
    }

    private static func names(_ host: ControlHost) throws -> [String] {
        try host.answer(["method": "list"], from: "request.0")["servers"]?.array?.compactMap { $0["name"]?.string }
            ?? []
    }

    @Test("Requests start a hundred servers at once and no more, until one of them is ended")
    func limit() throws {
        let host = try Self.host(ManualClock())
        let start: JSONObject = ["method": "start", "system": "websocket"]
        for number in 1...100 { _ = try host.answer(start, from: "request.\(number)") }
        #expect(throws: ConfigurationError.self) { try host.answer(start, from: "request.101") }
        // The server of a connection ends with it, so it is not counted.
        _ = try host.answer(start, from: "7")
        _ = try host.answer(["method": "stop", "server": "websocket-50"], from: "request.102")
        _ = try host.answer(start, from: "request.103")
        #expect(try Self.names(host).count == 101)
        host.close()
    }

    @Test("A server that a request has started ends an hour after it was last asked for; others stay")
    func idle() throws {
        let clock = ManualClock()
        let host = try Self.host(clock)
        _ = try host.startStandalone("websocket")
        for number in 2...3 {
            _ = try host.answer(["method": "start", "system": "websocket"], from: "request.\(number)")
        }
        clock.advance(by: .seconds(3000))
        _ = try host.answer(["method": "read", "server": "websocket-2"], from: "request.4")
        clock.advance(by: .seconds(3000))
        #expect(try Self.names(host) == ["websocket", "websocket-2"])
        clock.advance(by: .seconds(1000))
        #expect(try Self.names(host) == ["websocket"])
        host.close()
    }
}
