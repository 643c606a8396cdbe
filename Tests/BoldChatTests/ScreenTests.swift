import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

@Suite("The headless screen")
struct ScreenTests {
    private static let fields: JSONValue = [
        ["key": "first_name", "label": "Name", "required": true], ["key": "email", "type": "email", "label": "Mail"],
        ["key": "phone", "type": "phone", "label": "Phone"], ["key": "initial_question", "multi_line": true],
        [
            "key": "topic", "type": "radio", "label": "Topic",
            "options": ["a", ["name": "Bees", "value": "b", "default": true]],
        ],
        ["key": "hidden", "shown": false, "value": "h"],
    ]

    private static func screen(_ play: Rehearsal) -> JSONObject { play.client.properties["screen"]?.object ?? [:] }

    private static func cells(_ play: Rehearsal) -> [JSONValue] {
        (Self.screen(play)["form"]?["sections"]?.array ?? []).flatMap { $0["cells"]?.array ?? [] }
    }

    private static func cell(_ key: String, _ play: Rehearsal) -> JSONValue? {
        Self.cells(play).first { $0["key"]?.string == key }
    }

    private static func isRefused(_ outcome: CommandOutcome) -> Bool {
        switch outcome {
        case .refused, .notOffered, .disconnected, .failed: true
        case .done: false
        }
    }

    @Test("Reports get the lines that a person sees, from the form to the chat")
    func lines() throws {
        var play = try Rehearsal(server: ["queue": 2])
        #expect(play.client.screenLines == [])
        play.visitor("create_chat")
        #expect(play.client.screenLines.contains(ScreenLine(.notice, "loading")))
        play.settle()
        let fields = play.client.screenLines.filter { $0.kind == .field }
        #expect(!fields.isEmpty)
        #expect(play.client.screenLines.first?.label == "pre_chat")
        #expect(play.client.screenLines.last?.kind == .button)
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        #expect(play.client.screenLines.first?.label == "chat")
        #expect(play.client.screenLines.contains { $0.kind == .notice && $0.text.hasSuffix(" 2") })
        Play.accept(&play)
        play.visitor("say", ["text": "Hello"])
        play.settle()
        #expect(play.client.screenLines.contains { $0.kind == .own && $0.text == "Hello" })
    }

    @Test(
        "The lines of a chat tell what its outlets show, at any moment",
        arguments: [
            [:], ["disconnected_outlets": ["chatHistoryWebView", "sendButton"]],
            ["disconnected_outlets": ["queuePositionLabel", "inputTextView", "loadingview"]],
            ["disconnected_outlets": ["chatHolderView"]],
        ] as [JSONObject])
    func linesOfChat(options: JSONObject) throws {
        var play = try Rehearsal(client: options, server: ["queue": 2])
        var moments = 0
        Play.whole(&play) { play in
            let screen = Self.screen(play)
            guard screen["view"] == "chat" else { return }
            moments += 1
            let chat = screen["chat"]?.object ?? [:]
            func texts(_ outlets: [String]) -> [String] { outlets.compactMap { chat[$0]?.string } }
            let history = (chat["chatHistoryWebView"]?.array ?? []).suffix(8).map { message in
                let name = message["name"]?.string ?? ""
                return ScreenLine(
                    message["from"] == "visitor" ? .own : .said, message["text"]?.string ?? "",
                    label: name.isEmpty ? nil : name)
            }
            let input = chat["inputTextView"].map { input in
                ScreenLine(.field, input["text"]?.string ?? "", label: input["placeholder"]?.string)
            }
            let buttons = texts(["sendButton", "cancelChatButton", "emailChatHistoryButton", "endChatButton"])
            let notices = texts(["status", "queuePositionLabel", "typingLabel"])
            let lines =
                [ScreenLine(.title, screen["title"]?.string ?? "", label: "chat")] + history
                + notices.map { ScreenLine(.notice, $0) } + (input.map { [$0] } ?? [])
                + buttons.map { ScreenLine(.button, $0) }
                + (screen["loading"] == true ? [ScreenLine(.notice, "loading")] : [])
            #expect(play.client.screenLines == lines)
        }
        #expect(moments > 2)
    }

    @Test("Through a whole conversation exactly one view is visible, and loading lies on top while a request runs")
    func views() throws {
        var play = try Rehearsal(server: ["queue": 2])
        var seen: [String] = []
        Play.whole(&play) { play in
            let screen = Self.screen(play)
            seen.append("\(screen["view"]?.string ?? "-")\(screen["loading"] == true ? "+" : "")")
            // The elements of one view only.
            #expect(["errorLabel", "endLabel", "form", "chat"].count { screen[$0] != nil } == (screen.isEmpty ? 0 : 1))
        }
        #expect(seen == ["-", "chat+", "pre_chat", "pre_chat+", "chat", "chat+", "post_chat", "post_chat+", "end"])
    }

    @Test("Each field has the cell of its type, with title, required mark and its own wrong mark")
    func cellsByType() throws {
        let play = try Play.created(server: ["pre_chat": Self.fields])
        let cells = Self.cells(play)
        #expect(
            cells.map { $0["kind"]?.string ?? "" } == [
                "single_line", "email", "phone", "multi_line", "selection", "button",
            ])
        #expect(
            cells.map { $0["template"]?.string ?? "" } == [
                "BCSingleLineCell", "BCSingleLineEmailCell", "BCSingleLinePhoneCell", "BCMultiLineCell",
                "BCSelectionCell", "BCButtonCell",
            ])
        #expect(cells[0]["titleLabel"] == "Name")
        #expect(cells[0]["requiredLabel"] == "required")
        #expect(cells[1]["requiredLabel"] == nil)
        #expect(cells[1]["invalidEmailView"] == false)
        #expect(cells[2]["invalidPhoneNumberView"] == false)
        #expect(cells[4]["valueLabel"] == "Bees")
        #expect(cells[5]["button"] == "Start chat")
        #expect(Self.screen(play)["form"]?["sections"]?[0]?["header"]?["template"] == "BCPreChatHeaderView")
    }

    @Test("What is wrong is marked at once, what is missing only after an attempt to submit")
    func marks() throws {
        var play = try Play.created(server: ["pre_chat": Self.fields])
        play.visitor("screen_type", ["control": "email", "text": "nobody"])
        play.visitor("screen_type", ["control": "phone", "text": "a"])
        #expect(Self.cell("email", play)?["invalidEmailView"] == true)
        #expect(Self.cell("phone", play)?["invalidPhoneNumberView"] == true)
        #expect(Self.cell("first_name", play)?["missingView"] == false)
        play.visitor("screen_press", ["control": "button"])
        #expect(play.events(.formInvalid).count == 1)
        #expect(Self.cell("first_name", play)?["missingView"] == true)
        #expect(Self.cell("email", play)?["invalidEmailView"] == true)
        #expect(Self.cell("email", play)?["missingView"] == false)
        #expect(Self.cell("phone", play)?["invalidPhoneNumberView"] == true)
        play.visitor("screen_type", ["control": "first_name", "text": "Ada"])
        play.visitor("screen_type", ["control": "email", "text": ""])
        play.visitor("screen_type", ["control": "phone", "text": "5"])
        #expect(Self.cell("first_name", play)?["missingView"] == false)
        play.visitor("screen_press", ["control": "button"])
        play.settle()
        #expect(
            play.server.chats.newest(1).first?.answers.values == [
                "first_name": "Ada", "phone": "5", "topic": "b", "hidden": "h",
            ])
        #expect(Self.screen(play)["view"] == "chat")
    }

    @Test("A picker opens under its cell and closes with a second tap or a tap elsewhere")
    func picker() throws {
        var play = try Play.created(server: ["pre_chat": Self.fields])
        func kinds() -> [String] { Self.cells(play).map { $0["kind"]?.string ?? "" } }
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "topic", "value": "a"])))
        play.visitor("screen_press", ["control": "topic"])
        #expect(kinds()[5] == "picker")
        #expect(Self.cells(play)[5]["pickerView"]?[1] == ["name": "Bees", "value": "b", "selected": true])
        play.visitor("screen_press", ["control": "topic", "value": "a"])
        #expect(Self.cell("topic", play)?["valueLabel"] == "a")
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "topic", "value": "z"])))
        play.visitor("screen_press", ["control": "topic"])
        #expect(!kinds().contains("picker"))
        play.visitor("screen_press", ["control": "topic"])
        play.visitor("screen_press", ["control": "first_name"])
        #expect(!kinds().contains("picker"))
    }

    @Test("The post-chat form has its e-mail section with a footer, and stars from one to five")
    func postChat() throws {
        var play = try Play.answered()
        play.visitor("finish")
        play.settle()
        let sections = try #require(Self.screen(play)["form"]?["sections"]?.array)
        #expect(sections.count == 3)
        #expect(sections[0]["cells"]?[0]?["key"] == "email")
        #expect(sections[0]["footer"]?["template"] == "BCPostChatEmailFooterView")
        #expect(sections[1]["cells"]?[0]?["kind"] == "rating")
        #expect(sections[1]["cells"]?[0]?["requiredLabel"] == nil)
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "overall", "value": 6])))
        play.visitor("submit_post_chat", ["values": ["overall": 6]])
        #expect(play.events(.formInvalid).first?.fields["reasons"] == ["overall": "invalid_rating"])
        play.visitor("screen_press", ["control": "overall", "value": 4])
        play.visitor("screen_press", ["control": "button"])
        play.settle()
        #expect(play.server.chats.newest(1).first?.answers.survey["overall"] == "4")
    }

    @Test(
        "The closing text says what was sent",
        arguments: [
            (["email": "a@x.io"], "api#postchat#emailed"), (["overall": 3], "api#postchat#submitted"),
            (["overall": 3, "email": "a@x.io"], "api#postchat#submitted_and_emailed"), ([:], "api#chat#ended"),
        ] as [(JSONObject, String)])
    func closing(values: JSONObject, key: String) throws {
        var play = try Play.answered()
        play.visitor("finish")
        play.settle()
        play.visitor("submit_post_chat", ["values": .object(values)])
        play.settle()
        #expect(Self.screen(play)["endLabel"]?.string == Branding.english[key])
    }

    @Test("The queue label and the cancel button are there only while the visitor waits")
    func queue() throws {
        var play = try Play.started(server: ["queue": 1, "queue_interval": 5])
        #expect(Self.screen(play)["chat"]?["queuePositionLabel"] == "Your position in the queue: 1")
        #expect(Self.screen(play)["chat"]?["status"] == "Everybody is busy at the moment.")
        #expect(Self.screen(play)["chat"]?["cancelChatButton"] != nil)
        play.wait(.seconds(5))
        #expect(Self.screen(play)["chat"]?["queuePositionLabel"] == nil)
        #expect(Self.screen(play)["chat"]?["cancelChatButton"] == nil)
        #expect(Self.screen(play)["chat"]?["status"] == "Somebody will be with you shortly.")
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "cancelChatButton"])))
        var accepted = try Play.started(server: ["queue": 1])
        Play.accept(&accepted)
        #expect(Self.screen(accepted)["chat"]?["queuePositionLabel"] == nil)
        #expect(Self.screen(accepted)["chat"]?["cancelChatButton"] == nil)
        var other = try Play.started(server: ["queue": 1])
        other.visitor("screen_press", ["control": "cancelChatPressed"])
        other.settle()
        #expect(Self.screen(other)["view"] == "unavailable")
        #expect(Self.screen(other)["form"]?["sections"]?[0]?["header"]?["template"] == "BCUnavailableChatHeaderView")
    }

    @Test("The typing label names whoever types")
    func typing() throws {
        var play = try Play.answered()
        func label() -> JSONValue? { Self.screen(play)["chat"]?["typingLabel"] }
        #expect(label() == nil)
        play.agent("Sam", "typing", ["active": true])
        play.settle()
        #expect(label() == "Sam is typing")
        #expect(play.client.screenLines.contains(ScreenLine(.notice, "Sam is typing")))
        let kim: JSONValue = ["Name": "Kim", "PersonType": "operator", "IsTyping": true]
        play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": "9999999", "Values": kim]])
        play.settle()
        #expect(label() == "Sam and Kim are typing")
        play.agent("Sam", "say", ["text": "There."])
        play.settle()
        #expect(label() == "Kim is typing")
    }

    @Test("What is typed is sent with the button, and stands in the history")
    func chatting() throws {
        var play = try Play.answered()
        play.visitor("screen_press", ["control": "sendButton"])
        #expect(play.count("sendMessage") == 0)
        play.visitor("screen_type", ["control": "inputTextView", "text": "Hi Sam"])
        #expect(Self.screen(play)["chat"]?["inputTextView"]?["text"] == "Hi Sam")
        play.visitor("screen_press", ["control": "sendButtonPressed"])
        play.settle()
        #expect(Self.screen(play)["chat"]?["inputTextView"]?["text"] == "")
        let texts = Self.screen(play)["chat"]?["chatHistoryWebView"]?.array?.map { $0["text"]?.string ?? "" }
        #expect(texts == ["Where is my order?", "Hello Ada.", "Hi Sam"])
        play.visitor("screen_press", ["control": "emailChatHistoryButton", "value": "ada@example.com"])
        #expect(Self.screen(play)["loading"] == true)
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "endChatButton"])))
        play.settle()
        #expect(play.events(.transcriptRequested).count == 1)
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "endChatPressed"])))
        play.visitor("screen_press", ["control": "endChatButton"])
        play.settle()
        #expect(Self.screen(play)["view"] == "post_chat")
        var connected = try Play.answered(client: ["connect_end_chat_pressed": true])
        connected.visitor("screen_press", ["control": "endChatPressed"])
        connected.settle()
        #expect(Self.screen(connected)["view"] == "post_chat")
    }

    @Test("Buttons of the application report their external action, on their own view only")
    func externalActions() throws {
        var play = try Play.answered()
        play.visitor("screen_press", ["control": "mainExternalActionButton"])
        play.visitor("screen_press", ["control": "chatExternalActionButtonPressed"])
        #expect(
            play.events(.actionPerformed).map { $0.fields["action"] } == [
                "boldChatViewControllerMainExternalActionPressed", "boldChatViewControllerChatExternalActionPressed",
            ])
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "endExternalActionButton"])))
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "button"])))
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "nothing"])))
        #expect(Self.isRefused(play.visitor("screen_type", ["control": "first_name", "text": ""])))
    }

    @Test("Errors have a view of their own")
    func errors() throws {
        var play = try Play.created(client: ["access_key": "1000100010001:2:wrong"])
        #expect(Self.screen(play)["view"] == "error")
        #expect(Self.screen(play)["errorLabel"] == "Not authorized")
        play.visitor("create_chat")
        #expect(Self.screen(play)["view"] == "chat")
        var failed = try Play.answered()
        failed.desk("fail_next", ["method": "finishChat", "message": "no"])
        failed.visitor("finish")
        failed.settle()
        #expect(Self.screen(failed)["view"] == "error")
        #expect(Self.screen(failed)["loading"] == false)
    }

    @Test("Templates are replaced by the vendor's settings; an unconnected outlet is missing and nothing else")
    func templates() throws {
        let options: JSONObject = [
            "view_settings": ["chatViewXibName": "MyChat", "singleLineCellXibName": "MyLine"],
            "disconnected_outlets": ["queuePositionLabel", "endChatButton"], "submit_cell": false,
        ]
        var play = try Play.created(client: options, server: ["queue": 3])
        #expect(Self.cells(play)[0]["template"] == "MyLine")
        #expect(!Self.cells(play).contains { $0["kind"] == "button" })
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        let chat = Self.screen(play)["chat"]
        #expect(chat?["template"] == "MyChat")
        #expect(chat?["queuePositionLabel"] == nil && chat?["endChatButton"] == nil)
        #expect(chat?["sendButton"] != nil)
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "endChatButton"])))
        #expect(throws: ConfigurationError.self) { try Rehearsal(client: ["view_settings": ["moonXibName": "x"]]) }
        #expect(Set(ScreenTemplate.allCases.map(\.standardName)).count == ScreenTemplate.allCases.count)
    }

    /// The names of all outlets that a screen shows, and the keys of its cells.
    private static func shown(_ value: JSONValue) -> Set<String> {
        switch value {
        case .object(let members):
            let key = members["key"]?.string.map { [$0] } ?? []
            return members.reduce(into: Set(key)) { $0.formUnion(Self.shown($1.1).union([$1.0])) }
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(Self.shown($1)) }
        default: return []
        }
    }

    @Test(
        "Whatever is not on the screen can neither be pressed nor typed into, at any moment",
        arguments: [
            [:], ["submit_cell": false, "disconnected_outlets": ["inputTextView", "textField", "pickerView"]],
            ["disconnected_outlets": ["chatHolderView", "tableView", "loadingview", "emailChatHistoryButton"]],
            ["profile": "html", "disconnected_outlets": ["formViewXibName.view", "mainExternalActionButton"]],
        ] as [JSONObject])
    func onlyWhatIsShown(options: JSONObject) throws {
        let controls = ScreenControl.allCases.map(\.rawValue) + ["first_name", "topic", "overall", "moon"]
        var play = try Rehearsal(client: options, server: ["queue": 1, "pre_chat": Self.fields])
        var moments = 0
        Play.whole(&play) { play in
            let screen = Self.screen(play)
            let shown = Self.shown(.object(screen))
            for control in controls where !shown.contains(control) || screen["loading"] == true {
                var trial = play.copy()
                #expect(Self.isRefused(trial.visitor("screen_press", ["control": .string(control)])), "\(control)")
                #expect(
                    Self.isRefused(trial.visitor("screen_type", ["control": .string(control), "text": "x"])),
                    "\(control)")
                moments += 1
            }
            for control in shown where ScreenControl(rawValue: control) != nil && screen["loading"] != true {
                var trial = play.copy()
                #expect(!Self.isRefused(trial.visitor("screen_press", ["control": .string(control)])), "\(control)")
            }
        }
        #expect(moments > 50)
    }

    @Test("Unknown outlets, settings and templates with an extension are refused")
    func misspeltOutlets() {
        for options: JSONObject in [
            ["disconnected_outlets": ["titelLabel"]], ["disconnected_outlets": ["ratingCellXibName.textField"]],
            ["disconnected_outlets": ["moonXibName.label"]], ["view_settings": ["chatViewXibName": "Mine.xib"]],
        ] {
            #expect(throws: ConfigurationError.self) { try Rehearsal(client: options) }
        }
    }

    @Test("An outlet can be left out of one template only")
    func outletOfOneTemplate() throws {
        let play = try Play.created(
            client: ["disconnected_outlets": ["singleLineCellXibName.titleLabel"]], server: ["pre_chat": Self.fields])
        #expect(Self.cell("first_name", play)?["titleLabel"] == nil)
        #expect(Self.cell("email", play)?["titleLabel"] == "Mail")
    }

    @Test("The transcript's button asks for an address in an alert")
    func alert() throws {
        var play = try Play.answered()
        play.visitor("screen_press", ["control": "emailChatHistoryPressed"])
        #expect(Self.screen(play)["chat"]?["emailAlert"] == "")
        play.visitor("screen_press", ["control": "emailAlertCancel"])
        #expect(Self.screen(play)["chat"]?["emailAlert"] == nil)
        #expect(Self.isRefused(play.visitor("screen_press", ["control": "emailAlertSend"])))
        play.visitor("screen_press", ["control": "emailChatHistoryButton"])
        play.visitor("screen_type", ["control": "emailAlert", "text": "ada@example.com"])
        play.visitor("screen_press", ["control": "emailAlertSend"])
        play.settle()
        #expect(play.events(.transcriptRequested).count == 1)
        #expect(Self.screen(play)["chat"]?["emailAlert"] == nil)
    }

    @Test("Texts follow the language of the session")
    func languages() throws {
        var play = try Play.created(client: ["language": "de-DE"])
        #expect(Self.cells(play).last?["button"] == "Chat beginnen")
        play.visitor("change_language", ["language": "he-IL"])
        play.settle()
        #expect(Self.screen(play)["direction"] == "rtl")
        #expect(Self.cells(play).last?["button"] == "התחלת שיחה")
        let brazil = try Play.created(client: ["language": "pt-BR"])
        #expect(Self.screen(brazil)["title"] == "Bate-papo")
    }

    @Test("The drawing escapes what peers sent and keeps plain formatting of operators")
    func drawing() throws {
        var play = try Play.answered()
        play.agent("Sam", "say", ["text": "<b>Hi</b> <script>x</script><i onclick=y>z</i><u>"])
        play.visitor("say", ["text": "<b>&\u{1}\"'"])
        play.settle()
        let html = try #require(try play.visitor("screen_html").value.string)
        #expect(html.contains("<b>Hi</b> &lt;script&gt;x&lt;/script&gt;&lt;i onclick=y&gt;z&lt;/i&gt;<u></u></p>"))
        #expect(html.contains("&lt;b&gt;&amp;&quot;&#39;</p>"))
        #expect(!html.contains("<script"))
        #expect(html.hasPrefix("<section") && html.hasSuffix("</section>"))
    }

    @Test("Whatever is drawn, tags are balanced", arguments: 1...3 as ClosedRange<UInt64>)
    func balance(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let parts = ["<b>", "</b>", "<i>", "</i>", "<", ">", "x", "</", "<br>", "&", "<p", "é"]
        for _ in 0..<500 {
            let text = (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let html = ScreenHTML.formatted(text)
            for tag in ["b", "i"] {
                #expect(
                    html.split(separator: "<\(tag)>", omittingEmptySubsequences: false).count
                        == html.split(separator: "</\(tag)>", omittingEmptySubsequences: false).count, "\(text)")
            }
        }
    }
}
