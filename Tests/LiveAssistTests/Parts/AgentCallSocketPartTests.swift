import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("An agent to whom calls can come goes through its table, and through nothing else")
struct AgentCallSocketPartTests {
    private typealias Input = TransitionWalk<AgentCallSocketPart>.Input

    private static func said(_ value: JSONValue) -> WebSocketMessage { .text(value.description) }

    private static let ringing = Self.said(["status": "ringing", "call": 7, "cid": "room"])
    private static let ended = Self.said(["status": "ended", "call": 7])

    private static func onDuty() -> AgentCallSocketPart {
        var part = AgentCallSocketPart()
        _ = part.handle(.loggedIn(token: "t", answer: ["token": "t"]))
        return part
    }

    /// Off, on, or on with a call.
    private static func state(_ part: AgentCallSocketPart) -> String {
        part.hasCall ? "on, with a call" : part.isOn ? "on" : "off"
    }

    @Test("every change of state stands in the table")
    func walk() {
        /// The connection of one of the first log-ins, whichever is open.
        func each(_ name: String, _ input: @escaping (AssistConnection) -> AgentCallSocketPart.Input) -> Input {
            Input(name) { part in for number in 1...400 { _ = part.handle(input(.gateway(UInt64(number)))) } }
        }
        let changes = TransitionWalk(
            AgentCallSocketPart(), state: Self.state,
            inputs: [
                Input("loggedIn") { _ = $0.handle(.loggedIn(token: "t", answer: ["token": "t"])) },
                each("a call") { .received($0, Self.ringing) }, each("its end") { .received($0, Self.ended) },
                each("unreadable") { .received($0, .text("{")) }, each("lost") { .lost($0, reason: "gone") },
                Input("told") { _ = $0.handle(.told("answer")) }, Input("tornDown") { _ = $0.handle(.tornDown) },
            ]
        ).changes(steps: 400)
        #expect(
            changes == [
                StateChange("off", "loggedIn", "on"), StateChange("on", "a call", "on, with a call"),
                StateChange("on, with a call", "its end", "on"), StateChange("on", "lost", "off"),
                StateChange("on, with a call", "loggedIn", "on"),
                StateChange("on, with a call", "lost", "off"), StateChange("on", "tornDown", "off"),
                StateChange("on, with a call", "tornDown", "off"),
            ])
    }

    @Test("what cannot be read and what is gone is told; what a former connection says is not heard")
    func failures() {
        var part = Self.onDuty()
        for message in [
            WebSocketMessage.text("{"), Self.said(["status": "dancing", "call": 1]), Self.said(["call": 1]),
        ] {
            #expect(
                part.handle(.received(.gateway(1), message))
                    == [.fail("the server sent the state of a call that cannot be read")])
        }
        #expect(part.handle(.received(.gateway(2), Self.ringing)).isEmpty)
        #expect(part.handle(.lost(.gateway(2), reason: "gone")).isEmpty)
        #expect(
            part.handle(.lost(.gateway(1), reason: "gone"))
                == [.fail("the connection over which calls come is gone: gone")])
        #expect(part.handle(.received(.gateway(1), Self.ringing)).isEmpty)
        #expect(part.handle(.loggedIn(token: "u", answer: .null)) == [.open(.gateway(2), token: "u")])
    }

    @Test("calls can come when the connection is open, and another log-in closes it")
    func begins() {
        var part = Self.onDuty()
        #expect(part.handle(.opened(.gateway(2))).isEmpty)
        #expect(part.handle(.opened(.gateway(1))) == [.begin(["token": "t"])])
        let again: [AgentCallSocketPart.Action] = [.close(.gateway(1)), .open(.gateway(2), token: "u")]
        #expect(part.handle(.loggedIn(token: "u", answer: .null)) == again)
        #expect(part.handle(.opened(.gateway(1))).isEmpty)
    }

    @Test("only with a call there is something to say")
    func tells() {
        var part = Self.onDuty()
        #expect(part.handle(.told("answer")).isEmpty)
        _ = part.handle(.received(.gateway(1), Self.ringing))
        #expect(part.handle(.told("answer")) == [.transmit(.gateway(1), #"{"call":7,"action":"answer"}"#)])
        _ = part.handle(.received(.gateway(1), Self.ended))
        #expect(part.handle(.told("answer")).isEmpty)
    }
}
