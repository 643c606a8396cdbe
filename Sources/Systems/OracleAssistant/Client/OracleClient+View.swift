import JSON
import Machines

extension OracleClient {
    // MARK: What the user does with the view

    /// Does what concerns the view, the device or speech.
    mutating func perform(_ command: ViewCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .openChat:
            self.isExpanded = true
            self.markAllRead(in: &step)
            // After the end of a conversation, opening the chat begins another one.
            if self.connectsOnOpening { self.connect(in: &step) }
            self.sendFirstMessages(in: &step)
        case .minimizeChat: self.isExpanded = false
        case .markAllRead: self.markAllRead(in: &step)
        case .clearMessages:
            guard self.settings.flag("enableClearMessage") else {
                return .refused("the view has no button to clear messages (enable_clear_message is false)")
            }
            self.clear(in: &step)
        case .clearHistory(let clearsView):
            self.stored = []
            if clearsView { self.clear(in: &step) }
        case .openLink(let url, let fails): return self.openLink(url, fails: fails, in: &step)
        case .closeLink:
            guard self.page != nil else { return .refused("no page is open within the chat") }
            self.page = nil
        case .setPlace(let latitude?, let longitude?, _):
            self.place = .known(latitude: latitude, longitude: longitude)
        case .setPlace(_, _, let obstacle): self.place = obstacle == .disabled ? .disabled : .denied
        case .setPersonAvatar(let avatar): self.personAvatar = avatar
        case .setAgentDetails(let members):
            self.people.override = AgentDetails(
                members: JSONObject(
                    AgentDetails.names.compactMap { name in
                        (members[name] ?? members[Setting.scriptName(name)]).map { (name, $0) }
                    }))
        case .setShareMenu(let value):
            if let problem = ShareMenu.problem(in: value) { return .refused(problem) }
            self.shareMenu = ShareMenu(value)
        case .startRecording(let sound): return self.startRecording(sound ?? [:], in: &step)
        case .stopRecording:
            guard self.speech.isRecording else { return .refused("no recording goes on") }
            for effect in self.speech.finish() { step.ask(effect) }
        case .setSpeechLocale(let locale): self.speech.locale = locale.lowercased()
        case .speak(let text): self.speak(text, in: &step)
        case .stopSpeech: self.stopSpeech(in: &step)
        case .mute(let isMuted): self.voices.isMuted = isMuted
        }
        return .done(.null)
    }

    private mutating func markAllRead(in step: inout Step) {
        guard self.unread > 0 else { return }
        self.unread = 0
        self.emit(.unreadChanged, ["count": 0], in: &step)
    }

    // MARK: What scripts read

    /// Answers what only reads.
    func read(_ command: ReadCommand) -> CommandOutcome {
        switch command {
        case .screen: return .done(self.screenFields)
        case .screenHTML:
            return .done(.string(ScreenHTML(settings: self.settings).draw(self.screenFields)))
        case .history:
            let messages = self.screen.items.compactMap { item in
                item.envelope.map { JSONValue.object($0.merging(["date": .integer(item.date)])) }
            }
            return .done([
                "messages": .array(messages), "messagesCount": .integer(Int64(messages.count)),
                "unreadCount": .integer(Int64(self.unread)), "userId": .string(self.address.userID),
            ])
        case .setting(let name):
            let all = NetworkProperties.all + FeatureFlags.all + Appearance.properties
            let match = all.first { $0.name == name || $0.scriptName == name || $0.aliases.contains(name) }
            guard let match else {
                let near = TextDistance.suggestion(for: name, among: all.flatMap { [$0.name, $0.scriptName] })
                return .refused("there is no setting \"\(name)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
            return .done(self.settings.values[match.name] ?? .null)
        case .string(let key, let value):
            guard StringTable.defaults[key] != nil else {
                let near = TextDistance.suggestion(for: key, among: StringTable.entries.map(\.key))
                return .refused("there is no string \"\(key)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
            return .done(.string(self.words(key, value)))
        case .agentDetails: return .done(self.people.details.map { .object($0.members) } ?? .null)
        case .shareMenu: return .done(self.shareMenu.menu(self.settings.strings))
        case .isRecording: return .done(.bool(self.speech.isRecording))
        case .isSpeaking: return .done(.bool(self.voices.reading != nil))
        case .languageMenu:
            return .done(
                .array(
                    self.languages.menu.map { language in
                        [
                            "language": .string(language.tag), "label": .string(language.label),
                            "selected": .bool(language.tag == (self.language ?? MultiLanguage.undetermined)),
                        ]
                    }))
        case .downloadURL(let url): return .done(.string(self.downloadURL(url)))
        }
    }

    /// The chat as a view would show it.
    private var screenFields: JSONValue {
        let layout = self.settings.values["actionsLayout"]
        let subtitle = self.words("odais_subtitle")
        let status = self.words(self.connection.status.stringKey)
        var header: JSONObject = ["title": .string(self.settings.title)]
        if !subtitle.isEmpty {
            header["subtitle"] = .string(subtitle)
        } else if self.settings.flag("showConnectionStatus") {
            header["subtitle"] = .string(status)
        }
        let labels = AccessibilityLabels(strings: self.settings.strings)
        header["label"] = .string(labels.header(title: self.settings.title, status: header["subtitle"]?.string))
        let last = self.screen.items.last?.number
        var previous: Screen.Item?
        let messages = self.screen.items.map { item -> JSONValue in
            defer { previous = item }
            var fields: JSONObject = ["number": .integer(item.number), "from": .string(item.origin.rawValue)]
            fields = fields.merging(MessageFields.fields(of: item.payload))
            fields["label"] = .string(labels.label(of: item.payload, isUser: item.origin == .user))
            fields = fields.merging(self.screenTimes(of: item, after: previous, isLatest: item.number == last))
            if item.isHistory { fields["history"] = true }
            if item.origin == .agent, let agent = self.people.details {
                // Initials stand in where neither the agent nor the configuration has a picture.
                let configured = self.settings.word("agentAvatar").flatMap { $0 == "agentAvatar" ? nil : $0 }
                fields["avatar"] = .string(agent.avatarImage ?? configured ?? agent.initials)
                fields["name"] = agent.name.map { .string($0) }
            } else if item.origin == .user, let avatar = self.personAvatar {
                fields["avatar"] = .string(avatar)
            }
            return .object(fields)
        }
        let buttons = self.screen.buttons.map { button -> JSONValue in
            var fields: JSONObject = [
                "label": .string(button.action.label ?? ""), "number": .integer(button.number),
                "enabled": .bool(self.obstacle(to: button) == nil), "place": .string(button.place),
                "layout": layout?[button.place] ?? "horizontal",
            ]
            fields["card"] = button.card.map { .string($0) }
            return .object(fields)
        }
        return [
            "header": .object(header), "messages": .array(messages), "buttons": .array(buttons),
            "typing": .bool(self.indicator.isActive), "input": .string(self.typing.input),
            "placeholder": .string(
                self.words(self.speech.isRecording ? "odais_speak_your_message" : "odais_type_your_message")),
            "direction": .string(self.settings.flag("IsRTL") ? "rtl" : "ltr"),
            "recording": .bool(self.speech.isRecording), "muted": .bool(self.voices.isMuted),
            "share_menu": self.shareMenu.menu(self.settings.strings),
            "webview": self.page.map { .object($0) } ?? .null,
        ]
    }

    var properties: JSONObject {
        [
            "status": .string(self.connection.status.rawValue), "user_id": .string(self.address.userID),
            "channel_id": .string(self.address.channelID), "polling": .bool(self.connection.isPolling),
            "typing": .bool(self.indicator.isActive), "unread": .integer(Int64(self.unread)),
            "language": self.language.map { .string($0) } ?? .null, "input": .string(self.typing.input),
            "thread": self.thread.map { .string($0) } ?? .null,
            "agent": self.people.details?.name.map { .string($0) } ?? .null,
            "messages": .integer(Int64(self.screen.items.count)),
        ]
    }
}
