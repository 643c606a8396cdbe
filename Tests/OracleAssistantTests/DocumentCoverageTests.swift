import JSON
import Machines
import Testing

@testable import OracleAssistant

/// Whatever the vendor's document names must be implemented here or be held on purpose.
@Suite(
    "Coverage of the vendor's document",
    .enabled(if: SharedMaterial.folder != nil, Comment(rawValue: SharedMaterial.skipReason)))
struct DocumentCoverageTests {
    private let text: String
    private let lines: [Substring]

    init() throws {
        self.text = try #require(
            SharedMaterial.document, "../shared is there, but has no seeds/001_….txt, the vendor's document")
        self.lines = self.text.split(separator: "\n", omittingEmptySubsequences: true)
    }

    /// The lines between two lines of the document.
    private func section(_ start: String, _ end: String) throws -> ArraySlice<Substring> {
        let first = try #require(self.lines.firstIndex { $0 == start }, "the document has no line \"\(start)\"")
        let last = try #require(
            self.lines[(first + 1)...].firstIndex { $0.hasPrefix(end) },
            "the document has no line that begins with \"\(end)\" after \"\(start)\"")
        return self.lines[(first + 1)..<last]
    }

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
        self.expectNone(
            missing: names.filter { name in !NetworkProperties.all.contains { $0.name == name } },
            in: "NetworkProperties.all")
    }

    @Test("every feature flag is a setting, and so is every flag that the chapters mention")
    func flags() throws {
        let names = Self.names(try self.section("Feature Flags", "Strings"), Self.isLower).map(\.0)
        #expect(Set(names).count == 31)
        self.expectNone(
            missing: names.filter { name in !Self.settings.contains { $0.name == name } }, in: "FeatureFlags.all")
        let mentioned = self.text.matches(
            of: /(?:botsConfiguration\.|Feature flag: |Functionality configuration: )([a-z]\w+)/)
        #expect(mentioned.count > 15)
        self.expectNone(
            missing: mentioned.map { String($0.1) }.filter { !Self.knows($0) },
            in: "FeatureFlags.all, as a flag or an alias")
    }

    @Test("every string key is in the table, with the document's default")
    func strings() throws {
        let rows = Self.names(try self.section("Strings", "UI Properties and Colors"), Self.isLower)
        #expect(rows.count == StringTable.entries.count)
        self.expectNone(
            missing: rows.map(\.0).filter { StringTable.defaults[$0] == nil }, in: "StringTable.entries")
        let others = rows.compactMap { key, line in
            StringTable.defaults[key].flatMap { line.hasSuffix($0) ? nil : "\"\(line)\" where it is \"\($0)\" here" }
        }
        self.expectNone(missing: others, in: "StringTable.entries")
    }

    @Test("every UI property and color is a setting, with the document's default")
    func colors() throws {
        let rows = Self.names(try self.section("UI Properties and Colors", "Icons")) {
            $0 != "You" && $0 != "Component" && ($0.contains { $0.isUppercase })
        }
        #expect(rows.count == 48)
        var (missing, others): ([String], [String]) = ([], [])
        for (name, line) in rows {
            guard let setting = Appearance.properties.first(where: { $0.name == name }) else {
                missing.append(name)
                continue
            }
            if case .color = setting.kind, let text = setting.defaultValue?.string {
                if !line.hasSuffix(text) { others.append("\"\(line)\" where it is \"\(text)\" here") }
                #expect(Color(text) != nil, "\(name) is \(text), which is no color")
            }
        }
        self.expectNone(missing: missing, in: "Appearance.properties")
        self.expectNone(missing: others, in: "Appearance.properties")
        let attributes = Self.names(
            try self.section("Attribute Settings", "Message Timestamp Formatting"), Self.isLower)
        #expect(attributes.count == 7)
        self.expectNone(
            missing: attributes.map(\.0).filter { name in !Appearance.webView.contains { $0.name == name } },
            in: "Appearance.webView")
    }

    @Test("every icon is a setting that names its asset")
    func icons() throws {
        let rows = try self.section("Icons", "Features").compactMap {
            $0.firstMatch(of: /"(\w+)"/).map { String($0.1) }
        }
        #expect(rows.count == 19)
        let icons = Appearance.icons.map(\.name)
        self.expectNone(missing: rows.filter { !icons.contains($0) }, in: "Appearance.icons")
        #expect(rows == icons, "the order is that of the document")
    }

    @Test("every type in a sample or table is a payload, an action, a file or a display type")
    func types() throws {
        let known = Set(
            PayloadType.allCases.map(\.rawValue) + MessageAction.Kind.allCases.map(\.rawValue)
                + Attachment.Kind.allCases.map(\.rawValue) + Field.Kind.allCases.map(\.rawValue))
        let samples = self.text.matches(of: /"(?:type|displayType)"\s*:\s*"(\w+)"/).map { String($0.1) }
        let tables = self.text.matches(of: /(?:message|action) type "(\w+)"/).map { String($0.1) }
        #expect(samples.count > 60 && tables.count >= 14)
        self.expectNone(
            missing: (samples + tables).filter { $0 != "stars" && !known.contains($0) },
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
    func functions() throws {
        let names = Set(self.text.matches(of: /(?:func |shared\(\)\.)(\w+)\(/).map { String($0.1) })
        let own: Set = [
            "viewDidLoad", "shared", "viewControllerInstance", "showTypingIndicator", "hideTypingIndicator",
        ]
        let methods = Set(ClientVocabulary.methods.map(\.name))
        let events = Set(ClientVocabulary.events.map(\.kind.rawValue))
        let options = Set(ClientVocabulary.options.map(\.name))
        #expect(names.count > 25)
        let missing = names.subtracting(own).filter { name in
            let method = Self.functions[name].map { methods.contains($0) } ?? false
            let callback = Self.callbacks[name].map { events.contains($0) || options.contains($0) } ?? false
            return !method && !callback
        }
        self.expectNone(missing: missing, in: "ClientVocabulary, and to the tables of this test what stands for it")
        for name in Self.callbacks.keys { #expect(self.text.contains(name), "the document has no \(name)") }
    }
}
