import JSON
import MachineKit
import Testing

@testable import OracleAssistant

@Suite("Every name of the vendor's document Oracle iOS")
struct DocumentTableTests {
    private typealias Proof = DocumentTable.Proof

    private static let declared = NetworkProperties.all + FeatureFlags.all + Appearance.properties

    /// Settings with their defaults and one proof.
    private static func settings(
        _ verdict: DocumentTable.Verdict, _ proof: Proof, _ names: [String]
    ) -> [DocumentTable.Row] {
        let rows = names.map { name in
            let setting = self.declared.first { $0.name == name || $0.aliases.contains(name) }
            return "\(name)=\(setting?.defaultValue?.description ?? "none")"
        }
        return DocumentTable.rows(verdict, proof, rows)
    }

    // MARK: Network and flags

    private static let flags: [[DocumentTable.Row]] = [
        Self.settings(
            .acts,
            .test("the scheme of the URL is taken off whatever its case, and decides on TLS unless the flag does"),
            ["url"]),
        Self.settings(
            .acts, .scenario("an unknown channel is refused at the handshake, and so is a disabled one"), ["channelId"]),
        Self.settings(.acts, .test("a user without a name gets one of the vendor's form"), ["userId"]),
        Self.settings(
            .acts, .scenario("a channel with authentication takes the token of the application"), ["authToken"]),
        Self.settings(.acts, .test("past actions are usable as the flag says"), ["disablePastActions"]),
        Self.settings(
            .acts, .scenario("a client that starts again shows what was said before"), ["displayPreviousMessages"]),
        Self.settings(
            .acts, .scenario("an agent sees the words before they are sent if the client allows it"),
            ["enableAgentSneakPreview"]),
        Self.settings(.acts, .test("attachments can be switched off, and need a connection"), ["enableAttachment"]),
        Self.settings(
            .acts, .scenario("a protected file is shown to who has the token"), ["enableAttachmentSecurity"]),
        Self.settings(
            .acts, .test("without auto-send the words stand in the input field, under each spelling of the flag"),
            ["enableAutoSendSpeechResponse", "enableSpeechAutoSendSpeechResponse"]),
        Self.settings(.acts, .scenario("without its flag nothing clears the messages"), ["enableClearMessage"]),
        Self.settings(
            .acts,
            .scenario("a client greets after 5 seconds, asks for patience every 5 seconds and gives up after 35"),
            ["enableDefaultClientResponse"]),
        Self.settings(.acts, .scenario("without its button nobody closes the chat"), ["enableEndConversation"]),
        Self.settings(
            .acts, .scenario("an agent is told at most every three seconds that the user types"),
            ["enableSendTypingStatus"]),
        Self.settings(.acts, .scenario("without its flag nobody is heard"), ["enableSpeechRecognition"]),
        Self.settings(.acts, .scenario("without its flag nothing is read"), ["enableSpeechSynthesis"]),
        Self.settings(.acts, .scenario("reading aloud has two names"), ["enableBotAudioResponse"]),
        Self.settings(.acts, .scenario("times can be left out"), ["enableTimestamp"]),
        Self.settings(
            .held, .test("every property that is held shapes the screen's HTML"), ["headerLogo", "headerLogoAlignment"]),
        Self.settings(
            .acts, .scenario("messages are read by the preferred voice once they are not muted"),
            ["initSpeechSynthesisMuted"]),
        Self.settings(
            .acts, .scenario("profile and hidden message open the conversation, a tapped button goes on"),
            ["initUserHiddenMessage", "initUserProfile"]),
        Self.settings(.acts, .scenario("one language makes no menu"), ["multiLangChat"]),
        Self.settings(
            .acts, .scenario("the number of tries and the pause between them can be chosen"), ["reconnectMaxAttempts"]),
        Self.settings(
            .acts, .test("the share menu filters kinds and sizes, under both of its names"),
            ["sharePopupConfiguration", "shareMenuConfiguration"]),
        Self.settings(
            .acts, .scenario("the header has a title, a subtitle or the state of the connection"),
            ["showConnectionStatus", "title"]),
        Self.settings(
            .acts, .test("the indicator of a skill that is not to be shown stays hidden, that of an agent does not"),
            ["showTypingStatus"]),
        Self.settings(
            .acts, .scenario("a locale that the recognition does not know is an error, and another one can be set"),
            ["speechLocale"]),
        Self.settings(
            .acts, .test("a missing voice falls back to the language's, and a missing language to the default"),
            ["speechSynthesisVoicePreferences"]),
        Self.settings(
            .acts, .scenario("every message can carry its time in a form of one's own"),
            ["timestampFormat", "timestampMode"]),
        Self.settings(
            .acts, .scenario("a service written in Lua reads in place of the client, and stops when the user speaks"),
            ["ttsService"]),
        Self.settings(
            .acts, .test("typing that stops is told after the interval, and an agent may see the text"),
            ["typingStatusInterval"]),
        Self.settings(
            .acts, .test("the typing indicator goes away after thirty seconds without an answer"),
            ["typingStatusTimeout"]),
    ]

    // MARK: Looks

    private static let looks: [[DocumentTable.Row]] = {
        let acting: [(Proof, [String])] = [
            (.scenario("a chat can run from right to left"), ["IsRTL"]),
            (
                .scenario("links open in a browser or within the chat"),
                ["LinkHandler", "WebViewConfig", "webViewSize", "clearButtonLabel"]
            ),
        ]
        let names = OracleFacts.appearance.map(\.name) + OracleFacts.webViewAttributes + OracleFacts.icons
        let held = names.filter { name in !acting.contains { $0.1.contains(name) } }
        return acting.map { Self.settings(.acts, $0.0, $0.1) }
            + [Self.settings(.held, .test("every property that is held shapes the screen's HTML"), held)]
    }()

    // MARK: Texts

    /// What proves a text that acts, by the first beginning of its key that fits.
    private static let textProofs: [(beginning: String, proof: Proof)] = [
        (
            "odais_access_label_webview",
            .test("links open in a browser or in a webview with its title and close button")
        ),
        ("odais_access_label_", .scenario("screen readers hear what kind of message came and from whom")),
        ("odais_timestamp_", .test("the age of the latest message is told at the intervals of the vendor's document")),
        ("odais_language_", .test("the menu has detection first, native words for known tags and the tag for others")),
        (
            "odais_default_",
            .test("the client's own responses come at the times of the vendor's client, to the millisecond")
        ),
        (
            "end_conversation_",
            .test("the words of the prompt are read, and buttons that are not there cannot be tapped")
        ),
        ("connection", .test("six sockets five seconds apart, then the client gives up and shows the banner")),
        ("odais_connect", .scenario("a connection goes through its states")),
        ("odais_disconnected", .scenario("a connection goes through its states")),
        ("odais_location_", .test("a location button asks the device, whose answer is rounded to five decimals")),
        ("odais_speech_permission", .test("what goes wrong has the vendor's code and words")),
        ("odais_speech_", .test("what goes wrong has the vendor's code and words")),
        ("odais_no_speech_error", .test("what goes wrong has the vendor's code and words")),
        ("odais_too_much_speech_error", .test("what goes wrong has the vendor's code and words")),
        (
            "odais_file",
            .test("files that cannot be sent are told with the vendor's code and words, and nothing goes out")
        ),
        (
            "odais_zero_byte",
            .test("files that cannot be sent are told with the vendor's code and words, and nothing goes out")
        ),
        (
            "odais_camera",
            .test("files that cannot be sent are told with the vendor's code and words, and nothing goes out")
        ),
        (
            "odais_gallery",
            .test("files that cannot be sent are told with the vendor's code and words, and nothing goes out")
        ),
        ("odais_upload_attachment", .test("statuses of the server become the vendor's codes")),
        ("odais_subtitle", .scenario("the header has a title, a subtitle or the state of the connection")),
        (
            "odais_chat_title",
            .test("the screen has a title, a subtitle or the status, a direction, and labels for screen readers")
        ),
        ("odais_stars_rating", .scenario("a survey with stars takes one tap")),
        ("odais_notification_title", .test("only what comes to a minimized window is unread")),
    ]

    private static let texts: [[DocumentTable.Row]] = StringTable.entries.map { entry in
        let row = "\(entry.key)=\(entry.text)"
        guard entry.effect == .acts else {
            return DocumentTable.rows(.held, .test("every string that is held shapes the screen's HTML"), [row])
        }
        let proof = Self.textProofs.first { entry.key.hasPrefix($0.beginning) }?.proof
        let other = Proof.test(
            "each text that acts is told, shown or answered")
        return DocumentTable.rows(.acts, proof ?? other, [row])
    }

    // MARK: Types and functions

    private static let types: [[DocumentTable.Row]] = [
        DocumentTable.rows(
            .acts, .test("every payload type is decoded to a case of its own"),
            ["attachment", "card", "form", "location", "postback", "raw", "table", "tableForm", "text"].map {
                "type " + $0
            }),
        DocumentTable.rows(
            .acts, .scenario("a text has words above and below, and buttons of several kinds"),
            ["type call", "type url"]),
        DocumentTable.rows(
            .acts, .scenario("what kind of file it is stands in the message, or else in its URL"), ["type image"]),
        DocumentTable.rows(
            .acts, .scenario("a table says how its columns and cells stand, and which page it is"), ["type link"]),
    ]

    private static let functions: [[DocumentTable.Row]] = [
        (
            "messages pass through the functions of the application",
            ["beforeDisplay", "beforeSend"]
        ),
        ("the function for buttons sees the action and may change what goes back", ["beforeSendPostback"]),
        ("the application can keep the conversation going", ["beforeEndConversation"]),
        ("the user ends the conversation", ["chatEnd", "endChat"]),
        ("a connection goes through its states", ["connect", "disconnect", "onStatusChange"]),
        ("a client that starts again shows what was said before", ["destroy", "onDestroy", "onInitialize"]),
        (
            "pictures stand for people, initials for who has none",
            ["getAgentDetails", "setAgentDetails", "setPersonAvatar"]
        ),
        ("one recording goes on at a time", ["isRecording", "startRecording"]),
        ("a recording can be stopped before its end", ["stopRecording"]),
        ("a service that takes its time is known to be speaking until it returns", ["isSpeaking", "speak"]),
        (
            "a service written in Lua reads in place of the client, and stops when the user speaks",
            ["stopSpeech"]
        ), ("a chosen language begins the conversation anew", ["onChatLanguageChange", "setPrimaryLanguage"]),
        ("a text has words above and below, and buttons of several kinds", ["onReceiveMessage"]),
        ("a picture is uploaded and then sent", ["onUploadAttachment"]),
        ("the application can tell the skill of an event and of where the user is", ["send"]),
        ("what the user types is told in any case when the application does it itself", ["sendUserTypingStatus"]),
        ("the share menu offers what the configuration names, with limits of its own", ["shareMenuItems"]),
    ].map { DocumentTable.rows(.acts, .scenario($0.0), $0.1) }

    // MARK: Members

    private static func members(
        _ verdict: DocumentTable.Verdict, _ proof: Proof, _ object: String, _ names: [String]? = nil
    ) -> [DocumentTable.Row] {
        let all = OracleFacts.members.first { $0.object == object }?.names ?? []
        return DocumentTable.rows(verdict, proof, (names ?? all).map { "\(object).\($0)" })
    }

    private static let tables = Proof.scenario("a table says how its columns and cells stand, and which page it is")
    private static let buttons = Proof.scenario("a text has words above and below, and buttons of several kinds")
    private static let kinds = Proof.scenario("what kind of file it is stands in the message, or else in its URL")

    private static let messages: [[DocumentTable.Row]] = [
        Self.members(
            .acts, .test("sample frames are decoded by their kind and written again as they were"),
            "Conversation Message"),
        Self.members(.acts, Self.buttons, "Message", ["type", "headerText", "footerText", "actions", "globalActions"]),
        Self.members(.acts, .scenario("a survey with stars takes one tap"), "Message", ["channelExtensions"]),
        Self.members(.acts, .scenario("a file of the skill comes with its kind"), "Attachment", ["type", "url"]),
        Self.members(.acts, Self.kinds, "Attachment", ["mediaType"]),
        Self.members(
            .acts, .scenario("a place of the skill has coordinates and a title"), "Location",
            ["title", "longitude", "latitude"]),
        Self.members(
            .held, .test("coordinates stay where they were written, whatever the table says about them"), "Location",
            ["url"]),
        Self.members(.acts, Self.buttons, "Action"),
        Self.members(
            .acts, .scenario("a tap on a card opens its page"), "Card", ["title", "description", "URL", "actions"]),
        Self.members(.acts, Self.kinds, "Card", ["imageUrl", "channelExtensions", "mediaType"]),
        Self.members(.acts, Self.tables, "Heading"), Self.members(.acts, Self.tables, "Row", ["fields"]),
        Self.members(
            .held, .test("a type nobody knows, members nobody knows and wrongly typed members survive"), "Row",
            ["channelExtensions"]),
        Self.members(.acts, Self.tables, "Field"),
        Self.members(
            .acts, .scenario("forms to read come in columns, with fields of several kinds"), "Form",
            ["title", "actions"]),
        Self.members(.acts, .scenario("the fields of a form may be called field"), "Form", ["field"]),
        Self.members(.acts, Self.tables, "Form", ["channelExtensions"]),
        Self.members(.acts, Self.tables, "PaginationInfo"),
    ]

    private static let others: [[DocumentTable.Row]] = [
        Self.members(
            .acts, .scenario("an agent is drawn in the colors that the application sets"), "AgentDetails",
            ["nameTextColor", "avatarTextColor", "avatarBackgroundColor"]),
        Self.members(
            .acts, .scenario("pictures stand for people, initials for who has none"), "AgentDetails",
            ["name", "avatarImage"]),
        Self.members(
            .acts, .test("the menu has detection first, native words for known tags and the tag for others"),
            "MultiLangChat", ["supportedLanguages"]),
        Self.members(
            .acts, .scenario("the skill learns the primary language before the first message"), "MultiLangChat",
            ["primaryLanguage"]),
        Self.members(
            .acts, .scenario("a primary language that is not in the menu means detection"), "MultiLangChat", ["und"]),
        Self.members(
            .acts,
            .scenario(
                "the menu offers detection, native words, the skill author's words, and a bare tag where there are none"
            ),
            "SupportedLanguage"),
        Self.members(
            .acts, .scenario("the camera and the gallery are offered each by itself"), "ShareMenuItem",
            ["photoAndVideoLibrary", "camera"]),
        Self.members(
            .acts, .scenario("the share menu of the document's example offers papers up to a megabyte and texts"),
            "ShareMenuItem", ["files"]),
        Self.members(
            .held, .scenario("the share menu of the document's example offers papers up to a megabyte and texts"),
            "ShareMenuItem", ["location"]),
        Self.members(
            .acts, .scenario("the share menu of the document's example offers papers up to a megabyte and texts"),
            "ShareMenuCustomItem"),
        Self.members(
            .acts, .scenario("a service written in Lua reads in place of the client, and stops when the user speaks"),
            "TTSService"),
        Self.members(
            .acts, .scenario("buttons lie as the configuration says, each kind by itself"), "actionsLayout"),
        Self.members(.acts, .scenario("links open in a browser or within the chat"), "LinkHandlerType"),
        Self.members(.acts, .scenario("links open in a browser or within the chat"), "WebViewSize"),
        Self.members(
            .acts, .scenario("every message can carry its time in a form of one's own"), "TimestampMode", ["default"]),
        Self.members(
            .acts, .scenario("the latest message tells its age for two years"), "TimestampMode", ["relative"]),
        Self.members(
            .acts, .test("an agent comes, types and leaves; the user's typing is told every three seconds"),
            "TypingStatus"),
        Self.members(.held, .test("every property that is held shapes the screen's HTML"), "BotUITheme"),
        Self.members(
            .acts, .test("a token is the one that PyJWT makes, byte for byte, and PyJWT's is taken here"), "JWT",
            ["alg", "iat", "exp", "channelId", "userId"]),
        Self.members(
            .acts, .scenario("a token may go in the header of the handshake"), "JWT", ["Authorization header"]),
        Self.members(
            .acts, .scenario("an unknown channel is refused at the handshake, and so is a disabled one"), "channel",
            ["channel id", "enabled"]),
        Self.members(
            .acts, .scenario("a channel with authentication takes the token of the application"), "channel",
            ["client authentication", "secret"]),
        Self.members(
            .acts, .scenario("a token that the server refuses is asked for once more, and then polling ends"),
            "channel",
            ["max. token expiration"]),
        Self.members(
            .acts, .test("a session that has expired begins anew, silently or not"), "channel", ["session expiration"]),
    ]

    private static let promises: [[DocumentTable.Row]] = [
        DocumentTable.rows(
            .acts, .test("the age of the latest message is told at the intervals of the vendor's document"),
            ["the age of the latest message"]),
        DocumentTable.rows(
            .acts, .test("the latest message alone shows its age, and the first one of each day its time"),
            ["the header of a day", "the age on the latest message only"]),
        DocumentTable.rows(
            .acts, .test("the client's own responses come at the times of the vendor's client, to the millisecond"),
            ["the greeting of the client=5 s", "its wait messages=every 5 s", "its apology=30 s"]),
        DocumentTable.rows(
            .acts, .scenario("the indicator stays until the apology"), ["the indicator until the apology"]),
        DocumentTable.rows(
            .acts, .test("the end of a conversation goes through the listener, disconnects, forgets and starts anew"),
            [
                "the end: a message to the skill", "the end: disconnected", "the end: the history is erased",
                "the end: chatEnd",
            ]),
        DocumentTable.rows(
            .acts, .scenario("opening the chat after its end begins another conversation"),
            ["the end: the widget collapses", "opening afterwards begins anew"]),
        DocumentTable.rows(
            .acts, .scenario("a token that the server refuses is asked for once more, and then polling ends"),
            ["a token asked once for a request"]),
        DocumentTable.rows(
            .acts, .scenario("a chosen language begins the conversation anew"),
            ["a new language begins a new conversation"]),
        DocumentTable.rows(
            .acts, .scenario("without a primary language the profile's counts"),
            ["the language of the profile without a primary one"]),
        DocumentTable.rows(
            .acts, .test("a wrong value is refused with what the setting takes"), ["initConfiguration"]),
        // A client without a window has none to give away: `screen` stands in, and asking for one is an error.
        DocumentTable.rows(
            .refused, .test("every method that is declared is one that the client knows, and so for server and agents"),
            ["viewControllerInstance"]),
        DocumentTable.rows(
            .acts, .scenario("who may not use the microphone learns it"), ["Info.plist permissions"]),
        DocumentTable.rows(
            .acts, .scenario("an agent who types is seen though the skill seemed about to answer"),
            ["the typing of an agent"]),
        DocumentTable.rows(
            .acts, .scenario("pictures stand for people, initials for who has none"), ["a picture for who has none"]),
    ]

    private static let table = DocumentTable(
        "Oracle iOS",
        Self.flags + Self.looks + Self.texts + Self.types + Self.functions + Self.messages + Self.others
            + Self.promises)

    @Test("acts, is held or is refused, and something proves it")
    func complete() throws {
        print(Self.table.text)
        let names =
            OracleFacts.networkProperties + OracleFacts.featureFlags + OracleFacts.mentionedFlags
            + OracleFacts.texts.map(\.key) + OracleFacts.appearance.map(\.name) + OracleFacts.webViewAttributes
            + OracleFacts.icons + OracleFacts.types.map { "type " + $0 } + OracleFacts.functions
            + OracleFacts.members.flatMap { object in object.names.map { "\(object.object).\($0)" } }
            + OracleFacts.promises
        let problems = try Self.table.problems(
            names: Set(names).sorted(), scenarios: "oracle", tests: "OracleAssistantTests")
        #expect(problems.isEmpty, "\(problems.joined(separator: "; "))")
    }
}
