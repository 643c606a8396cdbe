import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite(
    "The parts of a consumer that stand for its screen go through their tables, and through nothing else"
)
struct ScreenPartTests {
    @Test("co-browsing")
    func cobrowse() throws {
        typealias Input = TransitionWalk<CobrowsePart>.Input
        let context = try CobrowseFixture.context()
        func input(_ name: String, _ input: CobrowsePart.Input) -> Input {
            Input(name) { _ = $0.handle(input, context) }
        }
        let walk = TransitionWalk(
            CobrowsePart(),
            state: { ($0.isActive ? "on" : "off") + ($0.isPaused ? ", paused" : "") },
            inputs: [
                input("activeChanged to true", .activeChanged(true)),
                input("activeChanged to false", .activeChanged(false)), input("pauseAsked", .pauseAsked),
                input("resumeAsked", .resumeAsked), input("sessionBegan", .sessionBegan),
            ])
        var expected: Set<StateChange> = []
        for pause in ["", ", paused"] {
            expected.insert(StateChange("off" + pause, "activeChanged to true", "on" + pause))
            expected.insert(StateChange("on" + pause, "activeChanged to false", "off" + pause))
        }
        for state in ["off", "on"] {
            expected.insert(StateChange(state, "pauseAsked", state + ", paused"))
            expected.insert(StateChange(state + ", paused", "resumeAsked", state))
            expected.insert(StateChange(state + ", paused", "sessionBegan", state))
        }
        #expect(walk.changes() == expected)
    }

    @Test("a zoom")
    func zoom() throws {
        typealias Input = TransitionWalk<CobrowsePart>.Input
        let context = try CobrowseFixture.context()
        func zoom(_ name: String, _ isStart: Bool, hasDocument: Bool = false) -> Input {
            Input(name) {
                _ = $0.handle(
                    .zoomAsked(isStart, agent: "Ann", raw: .null, hasDocument: hasDocument), context)
            }
        }
        var part = CobrowsePart()
        _ = part.handle(.activeChanged(true), context)
        let walk = TransitionWalk(
            part, state: { $0.isZooming ? "zooming" : "not zooming" },
            inputs: [
                zoom("a start", true), zoom("an end", false),
                zoom("a start beside a document", true, hasDocument: true),
                Input("sessionBegan") { _ = $0.handle(.sessionBegan, context) },
            ])
        let changes: Set = [
            StateChange("not zooming", "a start", "zooming"), StateChange("zooming", "an end", "not zooming"),
            StateChange("zooming", "sessionBegan", "not zooming"),
        ]
        #expect(walk.changes() == changes)
        // What an agent wants during a pause is not done, neither a start nor an end.
        _ = part.handle(.zoomAsked(true, agent: "Ann", raw: .null, hasDocument: false), context)
        _ = part.handle(.pauseAsked, context)
        #expect(part.handle(.zoomAsked(false, agent: "Ann", raw: .null, hasDocument: false), context).isEmpty)
        #expect(part.isZooming)
        var paused = CobrowsePart()
        _ = paused.handle(.activeChanged(true), context)
        _ = paused.handle(.pauseAsked, context)
        #expect(paused.handle(.zoomAsked(true, agent: "Ann", raw: .null, hasDocument: false), context).isEmpty)
        #expect(!paused.isZooming)
    }

    @Test("the screen")
    func screen() throws {
        typealias Input = TransitionWalk<ScreenPart>.Input
        let context = try CobrowseFixture.context()
        func input(_ name: String, _ input: ScreenPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, context) }
        }
        let box = CobrowseFixture.screen.box
        let walk = TransitionWalk(
            ScreenPart(CobrowseFixture.screen),
            state: { part in
                var part = part
                return part.handle(.changeDue, context).isEmpty ? "sent" : "changed"
            },
            inputs: [
                input("shown", .shown(CobrowseFixture.screen)),
                input("elementChanged", .elementChanged("name", value: "Ada", permission: nil)),
                input(
                    "elementChanged that is not there", .elementChanged("?", value: "Ada", permission: nil)),
                input("entered", .entered("name", value: "Ada", by: "Ann", how: "type")),
                input("changed", .changed(box, after: .seconds(1))), input("changeDue", .changeDue),
                input("changeForgotten", .changeForgotten), input("pictureAsked", .pictureAsked(of: nil)),
            ])
        var expected: Set = [
            StateChange("changed", "changeDue", "sent"),
            StateChange("changed", "changeForgotten", "sent"),
        ]
        for change in ["shown", "elementChanged", "entered", "changed"] {
            expected.insert(StateChange("sent", change, "changed"))
        }
        #expect(walk.changes() == expected)
    }

    @Test("annotations")
    func annotations() throws {
        typealias Input = TransitionWalk<AnnotationPart>.Input
        let path = try Annotation.element(path: "M 10 10 L 20 20", stroke: "#ff0000", width: 1, opacity: 1)
        func input(_ name: String, _ input: AnnotationPart.Input, isPaused: Bool = false) -> Input {
            Input(name) { _ = $0.handle(input, isPaused: isPaused) }
        }
        let walk = TransitionWalk(
            AnnotationPart(), state: { $0.annotations.isEmpty ? "cleared" : "drawn on" },
            inputs: [
                input("an element", .drawn(.annotationAdded(path), on: 13, by: "Ann")),
                input(
                    "an element while paused", .drawn(.annotationAdded(path), on: 13, by: "Ann"),
                    isPaused: true),
                input("no elements", .drawn(.annotationsSet(""), on: 13, by: "Ann")),
                input("other elements", .drawn(.annotationsSet(path), on: 13, by: "Ann")),
                input("pointed", .pointed(x: 1, y: 1, by: "Ann")),
                input("screenChanged", .screenChanged(CobrowseFixture.screen.box)),
                input("topicClosed", .topicClosed(13)), input("another topicClosed", .topicClosed(14)),
                input("sessionBegan", .sessionBegan),
            ])
        var expected: Set = [
            StateChange("cleared", "an element", "drawn on"),
            StateChange("cleared", "other elements", "drawn on"),
        ]
        for end in ["no elements", "screenChanged", "topicClosed", "sessionBegan"] {
            expected.insert(StateChange("drawn on", end, "cleared"))
        }
        #expect(walk.changes() == expected)
    }

    @Test("a form")
    func form() throws {
        typealias Input = TransitionWalk<FormPart>.Input
        let context = try CobrowseFixture.context()
        let paused = try CobrowseFixture.context(isPaused: true)
        let empty = try CobrowseFixture.context(agents: [])
        let fresh = try CobrowseFixture.context(topics: ["shared-window"])
        let agent = CobrowseFixture.agent()
        let item = try #require(context.view?.fillable.first)
        let filled: JSONValue = ["screenId": 1, "descriptors": [["index": 0, "value": "Ada"]]]
        func input(_ name: String, _ input: FormPart.Input, in place: CobrowseContext? = nil) -> Input {
            Input(name) { _ = $0.handle(input, place ?? context) }
        }
        let walk = TransitionWalk(
            FormPart(),
            state: { part in
                // Only an element of the form that was made is told of.
                var part = part
                return part.handle(.clicked(item, x: 1, y: 1, by: 2), context).isEmpty ? "none" : "made"
            },
            inputs: [
                input("updateAsked", .updateAsked),
                input("updateAsked with nobody there", .updateAsked, in: empty),
                input("updateAsked without a topic", .updateAsked, in: fresh),
                input("sendAsked", .sendAsked),
                input("sendAsked while paused", .sendAsked, in: paused),
                input("filled", .filled(filled, by: agent)),
                input("confirmAsked", .confirmAsked(on: 11)),
                input("clicked", .clicked(item, x: 1, y: 1, by: 2)), input("forgotten", .forgotten),
                input("sessionBegan", .sessionBegan),
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "updateAsked", "made"), StateChange("none", "sendAsked", "made"),
                StateChange("made", "updateAsked with nobody there", "none"),
                StateChange("made", "forgotten", "none"), StateChange("made", "sessionBegan", "none"),
            ])
    }

    @Test("answers to a form that is not there any more are dropped")
    func staleForm() throws {
        var part = FormPart()
        let context = try CobrowseFixture.context()
        _ = part.handle(.sendAsked, context)
        func answer(_ number: Int64) -> JSONValue {
            ["screenId": .integer(number), "descriptors": [["index": 0, "value": "Ada"]]]
        }
        let agent = CobrowseFixture.agent()
        let entered = ConsumerAction.enter("name", value: "Ada", by: "Ann", how: "fill")
        #expect(part.handle(.filled(answer(1), by: agent), context) == [entered, .confirmForm(on: 11)])
        #expect(part.handle(.filled(answer(2), by: agent), context).isEmpty)
    }

    @Test("a snapshot")
    func snapshot() throws {
        typealias Input = TransitionWalk<SnapshotPart>.Input
        let context = try CobrowseFixture.context()
        let paused = try CobrowseFixture.context(isPaused: true)
        let fresh = try CobrowseFixture.context(topics: ["shared-window"])
        func input(_ name: String, _ input: SnapshotPart.Input, in place: CobrowseContext? = nil)
            -> Input
        {
            Input(name) { _ = $0.handle(input, place ?? context) }
        }
        let walk = TransitionWalk(
            SnapshotPart(), state: { $0.isWaiting ? "waiting" : "idle" },
            inputs: [
                input("taken", .taken), input("taken without a topic", .taken, in: fresh),
                input("sendAsked", .sendAsked), input("sendAsked while paused", .sendAsked, in: paused),
                input("sessionBegan", .sessionBegan),
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "taken without a topic", "waiting"),
                StateChange("waiting", "taken", "idle"),
                StateChange("waiting", "sendAsked", "idle"), StateChange("waiting", "sessionBegan", "idle"),
            ])
    }

    @Test("mouse and keyboard of an agent")
    func remoteInput() throws {
        typealias Input = TransitionWalk<RemoteInputPart>.Input
        let context = try CobrowseFixture.context()
        let paused = try CobrowseFixture.context(isPaused: true)
        let agent = CobrowseFixture.agent()
        func input(_ name: String, _ message: WindowMessage, in place: CobrowseContext? = nil) -> Input {
            Input(name) { _ = $0.handle(.received(message, from: agent), place ?? context) }
        }
        let walk = TransitionWalk(
            RemoteInputPart(),
            state: { part in
                // Where the mouse was down, coming up is a click as well.
                var part = part
                let up = part.handle(.received(.mouseUp(x: 5, y: 5, button: 0), from: agent), context)
                return up.count > 1 ? "pressed" : "free"
            },
            inputs: [
                input("down on an element", .mouseDown(x: 5, y: 5, button: 0)),
                input("down elsewhere", .mouseDown(x: 5, y: 500, button: 0)),
                input("down while paused", .mouseDown(x: 5, y: 5, button: 0), in: paused),
                input("up on the element", .mouseUp(x: 5, y: 5, button: 0)),
                input("up elsewhere", .mouseUp(x: 5, y: 500, button: 0)),
                input("a move", .mouseMove(x: 5, y: 5)),
                input("a text", .inputAtLocation(x: 5, y: 5, text: "Ada")),
                input("a scroll", .scroll(.down)),
                Input("agentLeft") { _ = $0.handle(.agentLeft(2), context) },
                Input("sessionEnded") { _ = $0.handle(.sessionEnded, context) },
            ])
        var expected: Set = [StateChange("free", "down on an element", "pressed")]
        for end in ["down elsewhere", "up on the element", "up elsewhere", "agentLeft", "sessionEnded"] {
            expected.insert(StateChange("pressed", end, "free"))
        }
        #expect(walk.changes() == expected)
    }
}
