import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Languages, timestamps, history and the screen")
struct FeatureTests {
    static let languages: JSONValue = [
        "supported_languages": [["lang": "en", "label": "English"], ["lang": "fr"], ["lang": "hi"]],
        "primary_language": "en",
    ]

    // MARK: Languages

    @Test("the menu has detection first, native words for known tags and the tag for others")
    func menu() throws {
        let rehearsal = try Rehearsal(client: ["multi_lang_chat": Self.languages])
        rehearsal.connect()
        #expect(
            rehearsal.do("language_menu")
                == .done([
                    ["language": "und", "label": "Detect Language", "selected": false],
                    ["language": "en", "label": "English", "selected": true],
                    ["language": "fr", "label": "French", "selected": false],
                    ["language": "hi", "label": "hi", "selected": false],
                ]))
        #expect(rehearsal.sent == [["profile": ["languageTag": "en"]]])
        let single = try Rehearsal(client: ["multi_lang_chat": ["supported_languages": [["lang": "en"]]]])
        #expect(single.do("language_menu") == .done([]))
    }

    @Test("a chosen language begins the conversation anew and is told to the skill")
    func choose() throws {
        let rehearsal = try Rehearsal(server: ["echo": true], client: ["multi_lang_chat": Self.languages])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hello"])
        rehearsal.run(.seconds(1))
        rehearsal.forget()
        rehearsal.do("set_language", ["language": "fr"])
        #expect(rehearsal.sent == [["profile": ["languageTag": "fr"]]])
        #expect(rehearsal.last(.languageChanged)?.fields == ["language": "fr", "label": "French"])
        #expect(rehearsal.client.properties["messages"] == 0)
        rehearsal.run(.seconds(1))
        let profile = try rehearsal.readServer("profile")
        #expect(profile["languageTag"] == "fr")
        for tag: JSONValue in ["und", "xx", .null] {
            rehearsal.forget()
            rehearsal.do("set_language", ["language": tag])
            #expect(rehearsal.sent == [["profile": ["languageTag": .null, "locale": .null]]])
            #expect(rehearsal.last(.languageChanged)?.fields.names == ["label"])
        }
        rehearsal.do("disconnect")
        rehearsal.run(.seconds(1))
        rehearsal.do("set_language", ["language": "en"])
        #expect(rehearsal.last(.error)?.fields["code"] == "ConnectionNone")
    }

    @Test("a primary language alone works without a menu, and can be changed to any tag")
    func withoutMenu() throws {
        let rehearsal = try Rehearsal(client: ["multi_lang_chat": ["primary_language": "nl"]])
        rehearsal.connect()
        #expect(rehearsal.sent == [["profile": ["languageTag": "nl"]]])
        rehearsal.do("set_language", ["language": "sw"])
        #expect(rehearsal.client.properties["language"] == "sw")
    }

    @Test("the chosen language outlives the session")
    func persists() throws {
        let rehearsal = try Rehearsal(client: ["multi_lang_chat": Self.languages])
        rehearsal.connect()
        rehearsal.do("set_language", ["language": "fr"])
        rehearsal.serve("end_session")
        rehearsal.run(.seconds(1))
        rehearsal.forget()
        rehearsal.connect()
        #expect(rehearsal.sent == [["profile": ["languageTag": "fr"]]])
    }

    // MARK: Timestamps

    static let second: Double = 1, minute: Double = 60, hour: Double = 3600, day: Double = 86_400

    @Test(
        "the age of the latest message is told at the intervals of the vendor's document",
        arguments: [
            (0, "Now"), (9, "Now"), (10, "A few seconds ago"), (59, "A few seconds ago"), (60, "1min ago"),
            (119, "1min ago"), (3599, "59min ago"), (3600, "1hr ago"), (86_399, "23hr ago"), (86_400, "1d ago"),
            (29 * 86_400, "29d ago"), (30 * 86_400, "1mth ago"), (364 * 86_400, "12mth ago"), (365 * 86_400, "1yr ago"),
            (800 * 86_400, "2yr ago"),
        ] as [(Int64, String)])
    func relative(_ seconds: Int64, _ words: String) {
        #expect(RelativeTimestamp.text(age: .seconds(seconds), strings: StringTable()) == words)
    }

    @Test("every change of the words comes when it is due, never in between")
    func changes() {
        var age = Duration.zero
        var words = RelativeTimestamp.text(age: age, strings: StringTable())
        for _ in 0..<200 {
            let wait = RelativeTimestamp.untilChange(age: age)
            #expect(wait > .zero)
            #expect(
                RelativeTimestamp.text(age: age + wait - .nanoseconds(1), strings: StringTable()) == words)
            age += wait
            let next = RelativeTimestamp.text(age: age, strings: StringTable())
            #expect(next != words)
            words = next
        }
    }

    @Test("the words change on the screen until the next message comes")
    func updates() throws {
        let rehearsal = try Rehearsal(server: ["echo": true])
        rehearsal.connect()
        rehearsal.serve("say", ["message": "hi"])
        rehearsal.run(.seconds(130))
        #expect(
            rehearsal.all(.timestampChanged).map { $0.fields["text"] } == ["A few seconds ago", "1min ago", "2min ago"])
        #expect(rehearsal.last(.message)?.fields["timestamp"] == "Now")
        #expect(rehearsal.last(.message)?.fields["timestamp_header"] == "Tue Nov 14, 22:13 PM")
        rehearsal.serve("say", ["message": "hi again"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.message)?.fields["timestamp_header"] == nil, "it is the same day")
        rehearsal.run(.seconds(7200))
        rehearsal.serve("say", ["message": "good morning"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.message)?.fields["timestamp_header"] != nil, "it is another day")
    }

    @Test("the latest message alone shows its age, and the first one of each day its time")
    func screenTimes() throws {
        let rehearsal = try Rehearsal(server: ["echo": true])
        rehearsal.connect()
        for text in ["one", "two"] {
            rehearsal.do("say", ["text": .string(text)])
            rehearsal.run(.seconds(1))
        }
        rehearsal.run(.seconds(86_400))
        func messages() throws -> [JSONValue] { try rehearsal.read("screen")["messages"]?.array ?? [] }
        #expect(try messages().map { $0["time"]?.string } == [nil, nil, nil, "1d ago"])
        #expect(try messages().map { $0["day"] == nil } == [false, true, true, true])
        rehearsal.do("say", ["text": "three"])
        rehearsal.run(.seconds(1))
        #expect(try messages().map { $0["time"]?.string } == [nil, nil, nil, nil, nil, "Now"])
        #expect(try messages().map { $0["day"] == nil } == [false, true, true, true, false, true])
    }

    @Test("absolute times follow the format, and timestamps can be switched off")
    func absolute() throws {
        let rehearsal = try Rehearsal(
            client: ["timestamp_mode": "default", "timestamp_format": "yyyy-MM-dd 'at' hh:mm:ss.SSS a EEEE MMMM"])
        rehearsal.connect()
        rehearsal.serve("say", ["message": "hi"])
        rehearsal.run(.seconds(100))
        #expect(
            rehearsal.last(.message)?.fields["timestamp"] == "2023-11-14 at 10:13:20.101 PM Tuesday November")
        #expect(rehearsal.all(.timestampChanged).isEmpty)
        let off = try Rehearsal(client: ["enable_timestamp": false])
        off.connect()
        off.serve("say", ["message": "hi"])
        off.run(.seconds(100))
        #expect(off.last(.message)?.fields["timestamp"] == nil)
        #expect(off.all(.timestampChanged).isEmpty)
    }

    // MARK: History and unread messages

    @Test("messages of an earlier session are shown again if the flag says so, and their buttons are dead")
    func history() throws {
        let rehearsal = try Rehearsal(server: ["echo": true], client: ["display_previous_messages": true])
        rehearsal.connect()
        rehearsal.serve("say", ["message": ["text": "Choose", "actions": ["One"]]])
        rehearsal.run(.seconds(1))
        rehearsal.do("destroy")
        rehearsal.do("initialize")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.history)?.fields["count"] == 1)
        if case .done = rehearsal.do("tap", ["label": "One"]) { Issue.record("an old button can be tapped") }
        rehearsal.do("clear_history")
        let value = try rehearsal.read("history")
        #expect(value["messagesCount"] == 0)
        let forgetful = try Rehearsal(server: ["echo": true])
        forgetful.connect()
        forgetful.serve("say", ["message": "hi"])
        forgetful.run(.seconds(1))
        forgetful.do("destroy")
        forgetful.do("initialize")
        #expect(forgetful.last(.history) == nil)
    }

    @Test(
        "who connects as another user sees nothing of the former one, and the former one sees it again",
        arguments: [true, false])
    func anotherUser(disconnects: Bool) throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true], client: ["user_id": "ada", "display_previous_messages": true])
        rehearsal.connect()
        rehearsal.do("say", ["text": "a secret"])
        rehearsal.run(.seconds(1))
        func connect(as user: String) {
            if disconnects { rehearsal.do("disconnect") }
            rehearsal.run(.seconds(1))
            rehearsal.do("connect", ["options": ["user_id": .string(user)]])
            rehearsal.run(.seconds(1))
        }
        connect(as: "ben")
        #expect(rehearsal.last(.connected)?.fields["user_id"] == "ben" || !disconnects)
        #expect(rehearsal.client.properties["status"] == "open")
        #expect(rehearsal.all(.history).isEmpty)
        #expect(rehearsal.client.properties["messages"] == 0)
        #expect(rehearsal.client.properties["unread"] == 0)
        #expect(
            try rehearsal.read("history")
                == ["messages": [], "messagesCount": 0, "unreadCount": 0, "userId": "ben"])
        connect(as: "ben")
        #expect(rehearsal.all(.history).isEmpty, "the same user goes on")
        connect(as: "ada")
        #expect(rehearsal.last(.history)?.fields["count"] == 2)
        #expect(rehearsal.client.properties["messages"] == 2)
    }

    @Test("who connects as another user begins a session with first messages; the same user goes on with its own")
    func firstMessagesOfAnotherUser() throws {
        let rehearsal = try Rehearsal(client: [
            "user_id": "ada", "init_user_hidden_message": "hi", "init_user_profile": ["profile": ["givenName": "X"]],
        ])
        rehearsal.connect()
        rehearsal.do("say", ["text": "one"])
        rehearsal.run(.seconds(1))
        func typesSent(as user: String) -> [String] {
            rehearsal.forget()
            rehearsal.do("connect", ["options": ["user_id": .string(user)]])
            rehearsal.run(.seconds(1))
            return rehearsal.sentTypes
        }
        #expect(typesSent(as: "ada").isEmpty)
        #expect(typesSent(as: "ben") == ["profile", "text"])
        #expect(rehearsal.sent.last?["userId"] == "ben")
        rehearsal.do("disconnect")
        rehearsal.run(.seconds(1))
        #expect(typesSent(as: "ben").isEmpty)
        #expect(typesSent(as: "ada") == ["profile", "text"])
        rehearsal.forget()
        rehearsal.tearDown()
        #expect(rehearsal.sentTypes == ["closeSession"])
    }

    @Test("a history is cleared for good, and what is shown stays on the screen if the view is not cleared too")
    func clearedHistory() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true], client: ["user_id": "ada", "display_previous_messages": true])
        rehearsal.connect()
        rehearsal.do("say", ["text": "old"])
        rehearsal.run(.seconds(1))
        rehearsal.do("clear_history", ["view": false])
        #expect(rehearsal.client.properties["messages"] == 2)
        #expect(try rehearsal.read("history")["messagesCount"] == 0)
        rehearsal.do("say", ["text": "new"])
        rehearsal.run(.seconds(1))
        #expect(try rehearsal.read("history")["messagesCount"] == 2)
        rehearsal.do("destroy")
        rehearsal.do("initialize")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.history)?.fields["count"] == 2)
        #expect(rehearsal.client.properties["messages"] == 2)
    }

    @Test("a language that was chosen without a menu is told in the next session, too")
    func languageOutlivesTheSession() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        #expect(rehearsal.sent.isEmpty)
        rehearsal.do("set_language", ["language": "fr"])
        rehearsal.do("end_chat")
        rehearsal.run(.seconds(1))
        rehearsal.forget()
        rehearsal.connect()
        #expect(rehearsal.sent == [["profile": ["languageTag": "fr"]]])
    }

    @Test("what a message says of its metadata is added to the client's")
    func metadata() throws {
        let rehearsal = try Rehearsal(client: ["sdk_metadata": ["app": "shop"]])
        rehearsal.connect()
        let message: JSONValue = ["messagePayload": ["type": "text", "text": "hi"], "sdkMetadata": ["page": 7]]
        rehearsal.do("send", ["message": message])
        #expect(rehearsal.sent.last?["sdkMetadata"] == ["version": "25.02", "app": "shop", "page": 7])
    }

    @Test("hidden messages are not kept, and the number of kept messages is bounded")
    func bounded() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true], client: ["message_cache_size_limit": 4, "init_user_hidden_message": "hi"])
        rehearsal.connect()
        let first = try rehearsal.read("history")
        #expect(first["messages"]?.array?.compactMap { $0["source"]?.string } == ["BOT"])
        for number in 0..<10 {
            rehearsal.do("say", ["text": .string("\(number)")])
            rehearsal.run(.seconds(1))
        }
        let value = try rehearsal.read("history")
        #expect(value["messagesCount"] == 4)
    }

    @Test("messages are unread while the chat is closed, and first messages wait for it to open")
    func unread() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true], client: ["open_chat_on_load": false, "init_user_hidden_message": "hi"])
        rehearsal.connect()
        #expect(rehearsal.sent.isEmpty)
        rehearsal.serve("say", ["message": "one"])
        rehearsal.serve("say", ["message": "two"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.client.properties["unread"] == 2)
        rehearsal.serve("say", ["message": ["stream": ["one ", "two"], "interval": 0.01]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.client.properties["unread"] == 3, "a text that comes in pieces is one message")
        #expect(rehearsal.last(.unreadChanged)?.fields["count"] == 3)
        rehearsal.do("open_chat")
        #expect(rehearsal.client.properties["unread"] == 0)
        #expect(rehearsal.sentTypes == ["text"])
        let eager = try Rehearsal(client: [
            "open_chat_on_load": false, "init_user_hidden_message": "hi", "init_message_options": "init",
        ])
        eager.connect()
        #expect(eager.sentTypes == ["text"])
        let headless = try Rehearsal(client: ["enable_headless": true, "init_user_hidden_message": "hi"])
        headless.connect()
        #expect(headless.sent.isEmpty)
    }

    // MARK: The screen

    @Test("the screen has a title, a subtitle or the status, a direction, and labels for screen readers")
    func screen() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true],
            client: ["show_connection_status": true, "title": "Pizza", "ui": ["is_rtl": true]])
        rehearsal.connect()
        rehearsal.serve(
            "say",
            [
                "message": [
                    "type": "card", "layout": "horizontal",
                    "cards": [["title": "Cheese", "description": "Plain", "actions": ["Order"]]],
                ]
            ])
        rehearsal.run(.seconds(1))
        let screen = try rehearsal.read("screen")
        #expect(
            screen["header"] == [
                "title": "Pizza", "subtitle": "Connected", "label": "Chat title Pizza Chat status Connected",
            ])
        #expect(screen["direction"] == "rtl")
        #expect(screen["placeholder"] == "Enter message")
        #expect(screen["messages"]?[0]?["label"] == "Skill card title Cheese card description Plain")
        #expect(
            screen["buttons"] == [
                [
                    "label": "Order", "number": 1, "enabled": true, "place": "card", "layout": "horizontal",
                    "card": "Cheese",
                ]
            ])
        let subtitled = try Rehearsal(client: ["show_connection_status": true, "strings": ["odais_subtitle": "Here"]])
        let other = try subtitled.read("screen")
        #expect(other["header"]?["subtitle"] == "Here")
    }

    @Test("agents and the user have pictures, initials where there is none, and a script can change both")
    func avatars() throws {
        let rehearsal = try Rehearsal(server: ["echo": true])
        rehearsal.connect()
        rehearsal.serve(
            "say",
            ["message": ["text": "hi", "from": "agent", "channelExtensions": ["agentSession": ["name": "bob stone"]]]])
        rehearsal.run(.seconds(1))
        func avatar(_ index: Int) throws -> JSONValue? {
            try rehearsal.read("screen")["messages"]?[index]?["avatar"]
        }
        #expect(try avatar(0) == "BS")
        rehearsal.do("set_agent_details", ["details": ["name": "Eve", "avatar_image": "https://a.test/e.png"]])
        #expect(try avatar(0) == "https://a.test/e.png")
        #expect(rehearsal.do("get_agent_details") == .done(["name": "Eve", "avatarImage": "https://a.test/e.png"]))
        rehearsal.do("set_person_avatar", ["avatar": "me"])
        rehearsal.do("say", ["text": "hello"])
        #expect(try avatar(1) == "me")
    }

    @Test("completions are asked for from three characters on and matched in order")
    func suggestions() throws {
        let rehearsal = try Rehearsal(
            server: ["suggestions": ["order pizza", "order pasta", "bye"]], client: ["enable_autocomplete": true])
        rehearsal.connect()
        rehearsal.do("suggest", ["query": "or"])
        #expect(rehearsal.last(.error)?.fields["code"] == "SuggestionsInvalidRequest")
        rehearsal.do("enter_text", ["text": "ord"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.suggestions)?.fields["texts"] == ["order pizza", "order pasta"])
        rehearsal.serve("drop")
        rehearsal.do("suggest", ["query": "order"])
        rehearsal.run(.seconds(20))
        #expect(rehearsal.last(.error)?.fields["code"] == "SuggestionsTimeout")
    }

    @Test("nobody waits for completions any more after disconnect")
    func suggestionsAfterDisconnect() throws {
        let rehearsal = try Rehearsal(server: ["faults": ["silent": true]], client: ["enable_autocomplete": true])
        rehearsal.connect()
        rehearsal.do("suggest", ["query": "order"])
        rehearsal.do("disconnect")
        rehearsal.run(.seconds(20))
        #expect(rehearsal.last(.disconnected) != nil)
        #expect(rehearsal.last(.error) == nil)
    }

    @Test("the words of the prompt are read, and buttons that are not there cannot be tapped")
    func buttonsOfTheView() throws {
        let rehearsal = try Rehearsal(client: ["enable_clear_message": true])
        rehearsal.connect()
        let prompt = try rehearsal.read("close_chat", ["confirm": false])
        #expect(prompt["title"] == "Are you sure you want to end the conversation?")
        #expect(rehearsal.all(.beforeEnd).isEmpty)
        rehearsal.serve("say", ["message": "hi"])
        rehearsal.run(.seconds(1))
        rehearsal.do("clear_messages")
        #expect(rehearsal.client.properties["messages"] == 0)
        let without = try Rehearsal(client: ["enable_end_conversation": false])
        if case .done = without.do("close_chat") { Issue.record("there is no such button") }
        if case .done = without.do("clear_messages") { Issue.record("there is no such button") }
    }
}
