import ChatCore
import JSON
import Testing

@testable import OracleAssistant

/// Whatever the vendor's document names must be implemented here or be held on purpose.
@Suite(
    "Coverage of the vendor's document",
    .enabled(if: SharedMaterial.document != nil, Comment(rawValue: SharedMaterial.skipReason)))
struct DocumentCoverageTests {
    private let lines: [Substring]

    init() {
        self.lines = (SharedMaterial.document ?? "").split(separator: "\n", omittingEmptySubsequences: true)
    }

    /// The lines between two lines of the document.
    private func section(_ start: String, _ end: String) throws -> ArraySlice<Substring> {
        let first = try #require(self.lines.firstIndex { $0 == start })
        let last = try #require(self.lines[(first + 1)...].firstIndex { $0.hasPrefix(end) })
        return self.lines[(first + 1)..<last]
    }

    /// The first words of lines that are names: no blanks, and more than a plain word.
    private static func names(_ lines: ArraySlice<Substring>, _ isName: (Substring) -> Bool) -> [(String, Substring)] {
        lines.compactMap { line in
            let word = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return !word.isEmpty && isName(word) && line.dropFirst(word.count).hasPrefix(" ")
                ? (String(word), line) : nil
        }
    }

    private static func isLower(_ word: Substring) -> Bool { word.first?.isLowercase ?? false }

    private static let settings = NetworkProperties.all + FeatureFlags.all + Appearance.properties

    private static func knows(_ name: String) -> Bool {
        Self.settings.contains { $0.name == name || $0.aliases.contains(name) }
    }

    @Test("every network property is a setting")
    func network() throws {
        let names = Self.names(try self.section("Network Configuration", "Feature Flags"), Self.isLower).map(\.0)
        #expect(names == ["url", "channelId", "userId", "authToken"])
        for name in names { #expect(NetworkProperties.all.contains { $0.name == name }, "\(name)") }
    }

    @Test("every feature flag is a setting, and so is every flag that the chapters mention")
    func flags() throws {
        let names = Self.names(try self.section("Feature Flags", "Strings"), Self.isLower).map(\.0)
        #expect(Set(names).count == 31)
        for name in Set(names) { #expect(Self.settings.contains { $0.name == name }, "\(name)") }
        let text = SharedMaterial.document ?? ""
        for match in text.matches(of: /(?:botsConfiguration\.|Feature flag: |Functionality configuration: )([a-z]\w+)/)
        {
            let name = String(match.1)
            #expect(Self.knows(name), "\(name)")
        }
    }

    @Test("every string key is in the table, with the document's default")
    func strings() throws {
        let rows = Self.names(try self.section("Strings", "UI Properties and Colors"), Self.isLower)
        #expect(rows.count == StringTable.entries.count)
        for (key, line) in rows {
            let text = try #require(StringTable.defaults[key], "\(key)")
            #expect(text.isEmpty || line.hasSuffix(text), "\(key): \(text)")
        }
    }

    @Test("every UI property and color is a setting, with the document's default")
    func colors() throws {
        let rows = Self.names(try self.section("UI Properties and Colors", "Icons")) {
            $0 != "You" && $0 != "Component" && ($0.contains { $0.isUppercase })
        }
        #expect(rows.count == 48)
        for (name, line) in rows {
            let setting = try #require(Appearance.properties.first { $0.name == name }, "\(name)")
            if case .color = setting.kind, let text = setting.defaultValue?.string {
                #expect(line.hasSuffix(text), "\(name): \(text)")
                #expect(Color(text) != nil, "\(name): \(text)")
            }
        }
        let attributes = Self.names(
            try self.section("Attribute Settings", "Message Timestamp Formatting"), Self.isLower)
        #expect(attributes.count == 7)
        for (name, _) in attributes { #expect(Appearance.webView.contains { $0.name == name }, "\(name)") }
    }

    @Test("every icon is a setting that names its asset")
    func icons() throws {
        let rows = try self.section("Icons", "Features").compactMap {
            $0.firstMatch(of: /"(\w+)"/).map { String($0.1) }
        }
        #expect(rows.count == 19)
        #expect(rows == Appearance.icons.map(\.name))
    }

    @Test("every type in a sample or table is a payload, an action, a file or a display type")
    func types() throws {
        let text = SharedMaterial.document ?? ""
        let known = Set(
            PayloadType.allCases.map(\.rawValue) + Action.Kind.allCases.map(\.rawValue)
                + Attachment.Kind.allCases.map(\.rawValue) + Field.Kind.allCases.map(\.rawValue))
        let samples = text.matches(of: /"(?:type|displayType)"\s*:\s*"(\w+)"/).map { String($0.1) }
        let tables = text.matches(of: /(?:message|action) type "(\w+)"/).map { String($0.1) }
        #expect(samples.count > 60 && tables.count >= 14)
        for type in Set(samples + tables) where type != "stars" { #expect(known.contains(type), "\(type)") }
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
    func functions() throws {
        let text = SharedMaterial.document ?? ""
        let names = Set(text.matches(of: /(?:func |shared\(\)\.)(\w+)\(/).map { String($0.1) })
        let own: Set = [
            "viewDidLoad", "shared", "viewControllerInstance", "showTypingIndicator", "hideTypingIndicator",
        ]
        let methods = Set(ClientVocabulary.methods.map(\.name))
        let events = Set(ClientVocabulary.events.map(\.kind.rawValue))
        let options = Set(ClientVocabulary.options.map(\.name))
        #expect(names.count > 25)
        for name in names.subtracting(own) {
            let method = Self.functions[name].map { methods.contains($0) } ?? false
            let callback = Self.callbacks[name].map { events.contains($0) || options.contains($0) } ?? false
            #expect(method || callback, "\(name)")
        }
        for name in Self.callbacks.keys { #expect(text.contains(name), "\(name)") }
    }
}
