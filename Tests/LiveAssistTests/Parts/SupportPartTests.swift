import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite(
    "The parts of a consumer that begin and end support go through their tables, and through nothing else"
)
struct SupportPartTests {
    private typealias Input = TransitionWalk<SupportPart>.Input

    private static let link = TopicLink(rules: .iOS, intervals: [], limits: [])

    private static func input(
        _ name: String, if isPossible: @escaping (SupportPart) -> Bool = { _ in true },
        _ input: SupportPart.Input
    ) -> Input {
        Input(name, if: isPossible) { _ = $0.handle(input, Self.link) }
    }

    /// Calls are numbered; whichever goes on hears it.
    private static func call(_ name: String, _ input: @escaping (UInt64) -> SupportPart.Input)
        -> Input
    {
        Input(name) { part in for number in 1...30 { _ = part.handle(input(UInt64(number)), Self.link) }
        }
    }

    private static func said(_ status: CallStatus) -> Input {
        let message = WebSocketMessage.text(
            JSONValue.object(["status": .string(status.rawValue)]).description)
        return Self.call("the call is \(status.rawValue)") { .callSaid($0, message) }
    }

    private static var starting: [Input] {
        [
            input("started with a destination", .started(["destination": "sales"])),
            input("started for co-browsing", .started(["correlationId": "c"])),
            input("started in a call", .started(["correlationId": "c", "sessionToken": "t"])),
            input(
                "a session", if: { $0.state == .creatingSession },
                .sessionAnswered(Response(json: ["address": "c", "token": "t"]))),
            input(
                "no session", if: { $0.state == .creatingSession }, .sessionAnswered(Response(json: [:]))),
            input("sessionFailed", if: { $0.state == .creatingSession }, .sessionFailed("gone")),
            input("sessionTimedOut", .sessionTimedOut),
        ]
    }

    private static var connected: [Input] {
        [
            input(
                "connected", if: { $0.state == .connecting || $0.state == .inSession },
                .linkReported(.connected(isFirst: true))),
            input("failedFirst", if: { $0.state == .connecting }, .linkReported(.failedFirst("gone"))),
            input("disconnected", if: { $0.state == .inSession }, .linkReported(.disconnected("gone"))),
            input("exhausted", if: { $0.state == .inSession }, .linkReported(.exhausted("gone"))),
            input("linkClosed", .linkClosed(0, wasClean: true)), input("farewellFailed", .farewellFailed("gone")),
            input("endAsked", if: \.state.isActive, .endAsked),
            input("terminated", if: \.state.isActive, .terminated(.assistTransportFailure, "gone")),
            input("tornDown", .tornDown),
        ]
    }

    @Test("support")
    func support() throws {
        let failures: [CallStatus] = [.busy, .notFound, .timedOut, .error]
        let calls =
            (failures + [.ringing, .inCall, .ended]).map(Self.said) + [
                Self.call("callOpenFailed") { .callOpenFailed($0, "gone") },
                Self.call("callClosed") { .callClosed($0, 1006) },
            ]
        let client = ClientConfiguration(origin: CobrowseFixture.origin, target: [:], options: [:])
        let fresh = try SupportPart(client, base: [:])
        // Support with a call is rarely walked into.
        var connecting = fresh
        let inCall = WebSocketMessage.text(#"{"status":"\#(CallStatus.inCall.rawValue)"}"#)
        let way: [SupportPart.Input] = [
            .started(["destination": "sales"]), .sessionAnswered(Response(json: ["address": "c", "token": "t"])),
            .callSaid(1, inCall),
        ]
        for step in way { _ = connecting.handle(step, Self.link) }
        var talking = connecting
        _ = talking.handle(.linkReported(.connected(isFirst: true)), Self.link)
        #expect(connecting.state == .connecting && talking.state == .inSession)
        func changes(from start: SupportPart) -> Set<StateChange> {
            let inputs = Self.starting + calls + Self.connected
            return TransitionWalk(start, state: \.state.rawValue, inputs: inputs).changes(steps: 8_000)
        }
        var expected: Set<StateChange> = []
        func add(_ states: [SupportState], _ inputs: [String], _ next: SupportState) {
            for state in states {
                for input in inputs { expected.insert(StateChange(state.rawValue, input, next.rawValue)) }
            }
        }
        add(
            [.idle, .ended], ["started with a destination", "started for co-browsing"], .creatingSession)
        add([.idle, .ended], ["started in a call"], .connecting)
        add([.creatingSession], ["a session"], .calling)
        add([.creatingSession], ["a session"], .connecting)
        add([.creatingSession], ["no session", "sessionFailed", "sessionTimedOut"], .idle)
        let refusals = (failures + [.ended]).map { "the call is \($0.rawValue)" }
        add([.calling], refusals + ["callOpenFailed", "callClosed"], .idle)
        add([.calling], ["the call is \(CallStatus.inCall.rawValue)"], .connecting)
        add([.connecting], ["connected"], .inSession)
        add([.connecting], ["failedFirst"], .idle)
        add(
            [.connecting, .inSession],
            [CallStatus.ended, .error].map { "the call is \($0.rawValue)" } + ["callClosed"], .ended)
        add([.inSession], ["exhausted"], .ended)
        add(
            [.creatingSession, .calling, .connecting, .inSession],
            ["endAsked", "terminated", "tornDown"], .ended)
        add([.idle], ["tornDown"], .ended)
        #expect([fresh, connecting, talking].map(changes).reduce([]) { $0.union($1) } == expected)
    }

    @Test("short codes")
    func shortCodes() throws {
        typealias Input = TransitionWalk<ShortCodePart>.Input
        let client = ClientConfiguration(origin: CobrowseFixture.origin, target: [:], options: [:])
        let origin = try Origin(client, server: "")
        let inputs: [(String, ShortCodePart.Input)] = [
            ("createAsked", .createAsked(session: nil)), ("redeemAsked", .redeemAsked(code: "1")),
            ("answered", .answered(Response(json: ["shortCode": "1"]), code: nil)),
            ("failed", .failed("gone")),
            ("timedOut", .timedOut),
        ]
        let walk = TransitionWalk(
            ShortCodePart(), state: \.state.rawValue,
            inputs: inputs.map { name, input in
                Input(name) { _ = $0.handle(input, origin, auditName: "") }
            })
        #expect(
            walk.changes() == [
                StateChange("idle", "createAsked", "asked"), StateChange("idle", "redeemAsked", "asked"),
                StateChange("asked", "answered", "idle"), StateChange("asked", "failed", "idle"),
                StateChange("asked", "timedOut", "idle"),
            ])
    }
}
