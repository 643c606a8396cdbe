import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The parts of a client that speak go through their transition tables, and through nothing else")
struct SpeechPartTests {
    @Test("speech recognition")
    func recognitionPart() throws {
        typealias Input = TransitionWalk<RecognitionPart>.Input
        // Without sound the first piece that is due is the end already.
        let recording = Recording(tone: 220, seconds: 0, amplitude: 0.5)
        func start(_ moment: ClientMoment, isPermitted: Bool = true) -> (inout RecognitionPart) -> Void {
            { _ = $0.handle(.started(recording, isPermitted: isPermitted, moment)) }
        }
        // The connections of a walk that begins anew are counted from 1; whichever is open hears it.
        func each(_ act: @escaping (inout RecognitionPart, UInt64) -> Void) -> (inout RecognitionPart) -> Void {
            { part in for number in 1...20 { act(&part, UInt64(number)) } }
        }
        func say(_ value: JSONValue) -> (inout RecognitionPart) -> Void {
            each { _ = $0.handle(.received($1, .text(value.description))) }
        }
        let words: JSONValue = [["utterance": "hello"]]
        let walk = TransitionWalk(
            RecognitionPart(try PartFixture.settings(["enable_speech_recognition": true])), state: \.state.rawValue,
            inputs: [
                Input("started", act: start(PartFixture.moment())),
                Input("started while not connected", act: start(PartFixture.moment(.closed))),
                Input("started without permission", act: start(PartFixture.moment(), isPermitted: false)),
                Input("finishAsked") { _ = $0.handle(.finishAsked) },
                Input("localeSet") { _ = $0.handle(.localeSet("en-us")) },
                Input("opened", act: each { _ = $0.handle(.opened($1, token: nil)) }),
                Input(
                    "openFailed", if: { $0.state == .opening },
                    act: each { _ = $0.handle(.openFailed($1, TransportFailure(.connectionLost, "gone"))) }),
                Input("a part of the words", act: say(["event": "partialResult", "nbest": words])),
                Input("the words", act: say(["event": "finalResult", "nbest": words])),
                Input("no words", act: say(["event": "finalResult"])), Input("an error", act: say(["event": "error"])),
                Input("closed", act: each { _ = $0.handle(.closed($1, WebSocketClosure(code: 1000, reason: ""))) }),
                Input("pieceDue") { _ = $0.handle(.pieceDue) }, Input("stopped") { _ = $0.handle(.stopped) },
            ])
        let active = ["opening", "speaking", "waiting"]
        let ends = ["the words", "no words", "an error", "closed", "stopped"]
        var expected: Set = [
            StateChange("idle", "started", "opening"), StateChange("opening", "opened", "speaking"),
            StateChange("opening", "openFailed", "idle"), StateChange("speaking", "pieceDue", "waiting"),
            StateChange("speaking", "finishAsked", "waiting"),
        ]
        for state in active { for end in ends { expected.insert(StateChange(state, end, "idle")) } }
        #expect(walk.changes(steps: 20_000) == expected)
    }

    @Test("reading aloud")
    func synthesisPart() throws {
        typealias Input = TransitionWalk<SynthesisPart>.Input
        func input(_ name: String, _ input: SynthesisPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, PartFixture.moment()) }
        }
        // Requests are numbered; whichever is open hears it.
        func answer(_ name: String, _ result: Result<Response, TransportFailure>) -> Input {
            Input(name, if: { $0.isAsking || $0.isReading }) { part in
                let wasAsking = part.isAsking
                for number in 1...200 where part.isAsking == wasAsking {
                    _ = part.handle(.answered(UInt64(number), result), PartFixture.moment())
                }
            }
        }
        let voices = Response(json: ["voices": [["name": "Ann", "culture": "en-us"]]])
        let options: JSONObject = ["enable_speech_synthesis": true, "init_speech_synthesis_muted": false]
        let walk = TransitionWalk(
            SynthesisPart(try PartFixture.settings(options)),
            state: { $0.isReading ? "reading" : $0.isAsking ? "asking" : "idle" },
            inputs: [
                input("messageShown", .messageShown(PartFixture.text("hi").payload)),
                input("speakAsked", .speakAsked("hi")), input("stopAsked", .stopAsked),
                input("recordingBegan", .recordingBegan), answer("answered", .success(voices)),
                answer("failed", .failure(TransportFailure(.connectionLost, "gone"))), input("stopped", .stopped),
                input("muted", .muted(true)), input("muted no more", .muted(false)),
                input("scriptReturned", .scriptReturned(.speaking("hi"), .success(.null))),
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "messageShown", "asking"), StateChange("idle", "speakAsked", "asking"),
                StateChange("idle", "messageShown", "reading"), StateChange("idle", "speakAsked", "reading"),
                StateChange("asking", "answered", "reading"), StateChange("asking", "failed", "idle"),
                StateChange("reading", "answered", "idle"), StateChange("reading", "failed", "idle"),
                StateChange("asking", "stopAsked", "idle"), StateChange("reading", "stopAsked", "idle"),
                StateChange("reading", "recordingBegan", "idle"), StateChange("asking", "stopped", "idle"),
                StateChange("reading", "stopped", "idle"),
            ])
    }
}
