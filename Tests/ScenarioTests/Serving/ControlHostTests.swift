import BoldChat
import HTTPTypes
import JSON
import Machines
import PlainWebSocket
import Testing
import Transport

@testable import Scenario

@Suite("What a control port does when it is asked")
struct ControlHostTests {
    private let clock = ManualClock()

    private func host() throws -> ControlHost {
        try ControlHost(
            systems: [PlainWebSocketSystem.system, BoldChatSystem.system, ParrotClient.system], on: .loopback,
            network: MemoryNetwork(scheduler: self.clock), scheduler: self.clock, seed: 1, epochMilliseconds: 0)
    }

    private func refusal(_ host: ControlHost, _ message: JSONObject, from party: String = "request.1") -> String? {
        do throws(ConfigurationError) {
            _ = try host.answer(message, from: party)
            return nil
        } catch { return error.message }
    }

    @Test("a server that is started has a name, an origin of its own and properties")
    func start() throws {
        let host = try self.host()
        let answers = try (1...3).map {
            try host.answer(["method": "start", "system": "boldchat"], from: "request.\($0)")
        }
        #expect(answers.map { $0["name"] } == ["boldchat", "boldchat-2", "boldchat-3"])
        #expect(Set(answers.compactMap { $0["origin"]?.string }).count == 3)
        #expect(answers.allSatisfy { $0["properties"]?.object != nil && $0["system"] == "boldchat" })
        host.close()
    }

    @Test("a name that is free again is given again")
    func freeNames() throws {
        let host = try self.host()
        for number in 1...3 {
            _ = try host.answer(["method": "start", "system": "boldchat"], from: "request.\(number)")
        }
        _ = try host.answer(["method": "stop", "server": "boldchat-2"], from: "request.4")
        let again = try host.answer(["method": "start", "system": "boldchat"], from: "request.5")
        #expect(again["name"] == "boldchat-2")
        host.close()
    }

    @Test("a connection controls one server, is meant where it names none, and may name others")
    func connections() throws {
        let host = try self.host()
        _ = try host.answer(["method": "start", "system": "boldchat"], from: "1")
        _ = try host.answer(["method": "start", "system": "websocket"], from: "2")
        #expect(
            self.refusal(host, ["method": "start", "system": "websocket"], from: "1")
                == "this connection controls a server already; open another one")
        #expect(try host.answer(["method": "read"], from: "2")["name"] == "websocket")
        #expect(try host.answer(["method": "read", "server": "boldchat"], from: "2")["name"] == "boldchat")
        _ = try host.answer(["method": "stop"], from: "1")
        #expect(self.refusal(host, ["method": "read"], from: "1")?.contains("send start first") == true)
        // A connection whose server has ended may start another one.
        #expect(self.refusal(host, ["method": "start", "system": "websocket"], from: "1") == nil)
        host.close()
    }

    @Test(
        "what cannot be done is refused with what can",
        arguments: [
            (
                ["method": "fly"],
                "there is no method \"fly\"; use start, join, perform, return, list, read, faults, lapses or stop"
            ),
            ([:], "there is no method \"\"; use start, join"), (["method": 7], "there is no method \"\""),
            (["method": "start"], "there is no simulated server \"\"; there are boldchat, websocket"),
            (["method": "start", "system": "parrot"], "there is no simulated server \"parrot\""),
            (["method": "start", "system": "support.lua"], "there is no simulated server \"support.lua\""),
            (
                ["method": "start", "system": "websocket", "options": ["ecoh": true]],
                "start websocket has no option \"ecoh\"; did you mean \"echo\"?"
            ),
            (
                ["method": "start", "system": "websocket", "options": ["echo": 7]],
                "start websocket: echo is true or false"
            ),
            (["method": "read"], "no server has been started on this connection; send start first"),
            (["method": "read", "server": "desk"], "there is no server \"desk\"; start one first"),
            (["method": "stop", "server": "desk"], "there is no server \"desk\""),
        ] as [(JSONObject, String)])
    func refusals(message: JSONObject, text: String) throws {
        let host = try self.host()
        let refusal = try #require(self.refusal(host, message), "\(message)")
        #expect(refusal.contains(text), "\(refusal)")
        let servers = try host.answer(["method": "list"], from: "request.9")["servers"]?.array
        #expect(servers?.isEmpty == true, "nothing was started")
        host.close()
    }

    @Test(
        "who joins is of a kind that the system has",
        arguments: [
            ("support", "Sam", "agnet", "has no party \"agnet\"; did you mean \"agent\"?"),
            ("support", "Sue", "agnet", "has no party \"agnet\"; did you mean \"agent\"?"),
            ("support", "", "agent", "join needs the name of a party, and its kind"),
            ("support", "Sam", "agent", nil), ("support", "Bob", "agent", nil),
            ("websocket", "Sam", "pere", "has no party \"pere\"; did you mean \"peer\"?"),
            ("websocket", "Sam", "peer", nil),
        ] as [(String, String, String, String?)])
    func parties(system: String, party: String, kind: String, text: String?) throws {
        let worker = Worker()
        let network = MemoryNetwork(scheduler: worker)
        let host = try ControlHost(
            systems: [PlainWebSocketSystem.system], on: .loopback, network: network, scheduler: worker, seed: 1,
            epochMilliseconds: 0,
            scripts: ServedScripts(ScriptRun.settings(), worker: worker, network: network))
        _ = try host.answer(["method": "start", "system": .string(system)], from: "1")
        let join: JSONObject = ["method": "join", "party": "Sam", "kind": system == "support" ? "agent" : "peer"]
        #expect(try host.answer(join, from: "1") == [:])
        let refusal = self.refusal(
            host, ["method": "join", "party": .string(party), "kind": .string(kind)], from: "1")
        #expect(text.map { refusal?.contains($0) == true } ?? (refusal == nil), "\(refusal ?? "nothing")")
        host.close()
    }

    @Test("where there are others, a name that there is not is told with those that there are")
    func others() throws {
        let host = try self.host()
        _ = try host.startStandalone("boldchat")
        #expect(
            self.refusal(host, ["method": "read", "server": "desk"])
                == "there is no server \"desk\"; there are boldchat")
        host.close()
    }

    @Test("all servers are listed by name")
    func list() throws {
        let host = try self.host()
        for (number, system) in ["websocket", "boldchat", "websocket"].enumerated() {
            _ = try host.answer(["method": "start", "system": .string(system)], from: "\(number)")
        }
        let names = try host.answer(["method": "list"], from: "request.9")["servers"]?.array?.map { $0["name"] }
        #expect(names == ["boldchat", "websocket", "websocket-2"])
        host.close()
    }

    @Test("a port that is taken refuses the second host with a failure and no trap")
    func taken() throws {
        let network = MemoryNetwork(scheduler: self.clock)
        func host() throws -> ControlHost {
            try ControlHost(
                systems: [], on: Endpoint(host: "control.test", port: 7700), network: network, scheduler: self.clock,
                seed: 1, epochMilliseconds: 0)
        }
        let first = try host()
        #expect(throws: TransportFailure.self) { _ = try host() }
        first.close()
        try host().close()
    }
}

@Suite("The machine of a control port")
struct ControlServerTests {
    private static func effects(
        _ inputs: [ControlServer.Input], _ commands: [(Command, String?)] = []
    ) -> [ControlServer.Effect] {
        var server = ControlServer(host: "127.0.0.1")
        var effects: [ControlServer.Effect] = []
        for input in inputs {
            var step = ServerStep(now: .start, random: RandomSource(seed: 1))
            server.handle(input, in: &step)
            effects += step.effects
        }
        for (command, party) in commands {
            var step = ServerStep(now: .start, random: RandomSource(seed: 1))
            _ = server.perform(command, by: party, in: &step)
            effects += step.effects
        }
        return effects
    }

    private static func upgrade(_ path: String, origin: String? = nil) -> ControlServer.Input {
        var fields = HTTPFields()
        if let origin { fields[.origin] = origin }
        return .upgradeRequested(
            ConnectionID(1),
            Request(
                HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path, headerFields: fields)))
    }

    @Test("a connection is taken at its path, and neither elsewhere nor from a web page")
    func upgrades() {
        func status(_ input: ControlServer.Input) -> Int? {
            for case .refuse(_, let response) in Self.effects([input]) { return response.head.status.code }
            return nil
        }
        #expect(status(Self.upgrade(ControlMessage.path)) == nil)
        #expect(status(Self.upgrade("/")) == 404)
        #expect(status(Self.upgrade(ControlMessage.path, origin: "https://evil.example")) == 403)
    }

    @Test("a message that is no object ends its connection, and one that is reaches the host as it is")
    func messages() {
        for text in ["", "[]", "7", "{", "null"] {
            let effects = Self.effects([Self.upgrade(ControlMessage.path), .received(ConnectionID(1), .text(text))])
            guard case .close(_, let code, _)? = effects.last else {
                Issue.record("\(text) was taken: \(effects)")
                continue
            }
            #expect(code == 1003)
        }
        let effects = Self.effects([Self.upgrade(ControlMessage.path), .received(ConnectionID(1), .text("{\"a\":1}"))])
        guard case .emit(let party, let event)? = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(party == "1" && event.fields == ["a": 1])
    }

    @Test("what is sent to a party that has gone is dropped, also to a request that was answered before")
    func gone() {
        let list = ControlServer.Input.requested(
            ExchangeID(7), Request(HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/servers")))
        let send = Command("send", ["result": ["servers": []]])
        func responses(_ effects: [ControlServer.Effect]) -> Int {
            effects.count { if case .respond = $0 { true } else { false } }
        }
        #expect(responses(Self.effects([list], [(send, "request.7")])) == 1)
        #expect(responses(Self.effects([list], [(send, "request.7"), (send, "request.7")])) == 1)
        #expect(responses(Self.effects([list, .requestAbandoned(ExchangeID(7))], [(send, "request.7")])) == 0)
        for party in ["request.8", "request.", "request.x", "1", "x", "", nil] {
            let sent = Self.effects([], [(send, party)])
            #expect(sent.isEmpty, "\(party ?? "nobody")")
        }
    }
}
