import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

@Suite("The parts of a client go through their transition tables, and through nothing else")
struct ClientPartTests {
    private typealias Fixture = ClientPartFixture

    @Test("pings")
    func pings() {
        typealias Input = TransitionWalk<PingPart>.Input
        func moment(isSuspended: Bool = false) -> PingPart.Moment {
            PingPart.Moment(chatKey: "k", session: .chatting, isSuspended: isSuspended, isUnderWay: false)
        }
        func changes(_ profile: Profile) -> Set<StateChange> {
            TransitionWalk(
                PingPart(profile),
                state: { "\($0.isRunning ? "running" : "resting")\($0.isRecaptureAvailable ? ", recapture" : "")" },
                inputs: [
                    Input("sessionBegan", if: { !$0.isRunning }) { _ = $0.handle(.sessionBegan) },
                    Input("started") { _ = $0.handle(.started(moment())) },
                    Input("due") { _ = $0.handle(.due(moment())) },
                    Input("answered") { _ = $0.handle(.answered(Fixture.success(), moment())) },
                    Input("answered with recapture", if: \.isRunning) {
                        _ = $0.handle(.answered(Fixture.success(["Recapture": true]), moment()))
                    },
                    Input("failed 50 times") { part in
                        for _ in 0..<50 { _ = part.handle(.answered(Fixture.failure, moment())) }
                    },
                    Input("suspended") { _ = $0.handle(.suspended) },
                    Input("stopped") { _ = $0.handle(.stopped(sayingClosed: true, chatKey: "k")) },
                ]
            ).changes()
        }
        let common: Set<StateChange> = [
            StateChange("resting", "started", "running"),
            StateChange("resting, recapture", "started", "running, recapture"),
            StateChange("running", "answered with recapture", "running, recapture"),
            StateChange("running, recapture", "answered", "running"),
            StateChange("running", "stopped", "resting"),
            StateChange("running, recapture", "stopped", "resting, recapture"),
            StateChange("resting, recapture", "sessionBegan", "resting"),
        ]
        #expect(changes(.ios) == common)
        #expect(
            changes(.html)
                == common.union([
                    StateChange("running", "failed 50 times", "resting"),
                    StateChange("running, recapture", "failed 50 times", "resting, recapture"),
                ]))
    }

    @Test("a question about availability")
    func availability() {
        typealias Input = TransitionWalk<AvailabilityPart>.Input
        let query = AvailabilityQuery(visitorID: "v", departmentID: nil)
        let later = Instant.start + AvailabilityPart.lifetime
        func state(_ part: AvailabilityPart, at now: Instant) -> String {
            // What a copy of the part does tells how the question stands: whether one more request is the only one.
            var copy = part
            let actions = copy.handle(.asked(query, underWay: 1, next: 2), at: now)
            if actions.contains(where: { if case .perform(.emit) = $0 { true } else { false } }) { return "known" }
            return copy.handle(.withdrawn(1), at: now).isEmpty ? "unknown" : "asked"
        }
        func isAsked(_ part: AvailabilityPart) -> Bool { state(part, at: .start) == "asked" }
        func input(_ name: String, _ input: AvailabilityPart.Input) -> Input {
            Input(name, if: isAsked) { _ = $0.handle(input, at: .start) }
        }
        func changes(_ profile: Profile) -> Set<StateChange> {
            TransitionWalk(
                AvailabilityPart(profile), state: { state($0, at: .start) },
                inputs: [
                    Input("asked") { part in
                        _ = part.handle(.asked(query, underWay: isAsked(part) ? 1 : nil, next: 1), at: .start)
                    },
                    input("answered", .answered(query, Fixture.success(["Available": true]))),
                    input("refused", .answered(query, Fixture.refusal)),
                    input("failed", .answered(query, Fixture.failure)), input("withdrawn", .withdrawn(1)),
                    input("canceled", .canceled(query)),
                ]
            ).changes(givesAll: profile.name == Profile.ios.name)
        }
        #expect(
            changes(.ios) == [
                StateChange("unknown", "asked", "asked"), StateChange("asked", "answered", "known"),
                StateChange("asked", "refused", "known"), StateChange("asked", "failed", "unknown"),
                StateChange("asked", "canceled", "unknown"),
            ])
        #expect(changes(.html).isEmpty)

        var part = AvailabilityPart(.ios)
        _ = part.handle(.asked(query, underWay: nil, next: 1), at: .start)
        _ = part.handle(.answered(query, Fixture.success(["Available": true])), at: .start)
        #expect(state(part, at: .start) == "known")
        #expect(state(part, at: later) == "unknown")
    }

    @Test("as many events answer a question as requests wait for it, and one that is taken back has none")
    func waitingRequests() {
        let query = AvailabilityQuery(visitorID: "", departmentID: nil)
        var part = AvailabilityPart(.ios)
        _ = part.handle(.asked(query, underWay: nil, next: 7), at: .start)
        #expect(part.handle(.withdrawn(7), at: .start).isEmpty)
        for _ in 0..<3 { _ = part.handle(.asked(query, underWay: 7, next: 8), at: .start) }
        #expect(part.handle(.withdrawn(7), at: .start).count == 1)
        #expect(part.handle(.answered(query, Fixture.success()), at: .start).count == 3)
    }

    @Test("a file on its way")
    func files() throws {
        typealias Input = TransitionWalk<FilePart>.Input
        func visit(isChatting: Bool = true, _ settings: JSONObject = ["EnableFileTransfer": true]) -> FilePart.Visit {
            FilePart.Visit(isChatting: isChatting, settings: settings, chatID: "1", personID: "2", clientID: "3")
        }
        let file = FilePart.ChosenFile(name: "a.txt", mediaType: "text/plain", content: "abc")
        func input(_ name: String, if isPossible: @escaping (FilePart) -> Bool, _ input: FilePart.Input) -> Input {
            Input(name, if: isPossible) { part in
                var random = RandomSource(seed: 1)
                _ = part.handle(input, random: &random)
            }
        }
        func answer(_ status: Int, _ members: JSONObject = [:]) -> CallOutcome {
            .answered(RESTAnswer(.object(members), httpStatus: status))
        }
        let target: JSONObject = ["token": "t", "uploadUrl": "http://desk.test/f"]
        // The first file only: each has a number of its own.
        func isUnderWay(_ part: FilePart) -> Bool { part.files[1] != nil }
        let walk = TransitionWalk(
            FilePart(try Fixture.settings()), state: { $0.files[1]?.phase.rawValue ?? "none" },
            inputs: [
                input("chosen", if: { _ in true }, .chosen(file, visit())),
                input("chosen too early", if: { _ in true }, .chosen(file, visit(isChatting: false))),
                input("chosen though forbidden", if: { _ in true }, .chosen(file, visit([:]))),
                input("answered with a target", if: isUnderWay, .answered(1, answer(200, target))),
                input("answered", if: isUnderWay, .answered(1, answer(200))),
                input("refused", if: isUnderWay, .answered(1, answer(403))),
                input("failed", if: isUnderWay, .answered(1, Fixture.failure)),
                input("canceled", if: isUnderWay, .canceled(1)),
            ])
        let stages = ["announcing", "uploading", "publishing"]
        let endings = ["refused", "failed", "canceled"].flatMap { name in
            stages.map { StateChange($0, name, "none") }
        }
        let ways = ["answered", "answered with a target"].flatMap { name in
            [StateChange("uploading", name, "publishing"), StateChange("publishing", name, "none")]
        }
        #expect(
            walk.changes()
                == Set(endings + ways).union([
                    StateChange("none", "chosen", "announcing"),
                    StateChange("announcing", "answered with a target", "uploading"),
                    StateChange("announcing", "answered", "none"),
                ]))
    }

    @Test("the calls under way")
    func calls() {
        typealias Input = TransitionWalk<PendingCalls>.Input
        func input(_ name: String, _ inputs: [PendingCalls.Input]) -> Input {
            Input(name) { calls in for input in inputs { _ = calls.handle(input) } }
        }
        let request = Request(HTTPRequest(method: .post, scheme: "http", authority: "desk.test", path: "/a"))
        let numbers = (1...40).map { UInt64($0) }
        let lost = TransportFailure(.connectionLost, "lost")
        let walk = TransitionWalk(
            PendingCalls(policy: .immediate, bodyResetsRetries: false),
            state: { $0.contains { _ in true } ? "waiting" : "none" },
            inputs: [
                Input("start", if: { !$0.contains { _ in true } }) { calls in
                    _ = calls.handle(.started(.emailHistory, request, limit: .seconds(30)))
                },
                input("JSON arrives", numbers.map { .responded(ExchangeID($0), Response(json: [:])) }),
                input("the network fails", [.exchangeFailed(ExchangeID(1), lost)]),
                input("it is time to try again", numbers.map { .retryDue($0) }),
                input("the time limit passes", numbers.map { .limitPassed($0) }),
                input("cancel", numbers.map { .canceled($0) }), input("cancel all", [.allCanceled { _ in true }]),
                input("suspend", [.suspended]), input("resume", [.resumed]),
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "start", "waiting"), StateChange("waiting", "JSON arrives", "none"),
                StateChange("waiting", "the time limit passes", "none"), StateChange("waiting", "cancel", "none"),
                StateChange("waiting", "cancel all", "none"),
            ])
    }

    @Test("the screen")
    func screen() throws {
        typealias Input = TransitionWalk<ScreenPart>.Input
        let settings = try Fixture.settings()
        var record = SessionRecord()
        var choice = FormField("topic", .select, label: "Topic")
        choice.options = [FormOption(name: "A", value: "a")]
        let form = Form(kind: .preChat, fields: [FormField("name", .text, label: "Name"), choice])
        record.keep(.preChat, form, profile: settings.profile, presets: [:])
        var next = record
        next.keep(.preChat, form, profile: settings.profile, presets: [:])
        let pages = [record, next]
        func view(_ state: SessionStateMachine.State, _ page: Int, _ screen: ScreenPart) -> ClientView {
            ClientView(
                settings: settings, state: state, record: pages[page], chat: nil, link: nil, screen: screen,
                isRecaptureAvailable: false, isCalling: false)
        }
        func input(
            _ name: String, on state: SessionStateMachine.State = .preChatForm, page: Int = 0,
            _ input: ScreenPart.Input
        ) -> Input {
            Input(name) { part in _ = part.handle(input, of: view(state, page, part)) }
        }
        func entries(_ part: ScreenPart) -> ScreenPart.Entries { part.entries(of: view(.preChatForm, 0, part)) }
        let inputs = [
            input("pressed a selection", .pressed("topic", nil)), input("pressed a text", .pressed("name", nil)),
            input("pressed a selection with a value", .pressed("topic", "A")),
            input("pressed the button", .pressed("button", nil)),
            input("typed into the chat", on: .chatting, .typed("inputTextView", "hello")),
            input("pressed send", on: .chatting, .pressed("sendButton", nil)),
            input("pressed what is not there", on: .chatting, .pressed("topic", nil)),
            input("another page came", page: 1, .pressed("name", nil)),
        ]
        let walk = TransitionWalk(
            ScreenPart(),
            state: { part in
                let entries = entries(part)
                return "\(entries.openPicker == nil ? "closed" : "open")\(entries.hasAttempted ? ", attempted" : "")"
            }, inputs: inputs)
        let otherPage = ["open", "open, attempted", "closed, attempted"].map {
            StateChange($0, "another page came", "closed")
        }
        let picker = ["", ", attempted"].flatMap { mark in
            [
                StateChange("closed" + mark, "pressed a selection", "open" + mark),
                StateChange("open" + mark, "pressed a selection", "closed" + mark),
                StateChange("open" + mark, "pressed a text", "closed" + mark),
            ]
        }
        #expect(
            walk.changes()
                == Set(otherPage + picker).union([
                    StateChange("closed", "pressed the button", "closed, attempted"),
                    StateChange("open", "pressed the button", "open, attempted"),
                ]))
        let chat = TransitionWalk(ScreenPart(), state: { $0.input.isEmpty ? "empty" : "text" }, inputs: inputs)
        #expect(
            chat.changes() == [
                StateChange("empty", "typed into the chat", "text"), StateChange("text", "pressed send", "empty"),
            ])
        let cell = TransitionWalk(
            ScreenPart(), state: { entries($0).values["topic"] ?? "as sent" }, inputs: inputs)
        #expect(
            cell.changes() == [
                StateChange("a", "another page came", "as sent"),
                StateChange("as sent", "pressed a selection with a value", "a"),
            ])
    }

    @Test("the error view has the last text, until it is hidden")
    func errorView() throws {
        var part = ScreenPart()
        let view = ClientView(
            settings: try Fixture.settings(), state: .idle, record: SessionRecord(), chat: nil, link: nil, screen: part,
            isRecaptureAvailable: false, isCalling: false)
        for text in ["no", "still no", nil] {
            #expect(part.handle(.errorShown(text), of: view).isEmpty)
            #expect(part.error == text)
        }
    }

    @Test("the session, as its machine says")
    func session() throws {
        typealias Input = TransitionWalk<SessionPart>.Input
        func input(_ name: String, _ input: SessionPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, at: .start, isTornDown: false) }
        }
        let withForm = Fixture.unavailable.merging(["UnavailableForm": Fixture.form])
        let inputs = [
            input("create", .createAsked(CreationOptions())),
            input("createChat answered: success", .created(Fixture.success())),
            input("createChat answered: pre-chat form", .created(Fixture.success(["PreChat": Fixture.form]))),
            input("createChat answered: unavailable with form", .created(Fixture.success(withForm))),
            input("createChat answered: unavailable without form", .created(Fixture.success(Fixture.unavailable))),
            input("createChat answered: failure", .created(Fixture.refusal)),
            input("create canceled", .callCanceled(.createChat)),
            input("chat error", .chatFailed(.chatStartFailed)),
            input("transcript refused", .transcriptAnswered(Fixture.refusal)),
            input("end session", .endAsked),
        ]
        let forms = FormKind.allCases.flatMap { kind in
            [
                input("submit \(kind.rawValue), valid", .submitAsked(kind, [:])),
                input("\(kind.rawValue) answered: success", .submitted(kind, Fixture.success())),
                input("\(kind.rawValue) answered: failure", .submitted(kind, Fixture.failure)),
                input("submit \(kind.rawValue) canceled", .callCanceled(.submit(kind))),
            ]
        }
        let walk = TransitionWalk(
            SessionPart(try Fixture.settings()), state: \.state.rawValue, inputs: inputs + forms)
        let changes = walk.changes(steps: 20_000)
        let table = Set(
            TransitionTable.all.filter { $0.machine == .session }.map { StateChange($0.from, $0.input, $0.to) })
        #expect(changes.isSubset(of: table), "\(changes.subtracting(table))")
        // What the walk cannot come to without a chat is played by the scenarios.
        let states = Set(changes.map(\.to))
        #expect(states == Set(SessionStateMachine.State.allCases.map(\.rawValue)))
    }

    @Test("the end of the chat leads the session to its end, and other answers leave it in the chat")
    func besides() throws {
        var chatting = SessionPart(try Fixture.settings())
        _ = chatting.handle(.createAsked(CreationOptions()), at: .start, isTornDown: false)
        _ = chatting.handle(.created(Fixture.success(["ChatKey": "k"])), at: .start, isTornDown: false)
        let state = chatting.state
        func end(_ input: SessionPart.Input) -> SessionStateMachine.State {
            var part = chatting
            _ = part.handle(input, at: .start, isTornDown: false)
            return part.state
        }
        let staying: [SessionPart.Input] = [
            .finishAnswered(Fixture.success()), .unavailableFormAnswered(Fixture.success()),
            .transcriptAsked(address: "ada@example.com"), .languageAsked("de-DE"),
            .languageAnswered("de-DE", Fixture.success()), .resumed(Fixture.success()),
            .keyResolved(Fixture.success(["Startable": true]), lastMessageID: 1),
        ]
        for input in staying { #expect(end(input) == state, "\(input)") }
        let ending: [SessionPart.Input] = [
            .chatFinished(.operator, time: nil), .chatUnavailable, .keyResolved(Fixture.success(), lastMessageID: 1),
        ]
        for input in ending { #expect(end(input) == .finished, "\(input)") }
    }

    @Test("what a page that is loaded again does needs a chat, and the browser window")
    func reload() throws {
        for (profile, isPossible) in [("ios", false), ("html", true)] {
            var part = SessionPart(try Fixture.settings(["profile": .string(profile)]))
            _ = part.handle(.createAsked(CreationOptions()), at: .start, isTornDown: false)
            _ = part.handle(.created(Fixture.success(["ChatKey": "k"])), at: .start, isTornDown: false)
            let actions = part.handle(.reloadAsked, at: .start, isTornDown: false)
            let calls = actions.contains { if case .call(.resolveKey, _, _) = $0 { true } else { false } }
            #expect(calls == isPossible)
        }
    }

    @Test("a chat that the account creates after the end of the scenario is closed at once")
    func leftBehind() throws {
        var part = SessionPart(try Fixture.settings())
        _ = part.handle(.createAsked(CreationOptions()), at: .start, isTornDown: false)
        let actions = part.handle(.created(Fixture.success(["ChatKey": "k"])), at: .start, isTornDown: true)
        let closes = actions.contains { action in
            guard case .call(.unattended, .pingChat, let parameters) = action else { return false }
            return parameters.contains { $0 == ("Closed", "true") }
        }
        #expect(closes)
    }
}
