import JSON

/// The chat as a view would show it, put together from what the parts of a client know.
struct ChatView {
    let settings: ClientSettings
    let status: ConnectionStatus
    let view: ViewPart
    /// What stands in the input field.
    let input: String
    let isRecording: Bool
    let isMuted: Bool
    let shareMenu: JSONValue

    /// The fields as scripts read them.
    var fields: JSONValue {
        [
            "header": self.header, "messages": self.messages, "buttons": self.buttons,
            "typing": .bool(self.view.indicator.isShown), "input": .string(self.input),
            "placeholder": .string(
                self.settings.words(self.isRecording ? "odais_speak_your_message" : "odais_type_your_message")),
            "direction": .string(self.settings.flag("IsRTL") ? "rtl" : "ltr"),
            "recording": .bool(self.isRecording), "muted": .bool(self.isMuted),
            "share_menu": self.shareMenu, "webview": self.view.page.map { .object($0) } ?? .null,
        ]
    }

    private var labels: AccessibilityLabels { AccessibilityLabels(strings: self.settings.strings) }

    private var header: JSONValue {
        let subtitle = self.settings.words("odais_subtitle")
        var header: JSONObject = ["title": .string(self.settings.title)]
        if !subtitle.isEmpty {
            header["subtitle"] = .string(subtitle)
        } else if self.settings.flag("showConnectionStatus") {
            header["subtitle"] = .string(self.settings.words(self.status.stringKey))
        }
        let label = self.labels.header(title: self.settings.title, status: header["subtitle"]?.string)
        header["label"] = .string(label)
        return .object(header)
    }

    private var messages: JSONValue {
        let last = self.view.screen.items.last?.number
        var previous: Screen.Item?
        let messages = self.view.screen.items.map { item -> JSONValue in
            defer { previous = item }
            var fields: JSONObject = ["number": .integer(item.number), "from": .string(item.origin.rawValue)]
            fields = fields.merging(MessageFields.fields(of: item.payload))
            fields["label"] = .string(self.labels.label(of: item.payload, isUser: item.origin == .user))
            fields = fields.merging(
                self.view.timestamps.screenFields(of: item, after: previous, isLatest: item.number == last))
            if item.isHistory { fields["history"] = true }
            if item.origin == .agent, let agent = self.view.speaker.details {
                // Initials stand in where neither the agent nor the configuration has a picture.
                let configured = self.settings.text("agentAvatar").flatMap { $0 == "agentAvatar" ? nil : $0 }
                fields["avatar"] = .string(agent.avatarImage ?? configured ?? agent.initials)
                fields["name"] = agent.name.map { .string($0) }
                for name in ["nameTextColor", "avatarTextColor", "avatarBackgroundColor"] {
                    if let color = agent.members[name]?.string { fields[Setting.scriptName(name)] = .string(color) }
                }
            } else if item.origin == .user, let personAvatar = self.view.personAvatar {
                fields["avatar"] = .string(personAvatar)
            }
            return .object(fields)
        }
        return .array(messages)
    }

    private var buttons: JSONValue {
        let layout = self.settings.values["actionsLayout"]
        let buttons = self.view.screen.buttons.map { button -> JSONValue in
            let obstacle = self.view.actions.obstacle(to: button, isConnected: self.status == .open)
            var fields: JSONObject = [
                "label": .string(button.action.label ?? ""), "number": .integer(button.number),
                "enabled": .bool(obstacle == nil), "place": .string(button.place),
                "layout": layout?[button.place] ?? "horizontal",
            ]
            fields["card"] = button.card.map { .string($0) }
            return .object(fields)
        }
        return .array(buttons)
    }
}
