import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The configuration")
struct ConfigurationTests {
    private static func error(_ options: JSONObject) -> String? {
        let configuration = ClientConfiguration(
            origin: "http://oda.test", target: ["channel_id": "C"], options: options)
        do throws(ConfigurationError) {
            _ = try ClientSettings(configuration)
            return nil
        } catch { return error.message }
    }

    @Test(
        "a wrong value is refused with what the setting takes",
        arguments: [
            (["disable_past_actions": "some"], "one of all, none, postback"),
            (["reconnect_max_attempts": -1], "whole number from 0"),
            (["enable_attachment": "yes"], "true or false"),
            (["typing_status_timeout": 0], "duration from"),
            (["ui": ["bot_text_color": "mauve"]], "color"),
            (["ui": ["actions_layout": ["local": "round"]]], "horizontal or vertical"),
            (["ui": ["web_view_config": ["depth": 3]]], "no attribute depth"),
            (["strings": ["odais_hello": "hi"]], "no key odais_hello"),
            (["init_user_profile": ["name": "x"]], "profile"),
            (["multi_lang_chat": [:]], "supported_languages or primary_language"),
            (["share_menu_items": ["items": ["sandwich"]]], "no item"),
        ] as [(JSONObject, String)])
    func refused(_ options: JSONObject, _ phrase: String) throws {
        #expect(try #require(Self.error(options)).contains(phrase))
    }

    @Test("all problems are told at once, and a missing channel is one")
    func allProblems() throws {
        let message = try #require(Self.error(["enable_attachment": 1, "disable_past_actions": 2]))
        #expect(message.contains("enable_attachment") && message.contains("disable_past_actions"))
        let configuration = ClientConfiguration(origin: "http://oda.test", target: [:], options: [:])
        #expect(throws: ConfigurationError.self) { try ClientSettings(configuration) }
    }

    @Test("every default passes its own check, and names in snake case are told apart")
    func defaults() {
        let all = NetworkProperties.all + FeatureFlags.all + Appearance.properties
        for setting in all {
            if let value = setting.defaultValue { #expect(setting.problem(with: value) == nil, "\(setting.name)") }
        }
        let names = all.flatMap { [$0.scriptName] + $0.aliases.map(Setting.scriptName) }
        #expect(Set(names).count == names.count)
        #expect(Setting.scriptName("IsRTL") == "is_rtl")
        #expect(Setting.scriptName("EnableArrowsForHorizontalCards") == "enable_arrows_for_horizontal_cards")
    }

    @Test("every setting and string can be read by scripts")
    func readable() throws {
        let rehearsal = try Rehearsal(client: ["ui": ["bot_text_color": "red"], "strings": ["odais_ok": "Fine"]])
        for setting in NetworkProperties.all + FeatureFlags.all + Appearance.properties {
            for name in [setting.name, setting.scriptName] + setting.aliases {
                #expect(ConversationTests.isDone(rehearsal.do("setting", ["name": .string(name)])), "\(name)")
            }
        }
        for entry in StringTable.entries {
            #expect(ConversationTests.isDone(rehearsal.do("string", ["key": .string(entry.key)])))
        }
        #expect(rehearsal.do("setting", ["name": "BotTextColor"]) == .done("red"))
        #expect(rehearsal.do("string", ["key": "odais_ok"]) == .done("Fine"))
        #expect(rehearsal.do("string", ["key": "odais_timestamp_days", "value": "3"]) == .done("3d ago"))
        if case .done = rehearsal.do("string", ["key": "nothing"]) { Issue.record("there is no such string") }
    }

    /// A client whose screen has everything that a setting could shape.
    private static func fullScreen(_ name: String?, _ value: JSONValue) throws -> String {
        var options: JSONObject = [
            "enable_clear_message": true, "enable_speech_synthesis": true, "enable_speech_recognition": true,
            "display_previous_messages": true, "header_logo": "logo.png",
            "multi_lang_chat": ["supported_languages": [["lang": "en"], ["lang": "fr"]]],
        ]
        var look: JSONObject = ["link_handler": "webview", "enable_arrows_for_horizontal_cards": true]
        if let name {
            let isLook = Appearance.properties.contains { $0.scriptName == name }
            if isLook { look[name] = value } else { options[name] = value }
        }
        options["ui"] = .object(look)
        let rehearsal = try Rehearsal(server: ["echo": true], client: options)
        rehearsal.connect()
        rehearsal.do("say", ["text": "before"])
        rehearsal.run(.seconds(1))
        rehearsal.do("destroy")
        rehearsal.run(.seconds(1))
        rehearsal.do("initialize")
        rehearsal.run(.seconds(1))
        rehearsal.do("say", ["text": "after"])
        rehearsal.run(.seconds(1))
        let file: JSONObject = ["type": "file", "url": "http://a/b", "title": "b"]
        let image: JSONObject = ["type": "image", "url": "http://a/c", "title": "c"]
        let sound: JSONObject = ["type": "audio", "url": "http://a/e", "title": "e"]
        rehearsal.serve(
            "say",
            [
                "message": [
                    ["text": "Hi", "from": "agent", "channelExtensions": ["agentName": "Bob"], "actions": ["Yes"]],
                    ["type": "attachment", "attachment": .object(file), "from": "agent"],
                    ["type": "attachment", "attachment": .object(image), "from": "agent"],
                    ["type": "attachment", "attachment": .object(sound), "from": "agent"],
                    [
                        "type": "card", "layout": "horizontal", "from": "agent", "globalActions": ["Help"],
                        "cards": [
                            ["title": "One", "description": "1", "actions": ["Take"]],
                            ["title": "Two", "description": "2", "actions": ["Take"]],
                        ],
                    ],
                    [
                        "text": "Stars?", "channelExtensions": ["displayType": "stars"], "actions": ["1", "2"],
                        "from": "agent",
                    ],
                ]
            ])
        rehearsal.run(.seconds(1))
        rehearsal.do("open_link", ["url": "http://a/d"])
        let muted = try #require(rehearsal.read("screen_html").string)
        rehearsal.do("mute", ["muted": false])
        return try muted + #require(rehearsal.read("screen_html").string)
    }

    @Test(
        "every property that is held shapes the screen's HTML",
        arguments: (FeatureFlags.all + Appearance.properties).filter { $0.effect == .held }.map(\.name))
    func held(_ name: String) throws {
        let setting = try #require((FeatureFlags.all + Appearance.properties).first { $0.name == name })
        let value: JSONValue =
            switch setting.kind {
            case .color: "#010203"
            case .choice(let words): .string(words.first { .string($0) != setting.defaultValue } ?? "")
            case .flag: .bool(!(setting.defaultValue?.bool ?? false))
            default: "another.png"
            }
        // The screen has the arrows of cards anyway, for their colors; without them it must look otherwise too.
        let other: JSONValue = name == "EnableArrowsForHorizontalCards" ? false : value
        let plain = try Self.fullScreen(nil, .null)
        #expect(try Self.fullScreen(setting.scriptName, other) != plain)
    }

    @Test("every string that is held shapes the screen's HTML")
    func heldStrings() throws {
        let held = StringTable.entries.filter { $0.effect == .held }.map(\.key)
        let texts = JSONObject(held.map { ($0, .string("(\($0))")) })
        let html = try Self.fullScreen("strings", .object(texts))
        for key in held { #expect(html.contains("(\(key))"), "\(key)") }
    }

    @Test(
        "colors are read in every form of the tables",
        arguments: [
            ("#161513", "rgb(22 21 19 / 1.0)"), ("161513.withAlphaComponent(0.50)", "rgb(22 21 19 / 0.5)"),
            ("UIColor.clear", "rgb(0 0 0 / 0.0)"), ("white", "rgb(255 255 255 / 1.0)"),
        ])
    func colors(_ text: String, _ css: String) {
        #expect(Color(text)?.css == css)
    }

    @Test("text that is no color is none", arguments: ["", "#12", "#GGGGGG", "white.withAlphaComponent(2)", "+16151"])
    func noColors(_ text: String) {
        #expect(Color(text) == nil)
    }

    @Test("the scheme of the URL is taken off whatever its case, and decides on TLS unless the flag does")
    func addresses() throws {
        func address(_ options: JSONObject) throws -> ChannelAddress {
            try ClientSettings(
                ClientConfiguration(origin: "http://oda.test", target: ["channel_id": "C"], options: options)
            ).address
        }
        #expect(try address(["url": "HTTPS://h.test/path"]).authority == "h.test")
        #expect(try address(["url": "HTTPS://h.test/path"]).isSecure)
        #expect(try address(["url": "h.test"]).isSecure)
        #expect(try address(["url": "h.test:8443/chat"]).authority == "h.test:8443")
        #expect(throws: ConfigurationError.self) { try address(["url": "/"]) }
        #expect(try !address([:]).isSecure)
        #expect(try address(["enable_secure_connection": true]).isSecure)
    }

    @Test("query values stand as they are, but for what would break the request")
    func query() throws {
        var address = ChannelAddress(authority: "h", isSecure: true, channelID: "C", userID: "a b@c/d&e")
        #expect(address.socketRequest(token: nil).path?.hasSuffix("userId=a%20b@c/d%26e") == true)
        address.encodesQuery = true
        #expect(address.socketRequest(token: nil).path?.hasSuffix("userId=a%20b%40c%2Fd%26e") == true)
    }

    @Test("every method that is declared is one that the client knows, and so for server and agents")
    func methods() throws {
        for method in ClientVocabulary.methods {
            let rehearsal = try Rehearsal(client: ["enable_clear_message": true])
            #expect(!rehearsal.do(method.name).isUnknownMethod(method.name), "\(method.name)")
        }
        #expect(try Rehearsal().do("invented").isUnknownMethod("invented"))
        for method in ServerVocabulary.methods + ServerVocabulary.agent.methods {
            let rehearsal = try Rehearsal()
            rehearsal.connect()
            let isAgents = ServerVocabulary.agent.methods.contains(method)
            if isAgents { rehearsal.serve("accept", by: "Sam") }
            let party = isAgents ? "Sam" : nil
            #expect(!rehearsal.serve(method.name, by: party).isUnknownMethod(method.name), "\(method.name)")
            #expect(rehearsal.serve("invented", by: party).isUnknownMethod("invented"))
        }
        #expect(Set(ClientVocabulary.methods.map(\.name)).count == ClientVocabulary.methods.count)
        #expect(Set(ClientVocabulary.options.map(\.name)).count == ClientVocabulary.options.count)
    }
}
