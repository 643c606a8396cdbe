import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("The effects of settings and texts")
struct SettingEffectTests {
    /// A setting with another value than it has by itself, and what it needs to be of any matter.
    private struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let value: JSONValue
        var server: JSONObject = [:]
        var client: JSONObject = [:]

        init(_ name: String, _ value: JSONValue, server: JSONObject = [:], with client: JSONObject = [:]) {
            self.name = name
            self.value = value
            self.server = server
            self.client = client
        }

        var testDescription: String { self.name }

        /// The options of the client with the other value.
        var changed: JSONObject {
            let setting = Self.all.first { $0.name == self.name }
            let key = setting?.scriptName ?? self.name
            guard let setting, Appearance.contains(setting) else { return self.client.merging([key: self.value]) }
            let look = (self.client["ui"]?.object ?? [:]).merging([key: self.value])
            return self.client.merging(["ui": .object(look)])
        }

        static let all = NetworkProperties.all + FeatureFlags.all + Appearance.properties
    }

    private static let token: JSONObject = ["token_fixture": ["secret": "s", "user_id": "ada"]]
    private static let door: JSONObject = ["authentication": true, "secret": "s"]
    private static let aloud: JSONObject = ["enable_speech_synthesis": true, "init_speech_synthesis_muted": false]
    private static let polling: JSONObject = ["enable_long_polling": true]
    private static let patient: JSONObject = ["enable_default_client_response": true]
    private static let typing: JSONObject = ["enable_send_typing_status": true]
    private static let webview: JSONObject = ["ui": ["link_handler": "webview"]]

    private static let changes: [Change] = [
        Change("url", "http://other.test"), Change("channelId", "other"), Change("userId", "ada"),
        Change("authToken", "a.b.c", server: Self.door, with: ["client_auth_enabled": true]),
        Change("clientAuthEnabled", true),
        Change("authTransport", "header", server: Self.door, with: Self.token), Change("channel", "iossdk"),
        Change("enableSecureConnection", true), Change("encodeQuery", true, with: ["user_id": "a@b"]),
        Change("reconnectMaxAttempts", 1), Change("reconnectInterval", 1), Change("enableLongPolling", true),
        Change("upgradeToWebSocketInterval", 20, with: Self.polling), Change("sdkVersion", "1"),
        Change("sdkMetadata", ["a": 1]), Change("threadId", "t"), Change("enableCancelResponse", true),
        Change("deviceToken", "d"), Change("deviceType", "android", with: ["device_token": "d"]),
        Change("disablePastActions", "none"), Change("displayPreviousMessages", true),
        Change("enableAgentSneakPreview", true, with: Self.typing), Change("enableAttachment", false),
        Change("enableAttachmentSecurity", true, server: Self.door, with: Self.token),
        Change("enableAutoSendSpeechResponse", false),
        Change("enableClearMessage", true), Change("enableDefaultClientResponse", true),
        Change("enableEndConversation", false), Change("enableSendTypingStatus", true),
        Change("enableSpeechRecognition", false),
        Change("enableSpeechSynthesis", true, with: ["init_speech_synthesis_muted": false]),
        Change("enableTimestamp", false),
        Change("initSpeechSynthesisMuted", false, with: ["enable_speech_synthesis": true]),
        Change("initUserHiddenMessage", "hidden"), Change("initUserProfile", ["profile": ["firstName": "Ada"]]),
        Change("initMessageOptions", "init", with: ["init_user_hidden_message": "hidden", "open_chat_on_load": false]),
        Change("multiLangChat", ["supported_languages": [["lang": "en"], ["lang": "fr"]]]),
        Change("sharePopupConfiguration", ["items": ["audio"]]), Change("showConnectionStatus", true),
        Change("showTypingStatus", false), Change("speechLocale", "fr-fr"),
        Change("speechSynthesisVoicePreferences", [["lang": "fr-fr", "name": "Claire"]], with: Self.aloud),
        Change("timestampFormat", "yyyy", with: ["timestamp_mode": "default"]), Change("timestampMode", "default"),
        Change("timeZoneOffset", 60, with: ["timestamp_mode": "default"]), Change("title", "Ada's desk"),
        Change("ttsService", ["speak": 7], with: Self.aloud), Change("typingStatusInterval", 10, with: Self.typing),
        Change("typingStatusTimeout", 5), Change("defaultGreetingTimeout", 2, with: Self.patient),
        Change("defaultWaitMessageInterval", 2, with: Self.patient), Change("enableHeadless", true),
        Change("enableAutocomplete", true),
        Change("messageCacheSizeLimit", 1, with: ["display_previous_messages": true]),
        Change("openChatOnLoad", false),
        Change("actionsLayout", ["local": "vertical"]), Change("IsRTL", true), Change("LinkHandler", "webview"),
        Change("WebViewConfig", ["webViewSize": "full"], with: Self.webview),
        Change("webViewSize", "full", with: Self.webview), Change("clearButtonLabel", "Shut", with: Self.webview),
    ]

    @Test("each setting that acts changes what the client does or tells", arguments: Self.changes)
    private func settings(_ change: Change) throws {
        let plain = try SettingTour.told(server: change.server, client: change.client)
        let changed = try SettingTour.told(server: change.server, client: change.changed)
        let isDifferent = changed != plain
        #expect(isDifferent)
    }

    @Test("the same options come to the same, so that a difference is that of the setting")
    func repeatable() throws {
        let isSame = try SettingTour.told() == SettingTour.told()
        #expect(isSame)
    }

    @Test("no setting that acts is left out")
    func allSettings() {
        #expect(Self.changes.map(\.name).sorted() == Change.all.filter { $0.effect == .acts }.map(\.name).sorted())
    }

    @Test("each text that acts is told, shown or answered")
    func texts() throws {
        let keys = StringTable.entries.filter { $0.effect == .acts }.map(\.key)
        func told(_ keys: [String], _ options: JSONObject) throws -> String {
            let texts = JSONObject(keys.map { ($0, .string("(\($0))")) })
            return try SettingTour.told(client: options.merging(["strings": .object(texts)]))
        }
        let languages: JSONValue = .array(
            ["ar", "de", "en", "es", "fr", "it", "nl", "pt"].map { ["lang": .string($0)] })
        let options: JSONObject = [
            "multi_lang_chat": ["supported_languages": languages], "show_connection_status": true,
            "enable_default_client_response": true, "ui": ["link_handler": "webview"],
        ]
        // A subtitle stands where the status of the connection would.
        let subtitle = "odais_subtitle"
        let text = try told(keys.filter { $0 != subtitle }, options) + told([subtitle], [:])
        #expect(keys.filter { !text.contains("(\($0))") } == [])
    }
}
