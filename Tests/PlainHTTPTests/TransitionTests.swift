import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import PlainHTTP

@Suite("Requests go through the transition tables of client and server, and through nothing else")
struct TransitionTests {
    @Test("a request of a client")
    func client() throws {
        typealias Input = TransitionWalk<WalkedClient<PlainHTTPClient>>.Input
        func state(_ walked: WalkedClient<PlainHTTPClient>) -> String {
            switch walked.machine.exchanges.values.first?.state {
            case nil: "none"
            case .awaiting?: "awaiting"
            case .collecting?: "collecting"
            case .streaming?: "streaming"
            case .draining?: "draining"
            }
        }
        func input(
            _ name: String, in states: Set<String>? = nil, _ input: @escaping (ExchangeID) -> ClientInput
        ) -> Input {
            Input(name, if: { states?.contains(state($0)) ?? (state($0) != "none") }) { walked in
                if let exchange = walked.exchange { walked.handle(input(exchange)) }
            }
        }
        func head(_ type: String) -> HTTPResponse {
            HTTPResponse(status: .ok, headerFields: [.contentType: type])
        }
        let failure = TransportFailure(.connectionLost, "gone")
        let configuration = ClientConfiguration(
            origin: "http://bot.test", target: [:], options: ["body_limit": 1000], epochMilliseconds: 0)
        let walk = TransitionWalk(
            WalkedClient(try PlainHTTPClient(configuration)), state: state,
            inputs: [
                Input("a command", if: { state($0) == "none" }) { $0.perform("post", ["url": "/", "body": "x"]) },
                input("head of a stream") { .responseBegan($0, head("text/event-stream")) },
                input("another head") { .responseBegan($0, head("text/plain")) },
                input("a piece", in: ["streaming", "draining"]) { .bodyReceived($0, Array("data: x\n\n".utf8)) },
                input("the piece that ends it", in: ["streaming"]) {
                    .bodyReceived($0, Array("data: [DONE]\n\n".utf8))
                },
                input("too long a body", in: ["collecting"]) {
                    .bodyReceived($0, [UInt8](repeating: 0x78, count: 1001))
                },
                input("end") { .responseEnded($0) }, input("failure") { .exchangeFailed($0, failure) },
                Input("time limit", if: { !$0.timers.isEmpty }) { walked in
                    if let timer = walked.timers.first { walked.handle(.timerFired(timer)) }
                },
                Input("cancel") { $0.perform("cancel") },
            ])
        var table: Set<StateChange> = [
            StateChange("none", "a command", "awaiting"), StateChange("awaiting", "head of a stream", "streaming"),
            StateChange("awaiting", "another head", "collecting"),
            StateChange("streaming", "the piece that ends it", "draining"),
            StateChange("collecting", "too long a body", "none"),
        ]
        for state in ["awaiting", "collecting", "streaming", "draining"] {
            for end in ["end", "failure", "cancel"] { table.insert(StateChange(state, end, "none")) }
            // Until its head the limit of an answer is that of whoever carries the client.
            if state != "awaiting" { table.insert(StateChange(state, "time limit", "none")) }
        }
        #expect(walk.changes() == table)
    }

    @Test("a request to a server, with a function of the script and without", arguments: [true, false])
    func server(hasFunction: Bool) throws {
        struct Walked {
            var server: WalkedServer<PlainHTTPServer>
            /// The number of the last request.
            var number: UInt64 = 0
        }
        typealias Input = TransitionWalk<Walked>.Input
        let peer = PlainHTTPSystem.party
        func isDone(_ outcome: CommandOutcome) -> Bool { if case .done = outcome { true } else { false } }
        /// Told apart by what the peer may do next.
        func state(_ walked: Walked) -> String {
            guard walked.server.properties["pending"] == 1 else { return "none" }
            var copy = walked.server
            if isDone(copy.perform("write", ["text": "x"], by: peer)) { return "open" }
            if isDone(copy.perform("respond", ["answer": [:]], by: peer)) { return "waiting" }
            if let call = copy.call {
                copy.handle(.scriptReturned(call, .success(.null)))
                if isDone(copy.perform("respond", ["answer": [:]], by: peer)) { return "asked" }
            }
            return "prepared"
        }
        func request(_ name: String, _ path: String) -> Input {
            Input(name, if: { state($0) == "none" }) { walked in
                walked.number += 1
                let head = HTTPRequest(method: .get, scheme: "http", authority: "bot.test", path: path)
                walked.server.handle(.requested(ExchangeID(walked.number), Request(head)))
            }
        }
        func act(_ name: String, _ arguments: JSONObject = [:]) -> Input {
            Input(name) { $0.server.perform(name, arguments, by: peer) }
        }
        var options: JSONObject = ["answers": [["to": "GET /prepared", "after": 1, "gap": 1, "pieces": ["a", "b"]]]]
        if hasFunction { options["handler"] = 1 }
        let configuration = ServerConfiguration(origin: "http://bot.test", options: options, epochMilliseconds: 0)
        let inputs: [Input] = [
            request("requested, an answer fits", "/prepared"), request("requested otherwise", "/other"),
            act("respond", ["answer": [:]]), act("begin"), act("write", ["text": "x"]), act("finish"), act("drop"),
            Input("the client goes away") { $0.server.handle(.requestAbandoned(ExchangeID($0.number))) },
            Input("its time comes", if: { !$0.server.timers.isEmpty }) { walked in
                if let timer = walked.server.timers.first { walked.server.handle(.timerFired(timer)) }
            },
        ]
        func returned(_ name: String, _ value: JSONValue) -> Input {
            Input(name, if: { state($0) == "asked" }) { walked in
                if let call = walked.server.call { walked.server.handle(.scriptReturned(call, .success(value))) }
            }
        }
        let functions = [
            returned("the function returns an answer", ["text": "x", "after": 1]),
            returned("the function returns nothing", .null),
        ]
        let walk = TransitionWalk(
            Walked(server: WalkedServer(try PlainHTTPServer(configuration))), state: state,
            inputs: inputs + (hasFunction ? functions : []))
        var table: Set<StateChange> = [
            StateChange("none", "requested, an answer fits", "prepared"),
            StateChange("none", "requested otherwise", hasFunction ? "asked" : "waiting"),
            StateChange("waiting", "respond", "none"), StateChange("waiting", "begin", "open"),
            StateChange("open", "finish", "none"), StateChange("prepared", "its time comes", "none"),
        ]
        if hasFunction {
            table.insert(StateChange("asked", "the function returns an answer", "prepared"))
            table.insert(StateChange("asked", "the function returns nothing", "waiting"))
        }
        for state in ["waiting", "open"] { table.insert(StateChange(state, "drop", "none")) }
        for state in ["waiting", "open", "prepared"] + (hasFunction ? ["asked"] : []) {
            table.insert(StateChange(state, "the client goes away", "none"))
        }
        #expect(walk.changes() == table)
    }
}
