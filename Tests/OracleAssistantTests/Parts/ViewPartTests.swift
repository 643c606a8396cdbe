import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The parts of a client that stand for its view go through their transition tables, and through nothing else")
struct ViewPartTests {
    @Test("the view as a whole")
    func viewPart() throws {
        typealias Input = TransitionWalk<ViewPart>.Input
        let text = PartFixture.text("hi")
        let inputs: [(String, ViewPart.Input)] = [
            ("began", .began), ("userChanged", .userChanged(from: "other")), ("shown", .shown(text, isCounted: false)),
            ("failed", .failed(text, message: "no")), ("sent a text", .sent(.text("hi"), [:])),
            ("sent a form", .sent(Outgoing(["type": "formSubmission"], kind: .form), [:])),
            ("sent a hidden text", .sent(Outgoing(["type": "text"], kind: .hidden), [:])), ("said", .said(.wait)),
            ("popupOpened", .popupOpened(text.payload)), ("answered", .answered), ("cleared", .cleared),
            ("destroyed", .destroyed), ("conversationEnded", .conversationEnded), ("stopped", .stopped),
        ]
        let walk = TransitionWalk(
            ViewPart(try PartFixture.settings()),
            state: { $0.screen.items.isEmpty ? "none" : $0.screen.items.allSatisfy(\.isPast) ? "past" : "fresh" },
            inputs: inputs.map { name, input in Input(name) { _ = $0.handle(input, PartFixture.moment()) } })
        let more = ["shown", "failed", "sent a text", "said", "popupOpened"]
        let none = ["userChanged", "cleared", "destroyed", "conversationEnded"]
        let changes =
            more.flatMap { [StateChange("none", $0, "fresh"), StateChange("past", $0, "fresh")] }
            + none.flatMap { [StateChange("fresh", $0, "none"), StateChange("past", $0, "none")] }
            + ["answered", "sent a form"].map { StateChange("fresh", $0, "past") }
        #expect(walk.changes() == Set(changes))
    }

    @Test("messages are kept for the next life, of each user for itself, and of so many users only")
    func keptMessages() throws {
        var part = ViewPart(try PartFixture.settings(["display_previous_messages": true]))
        let moment = PartFixture.moment()
        _ = part.handle(.shown(PartFixture.text("for u"), isCounted: false), moment)
        _ = part.handle(.destroyed, moment)
        #expect(part.screen.items.isEmpty)
        let began = part.handle(.began, moment)
        #expect(
            began.last
                == .emit(.history, ["messages": [["from": "bot", "type": "text", "text": "for u"]], "count": 1]))
        #expect(part.screen.items.map(\.isPast) == [true])
        for number in 0..<20 {
            _ = part.handle(.shown(PartFixture.text("for \(number)"), isCounted: false), moment)
            _ = part.handle(.userChanged(from: "\(number)"), moment)
        }
        #expect(part.screen.items.isEmpty, "the user of the moment has been pushed out")
    }

    @Test("the window")
    func chatWindowPart() throws {
        typealias Input = TransitionWalk<ChatWindowPart>.Input
        let inputs: [(String, ChatWindowPart.Input)] = [
            ("opened", .opened), ("minimized", .minimized), ("allRead", .allRead), ("messageShown", .messageShown),
            ("streamBegan", .streamBegan), ("streamShown", .streamShown), ("initialized", .initialized),
            ("sessionEnded", .sessionEnded), ("connectAsked", .connectAsked),
        ]
        let walk = TransitionWalk(
            ChatWindowPart(try PartFixture.settings(["open_chat_on_load": true])),
            state: { $0.isExpanded ? "open" : $0.isOver ? "over" : "minimized" },
            inputs: inputs.map { name, input in Input(name) { _ = $0.handle(input) } })
        #expect(
            walk.changes() == [
                StateChange("minimized", "opened", "open"), StateChange("minimized", "initialized", "open"),
                StateChange("minimized", "sessionEnded", "over"), StateChange("open", "minimized", "minimized"),
                StateChange("open", "sessionEnded", "over"), StateChange("over", "opened", "open"),
                StateChange("over", "initialized", "open"), StateChange("over", "connectAsked", "open"),
            ])
    }

    @Test("only what comes to a minimized window is unread")
    func unread() throws {
        var part = ChatWindowPart(try PartFixture.settings(["open_chat_on_load": true]))
        #expect(part.handle(.messageShown).isEmpty)
        _ = part.handle(.minimized)
        #expect(part.handle(.messageShown) == [.emit(.unreadChanged, ["count": 1, "title": "OracleChatBot"])])
        #expect(part.handle(.streamBegan).isEmpty)
        #expect(part.unread == 2)
        #expect(part.handle(.streamShown) == [.emit(.unreadChanged, ["count": 2, "title": "OracleChatBot"])])
        #expect(part.handle(.opened) == [.emit(.unreadChanged, ["count": 0])])
        #expect(part.handle(.allRead).isEmpty)
        #expect(part.handle(.streamShown).isEmpty)
    }

    @Test("completions")
    func autocompletePart() throws {
        typealias Input = TransitionWalk<AutocompletePart>.Input
        func ask(_ text: String, _ moment: ClientMoment) -> (inout AutocompletePart) -> Void {
            { _ = $0.handle(.asked(text, moment)) }
        }
        let walk = TransitionWalk(
            AutocompletePart(try PartFixture.settings(["enable_autocomplete": true])),
            state: { $0.isAsked ? "asked" : "idle" },
            inputs: [
                Input("asked", act: ask("abc", PartFixture.moment())),
                Input("asked with two characters", act: ask("ab", PartFixture.moment())),
                Input("asked while polling", act: ask("abc", PartFixture.moment(isPolling: true))),
                Input("asked while not connected", act: ask("abc", PartFixture.moment(.closed))),
                Input("arrived") { _ = $0.handle(.arrived(["abcd"], raw: .null)) },
                Input("timedOut") { _ = $0.handle(.timedOut) }, Input("stopped") { _ = $0.handle(.stopped) },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "asked", "asked"), StateChange("asked", "arrived", "idle"),
                StateChange("asked", "timedOut", "idle"), StateChange("asked", "stopped", "idle"),
            ])
    }

    @Test("attachments")
    func attachmentPart() throws {
        typealias Input = TransitionWalk<AttachmentPart>.Input
        func choose(_ file: JSONObject, _ status: ConnectionStatus = .open) throws -> (inout AttachmentPart) -> Void {
            let file = try ChosenFile(file)
            return { part in
                var random = RandomSource(seed: 1)
                _ = part.handle(.chosen(file, PartFixture.moment(status)), random: &random)
            }
        }
        func answer(_ result: Result<Response, TransportFailure>) -> (inout AttachmentPart) -> Void {
            { part in
                var random = RandomSource(seed: 1)
                for number in 1...3 { _ = part.handle(.answered(UInt64(number), result), random: &random) }
            }
        }
        let accepted = Response(json: ["url": "http://oda.test/f", "type": "image/png"])
        let isFresh = { (part: AttachmentPart) in
            // What is on its way is cancelled at the end.
            var part = part
            var random = RandomSource(seed: 1)
            return part.handle(.stopped, random: &random).isEmpty
        }
        let walk = TransitionWalk(
            AttachmentPart(try PartFixture.settings()), state: { isFresh($0) ? "idle" : "uploading" },
            inputs: [
                Input("chosen", if: isFresh, act: try choose(["name": "a.png", "text": "x"])),
                Input("chosen an empty one", act: try choose(["name": "a.png", "text": ""])),
                Input("chosen while not connected", act: try choose(["name": "a.png", "text": "x"], .closed)),
                Input("menuSet") { part in
                    var random = RandomSource(seed: 1)
                    _ = part.handle(.menuSet(["visual"]), random: &random)
                },
                Input("answered with a URL", act: answer(.success(accepted))),
                Input("answered otherwise", act: answer(.success(Response(json: [:])))),
                Input("failed", act: answer(.failure(TransportFailure(.connectionLost, "gone")))),
                Input("connectionGivenUp") { part in
                    var random = RandomSource(seed: 1)
                    _ = part.handle(.connectionGivenUp, random: &random)
                },
                Input("stopped") { part in
                    var random = RandomSource(seed: 1)
                    _ = part.handle(.stopped, random: &random)
                },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "chosen", "uploading"), StateChange("uploading", "answered with a URL", "idle"),
                StateChange("uploading", "answered otherwise", "idle"), StateChange("uploading", "failed", "idle"),
                StateChange("uploading", "connectionGivenUp", "idle"), StateChange("uploading", "stopped", "idle"),
            ])
    }

    @Test("forms to fill in")
    func editFormPart() throws {
        typealias Input = TransitionWalk<EditFormPart>.Input
        var screen = Screen(limit: 10)
        screen.append(
            PartFixture.envelope([
                "type": "editForm", "formColumns": 1,
                "fields": [
                    ["displayType": "textInput", "id": "name", "required": true],
                    ["displayType": "textInput", "id": "age"],
                ],
                "actions": [["type": "submitForm", "label": "Send"]],
            ]).payload, from: .bot, at: 0)
        let shown = screen
        var fresh = EditFormPart(try PartFixture.settings())
        let withoutDraft = fresh.handle(.submitted(["name": "Ada"], number: nil, nil), on: shown, isConnected: true)
        func input(_ name: String, _ input: EditFormPart.Input, isConnected: Bool = true) -> Input {
            Input(name) { _ = $0.handle(input, on: shown, isConnected: isConnected) }
        }
        let walk = TransitionWalk(
            EditFormPart(try PartFixture.settings()),
            state: { part in
                // What is submitted has what was entered before.
                var part = part
                let sent = part.handle(.submitted(["name": "Ada"], number: nil, nil), on: shown, isConnected: true)
                return sent == withoutDraft ? "no draft" : "draft"
            },
            inputs: [
                input("changed", .changed(key: "age", "1")),
                input("changed what is not there", .changed(key: "?", "1")),
                input("submitted", .submitted(["name": "Ada"], number: nil, nil)),
                input("submitted with something missing", .submitted([:], number: nil, nil)),
                input("submitted while not connected", .submitted(["name": "A"], number: nil, nil), isConnected: false),
                input("messagesCleared", .messagesCleared),
            ])
        #expect(
            walk.changes() == [
                StateChange("no draft", "changed", "draft"), StateChange("draft", "submitted", "no draft"),
                StateChange("draft", "messagesCleared", "no draft"),
            ])
    }

    @Test("message actions and the place of the device")
    func messageActionPart() throws {
        typealias Input = TransitionWalk<MessageActionPart>.Input
        let screen = Screen(limit: 10)
        func input(_ name: String, _ input: MessageActionPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, on: screen, isConnected: true) }
        }
        let walk = TransitionWalk(
            MessageActionPart(try PartFixture.settings()),
            state: { part in
                switch part.place {
                case .unset: "unset"
                case .denied: "denied"
                case .disabled: "disabled"
                case .known: "known"
                }
            },
            inputs: [
                input("tapped", .tapped("?", [:])), input("rated", .rated(stars: 1)),
                input("locationSent", .locationSent(latitude: 1, longitude: 1, title: nil)),
                input("denied", .placeSet(.denied)), input("disabled", .placeSet(.disabled)),
                input("known", .placeSet(.known(latitude: 1, longitude: 1))),
            ])
        let set = ["denied", "disabled", "known"]
        let expected = (["unset"] + set).flatMap { from in
            set.filter { $0 != from }.map { StateChange(from, $0, $0) }
        }
        #expect(walk.changes() == Set(expected))
    }

    @Test("the webview")
    func webViewPart() throws {
        typealias Input = TransitionWalk<WebViewPart>.Input
        func open(_ url: String, _ inWebview: Bool) -> (inout WebViewPart) -> Void {
            { _ = $0.handle(.linkOpened(url, inWebview: inWebview, fails: false, target: url)) }
        }
        let walk = TransitionWalk(
            WebViewPart(try PartFixture.settings()), state: { $0.page == nil ? "closed" : "open" },
            inputs: [
                Input("linkOpened in the webview", act: open("http://a.test", true)),
                Input("linkOpened in the browser", act: open("http://a.test", false)),
                Input("linkOpened, not an address", act: open("no address", true)),
                Input("closed") { _ = $0.handle(.closed) },
                Input("messagesCleared") { _ = $0.handle(.messagesCleared) },
            ])
        #expect(
            walk.changes() == [
                StateChange("closed", "linkOpened in the webview", "open"), StateChange("open", "closed", "closed"),
                StateChange("open", "messagesCleared", "closed"),
            ])
    }

    @Test("the language")
    func languagePart() throws {
        typealias Input = TransitionWalk<LanguagePart>.Input
        let languages: JSONValue = ["supported_languages": [["lang": "en"], ["lang": "fr"]]]
        let walk = TransitionWalk(
            LanguagePart(try PartFixture.settings(["multi_lang_chat": languages])),
            state: { $0.language ?? "detection" },
            inputs: [
                Input("chosen fr") { _ = $0.handle(.chosen("fr", isOpen: true)) },
                Input("chosen en while not connected") { _ = $0.handle(.chosen("en", isOpen: false)) },
                Input("chosen another one") { _ = $0.handle(.chosen("xx", isOpen: true)) },
                Input("sessionBegan") { _ = $0.handle(.sessionBegan) },
            ])
        #expect(
            walk.changes() == [
                StateChange("detection", "chosen fr", "fr"), StateChange("fr", "chosen another one", "detection"),
            ])
    }

    @Test("timestamps")
    func timestampPart() throws {
        typealias Input = TransitionWalk<TimestampPart>.Input
        let inputs: [(String, TimestampPart.Input)] = [
            ("shown", .shown), ("ageChanged", .ageChanged), ("messagesCleared", .messagesCleared),
            ("stopped", .stopped),
        ]
        func walk(_ mode: String) throws -> Set<StateChange> {
            TransitionWalk(
                TimestampPart(try PartFixture.settings(["enable_timestamp": true, "timestamp_mode": .string(mode)])),
                state: { part in
                    var part = part
                    return part.handle(.ageChanged, at: .start).isEmpty ? "idle" : "aging"
                },
                inputs: inputs.map { name, input in Input(name) { _ = $0.handle(input, at: .start) } }
            ).changes()
        }
        let expected: Set = [StateChange("idle", "shown", "aging"), StateChange("aging", "messagesCleared", "idle")]
        #expect(try walk("relative") == expected)
        #expect(try walk("default").isEmpty)
    }
}
