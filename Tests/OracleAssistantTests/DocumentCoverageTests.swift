import JSON
import Machines
import Testing

@testable import OracleAssistant

/// Whatever the vendor's document names must be implemented here or be held on purpose.
@Suite("Coverage of the vendor's document")
struct DocumentCoverageTests {
    /// Fails with all that the document has and this module has not.
    ///
    /// - Parameters:
    ///   - missing: The names, or the values with their names.
    ///   - place: Where they should be.
    private func expectNone(
        missing: some Sequence<String>, in place: String, location: SourceLocation = #_sourceLocation
    ) {
        let missing = Set(missing).sorted()
        #expect(
            missing.isEmpty,
            "the vendor's document names \(missing.joined(separator: ", ")); add what is missing to \(place), or hold it there",
            sourceLocation: location)
    }

    private static let settings = NetworkProperties.all + FeatureFlags.all + Appearance.properties

    private static func knows(_ name: String) -> Bool {
        Self.settings.contains { $0.name == name || $0.aliases.contains(name) }
    }

    @Test("every network property is a setting")
    func network() {
        self.expectNone(
            missing: OracleFacts.networkProperties.filter { name in
                !NetworkProperties.all.contains { $0.name == name }
            }, in: "NetworkProperties.all")
    }

    @Test("every feature flag is a setting, and so is every flag that the chapters mention")
    func flags() {
        self.expectNone(
            missing: OracleFacts.featureFlags.filter { name in !Self.settings.contains { $0.name == name } },
            in: "FeatureFlags.all")
        self.expectNone(
            missing: OracleFacts.mentionedFlags.filter { !Self.knows($0) },
            in: "FeatureFlags.all, as a flag or an alias"
        )
    }

    @Test("every string key is in the table, with the document's default")
    func strings() {
        #expect(OracleFacts.texts.count == StringTable.entries.count)
        self.expectNone(
            missing: OracleFacts.texts.map(\.key).filter { StringTable.defaults[$0] == nil },
            in: "StringTable.entries")
        self.expectNone(
            missing: OracleFacts.texts.filter { text in
                StringTable.defaults[text.key].map { OracleFacts.fingerprint($0) != text.fingerprint } ?? false
            }.map { "another text for \($0.key)" }, in: "StringTable.entries")
    }

    @Test("every UI property and color is a setting, with the document's default")
    func colors() {
        var (missing, others): ([String], [String]) = ([], [])
        for (name, color) in OracleFacts.appearance {
            guard let setting = Appearance.properties.first(where: { $0.name == name }) else {
                missing.append(name)
                continue
            }
            guard case .color = setting.kind, let text = setting.defaultValue?.string else { continue }
            if color?.hasSuffix(text) != true {
                others.append("\(name) \(color ?? "without a color") where it is \(text) here")
            }
            #expect(Color(text) != nil, "\(name) is \(text), which is no color")
        }
        self.expectNone(missing: missing, in: "Appearance.properties")
        self.expectNone(missing: others, in: "Appearance.properties")
        self.expectNone(
            missing: OracleFacts.webViewAttributes.filter { name in
                !Appearance.webView.contains { $0.name == name }
            }, in: "Appearance.webView")
    }

    @Test("every icon is a setting that names its asset, in the order of the document")
    func icons() {
        #expect(Appearance.icons.map(\.name) == OracleFacts.icons)
    }

    @Test("every type in a sample or table is a payload, an action, a file or a display type")
    func types() {
        let known = Set(
            PayloadType.allCases.map(\.rawValue) + MessageAction.Kind.allCases.map(\.rawValue)
                + Attachment.Kind.allCases.map(\.rawValue) + Field.Kind.allCases.map(\.rawValue))
        self.expectNone(
            missing: OracleFacts.types.filter { !known.contains($0) },
            in: "PayloadType, MessageAction.Kind, Attachment.Kind or Field.Kind")
    }

    /// What stands here for the functions that the document lists.
    private static let functions: [String: String] = [
        "destroy": "destroy", "disconnect": "disconnect", "connect": "connect", "initialize": "initialize",
        "send": "send", "shareMenuItems": "set_share_menu", "startRecording": "start_recording",
        "stopRecording": "stop_recording", "isRecording": "is_recording", "speak": "speak",
        "stopSpeech": "stop_speech", "sendUserTypingStatus": "send_typing_status", "endChat": "end_chat",
        "setPersonAvatar": "set_person_avatar", "setAgentDetails": "set_agent_details",
        "getAgentDetails": "get_agent_details", "setPrimaryLanguage": "set_language",
        "setSpeechLocale": "set_speech_locale", "setUserAvatar": "set_person_avatar", "isSpeaking": "is_speaking",
    ]

    /// The events or options that stand for callbacks.
    private static let callbacks: [String: String] = [
        "onReceiveMessage": "message", "onStatusChange": "link_changed", "onInitialize": "initialized",
        "onDestroy": "destroyed", "onUploadAttachment": "attachment_uploaded",
        "onChatLanguageChange": "language_changed", "beforeEndConversation": "before_end", "chatEnd": "ended",
        "beforeDisplay": "before_display", "beforeSend": "before_send", "beforeSendPostback": "before_send_postback",
        "onSpeechResponseReceived": "speech_final", "onAudioReceived": "speech_level",
    ]

    @Test("every function has a method of scripts and every callback an event or option")
    func functions() {
        let methods = Set(ClientVocabulary.methods.map(\.name))
        let events = Set(ClientEventVocabulary.events.map(\.kind.rawValue))
        let options = Set(ClientVocabulary.options.map(\.name))
        let missing = OracleFacts.functions.filter { name in
            let method = Self.functions[name].map { methods.contains($0) } ?? false
            let callback = Self.callbacks[name].map { events.contains($0) || options.contains($0) } ?? false
            return !method && !callback
        }
        self.expectNone(missing: missing, in: "ClientVocabulary, and to the tables of this test what stands for it")
    }
}
