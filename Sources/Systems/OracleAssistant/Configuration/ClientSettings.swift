import JSON
import Machines

/// The whole configuration of a client, read from a script's options and checked.
struct ClientSettings: Sendable {
    /// Every property by the vendor's name, defaults included.
    private(set) var values: JSONObject

    /// The words.
    let strings: StringTable

    /// Where the chat server is and which conversation is meant; the user is empty until one is made up.
    private(set) var address: ChannelAddress

    /// Where tokens come from.
    let tokenSource: TokenSource

    /// The functions of the script that may change or drop messages.
    let delegates: Delegates

    /// Functions of a script.
    struct Delegates: Sendable {
        let beforeDisplay: ScriptFunction?
        let beforeSend: ScriptFunction?
        let beforeSendPostback: ScriptFunction?
        let beforeEndConversation: ScriptFunction?
    }

    /// The least seconds between two messages that the user types: the vendor's clients raise what is less.
    private static let leastTypingInterval = 3.0

    /// Reads the options of an actor; all that is wrong with them is said at once.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let options = configuration.options
        var problems: [String] = []
        var values = Self.values(configuration, &problems)
        let texts = Self.texts(options, &problems)
        problems += Self.problems(in: values)
        if values["url"] == nil, !configuration.origin.isEmpty {
            do throws(ConfigurationError) { _ = try configuration.serverAddress() } catch {
                problems.append(error.message)
            }
        }
        let url = values["url"]?.string ?? configuration.origin
        let tokenSource = TokenSource(
            options, token: values["authToken"]?.string, targetSecret: configuration.target["secret"]?.string)
        let needsToken = values["clientAuthEnabled"]?.bool ?? (tokenSource != .none)
        let parts = ChannelAddress.split(url)
        if parts == nil { problems.append("the URL of the chat server is empty; give url or a target") }
        if !needsToken, values["channelId"]?.string?.isEmpty ?? true {
            problems.append("channel_id is missing; give it in the options or in the target")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems.joined(separator: "; ")) }
        values["clientAuthEnabled"] = .bool(needsToken)
        if let interval = values["typingStatusInterval"]?.double, interval < Self.leastTypingInterval {
            values["typingStatusInterval"] = .double(Self.leastTypingInterval)
        }
        self.values = values
        self.strings = StringTable(replacing: texts)
        self.tokenSource = tokenSource
        self.delegates = Delegates(
            beforeDisplay: Self.function(options["before_display"]),
            beforeSend: Self.function(options["before_send"]),
            beforeSendPostback: Self.function(options["before_send_postback"]),
            beforeEndConversation: Self.function(options["before_end_conversation"]))
        self.address = ChannelAddress(
            authority: parts?.authority ?? "",
            isSecure: values["enableSecureConnection"]?.bool ?? parts?.isSecure ?? true,
            segment: values["channel"]?.string ?? "websdk",
            channelID: values["channelId"]?.string ?? "",
            userID: values["userId"]?.string ?? "",
            encodesQuery: values["encodeQuery"]?.bool ?? false)
    }

    /// Reads every property, or takes its default.
    private static func values(_ configuration: ClientConfiguration, _ problems: inout [String]) -> JSONObject {
        let options = configuration.options
        var values = JSONObject()
        for setting in NetworkProperties.all + FeatureFlags.all + Appearance.properties {
            let source = Appearance.contains(setting) ? options["ui"]?.object ?? [:] : options
            let names = Set(setting.scriptNames + [setting.name]).sorted().filter { source[$0]?.isNull == false }
            if names.count > 1 {
                problems.append("\(names.joined(separator: " and ")) are names of one setting; give one of them")
            }
            let given =
                names.first.flatMap { source[$0] }
                ?? (Appearance.contains(setting) ? nil : configuration.target[setting.scriptName])
            guard let value = given, !value.isNull else {
                values[setting.name] = setting.defaultValue
                continue
            }
            if let problem = setting.problem(with: value) { problems.append(problem) }
            values[setting.name] = value
        }
        return values
    }

    /// Returns what is wrong with properties that their own kind does not tell.
    private static func problems(in values: JSONObject) -> [String] {
        var problems: [String] = []
        if let profile = values["initUserProfile"], profile["profile"]?.object == nil {
            problems.append("init_user_profile takes { profile = { … } }")
        }
        if let problem = values["initUserHiddenMessage"]?.object.flatMap({ SendArgument.problem(in: $0) }) {
            problems.append("init_user_hidden_message: \(problem)")
        }
        if let pattern = values["timestampFormat"]?.string, let problem = DatePattern.problem(in: pattern) {
            problems.append("timestamp_format \(problem)")
        }
        if let problem = MultiLanguage.problem(in: values["multiLangChat"]) { problems.append(problem) }
        if let problem = ShareMenu.problem(in: values["sharePopupConfiguration"]) { problems.append(problem) }
        return problems + Appearance.problems(in: values)
    }

    /// Reads the texts that take the place of the client's own, by their keys.
    private static func texts(_ options: JSONObject, _ problems: inout [String]) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in options["strings"]?.object ?? [:] {
            guard StringTable.defaults[key] != nil else {
                problems.append(
                    "strings has no key \(key)\(TextDistance.hint(key, among: StringTable.entries.map(\.key)))")
                continue
            }
            texts[key] = value.string ?? value.description
        }
        return texts
    }

    private static func function(_ value: JSONValue?) -> ScriptFunction? { value?.integer.map(ScriptFunction.init) }

    /// Whether a property is set.
    func flag(_ name: String) -> Bool { self.values[name]?.bool ?? false }

    /// The time span of a property.
    func span(_ name: String) -> Duration { Duration(scriptSeconds: self.values[name]?.double ?? 0) ?? .zero }

    /// The text of a property.
    func text(_ name: String) -> String? { self.values[name]?.string }

    /// The number of a property.
    func count(_ name: String) -> Int { Int(clamping: self.values[name]?.integer ?? 0) }

    /// An attribute of the webview, given in its table or by itself.
    func webView(_ name: String) -> JSONValue? {
        let table = self.values["WebViewConfig"]?.object ?? [:]
        return table[name] ?? table[Setting.scriptName(name)] ?? self.values[name]
    }

    /// A text of the client's table.
    func words(_ key: String, _ value: String? = nil) -> String { self.strings.text(key, value) }

    /// Returns the value of a setting that a script names, in the vendor's spelling or its own.
    ///
    /// - Throws: That there is no such setting, and which one may be meant.
    func value(ofSetting name: String) throws(CommandError) -> JSONValue {
        let all = NetworkProperties.all + FeatureFlags.all + Appearance.properties
        let match = all.first { $0.name == name || $0.scriptName == name || $0.aliases.contains(name) }
        guard let match else {
            let hint = TextDistance.hint(name, among: all.flatMap { [$0.name, $0.scriptName] }, otherwise: "")
            throw CommandError("there is no setting \"\(name)\"\(hint)")
        }
        return self.values[match.name] ?? .null
    }

    /// Returns a text that a script names by its key.
    ///
    /// - Throws: That there is no such text, and which one may be meant.
    func words(ofKey key: String, _ value: String?) throws(CommandError) -> String {
        guard StringTable.defaults[key] != nil else {
            let hint = TextDistance.hint(key, among: StringTable.entries.map(\.key), otherwise: "")
            throw CommandError("there is no string \"\(key)\"\(hint)")
        }
        return self.words(key, value)
    }

    /// The version and what the script added to it, which go with messages.
    var metadata: JSONObject {
        let version: JSONObject = ["version": .string(self.text("sdkVersion") ?? "")]
        return version.merging(self.values["sdkMetadata"]?.object ?? [:])
    }

    /// Returns the message that tells news of the user.
    func profileMessage(_ profile: JSONObject) -> JSONObject {
        profile.merging(["sdkMetadata": .object(self.metadata)])
    }

    /// The title of the chat.
    var title: String { self.text("title") ?? self.strings.text("odais_chat_title") }
}
