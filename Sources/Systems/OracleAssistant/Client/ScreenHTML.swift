import JSON

/// Draws the chat as a fragment of HTML for reports, in the colors, words and icons of the configuration.
///
/// Everything that came from a peer is escaped; links and pictures are shown as text and never loaded.
struct ScreenHTML {
    /// The configuration, whose held settings have their effect here.
    let settings: ClientSettings

    /// Returns the fragment for a screen as the method `screen` gives it.
    func draw(_ screen: JSONValue) -> String {
        let theme = self.text("Theme") ?? "DEFAULT"
        var html = "<section class=\"oda \(Self.escape(theme.lowercased()))\" dir=\""
        html +=
            "\(Self.escape(screen["direction"]?.string ?? "ltr"))\"\(self.style(["background": "ChatBackgroundColor"]))>"
        html += self.header(screen["header"])
        let begin = self.text("conversationBeginPosition") ?? "bottom"
        html += "<div class=\"messages \(Self.escape(begin))\">"
        for message in screen["messages"]?.array ?? [] { html += self.message(message, screen["buttons"]?.array ?? []) }
        if screen["typing"]?.bool ?? false { html += "<p class=\"typing\">…</p>" }
        html += "</div>" + self.footer(screen)
        return html + "</section>"
    }

    private func header(_ header: JSONValue?) -> String {
        let style = self.style(["background": "HeaderColor", "color": "HeaderTextColor"])
        var html = "<header\(style)>"
        if let logo = self.text("headerLogo") {
            let side = self.text("headerLogoAlignment") ?? "left"
            html += "<span class=\"logo \(Self.escape(side))\">\(Self.escape(logo))</span>"
        }
        html += "<h1>\(Self.escape(header?["title"]?.string ?? ""))</h1>"
        if let subtitle = header?["subtitle"]?.string { html += "<p>\(Self.escape(subtitle))</p>" }
        if self.settings.flag("enableClearMessage") {
            html += self.button("clearButton", "odais_clear_chat", "odais_access_label_button_clear")
        }
        if self.settings.flag("enableSpeechSynthesis") {
            html += self.button("volumeOnButton", "odais_mute", "odais_access_label_button_audio_reponse_on")
        }
        if MultiLanguage(self.settings).hasMenu {
            html += self.button(
                "selectLanguageButton", "odais_select_language", "odais_access_label_button_select_language")
        }
        if self.settings.flag("enableEndConversation") { html += self.button("closeButton", "odais_done", nil) }
        return html + "</header>"
    }

    /// A button of the view itself: its icon, its words and what a screen reader says.
    private func button(_ icon: String, _ words: String, _ label: String?) -> String {
        let spoken = label.map { " aria-label=\"\(Self.escape(self.settings.strings.text($0)))\"" } ?? ""
        let name = self.text(icon) ?? icon
        let style = self.style(["color": "HeaderIconsColor"])
        return "<button data-icon=\"\(Self.escape(name))\"\(spoken)\(style)>"
            + "\(Self.escape(self.settings.strings.text(words)))</button>"
    }

    private func message(_ message: JSONValue, _ buttons: [JSONValue]) -> String {
        let from = message["from"]?.string ?? ""
        let isUser = from == "user"
        let style = self.style(
            isUser
                ? ["background": "UserMessageColor", "color": "UserTextColor"]
                : ["background": "BotMessageColor", "color": "BotTextColor"])
        var html = "<article class=\"message \(Self.escape(from))\" "
        html += "aria-label=\"\(Self.escape(message["label"]?.string ?? ""))\"\(style)>"
        let icon = isUser ? "personAvatar" : from == "agent" ? "agentAvatar" : "botAvatar"
        let avatar = message["avatar"]?.string ?? self.text(icon) ?? ""
        html += "<span class=\"avatar\">\(Self.escape(avatar))</span>"
        for (name, tag) in [("header", "h2"), ("text", "p")] {
            if let text = message[name]?.string { html += "<\(tag)>\(Self.escape(text))</\(tag)>" }
        }
        for card in message["cards"]?.array ?? [] {
            let colors = ["background": "CardBackgroundColor", "color": "CardTitleTextColor"]
            html += "<div class=\"card\"\(self.style(colors))><h3>\(Self.escape(card["title"]?.string ?? ""))</h3>"
            html += "<p>\(Self.escape(card["description"]?.string ?? ""))</p></div>"
        }
        html += self.table(message)
        if let attachment = message["attachment"] {
            let name = attachment["title"]?.string ?? attachment["url"]?.string ?? ""
            html += "<p class=\"attachment\">\(Self.escape(name))</p>"
        }
        if let text = message["footer"]?.string { html += "<footer>\(Self.escape(text))</footer>" }
        if let time = message["time"]?.string {
            html += "<time\(self.style(["color": "TimestampColor"]))>\(Self.escape(time))</time>"
        }
        let own = buttons.filter { $0["number"] == message["number"] }
        html += own.map { self.action($0, isRating: message["rating"]?.bool ?? false) }.joined()
        return html + "</article>"
    }

    private func table(_ message: JSONValue) -> String {
        guard let rows = message["rows"]?.array else { return "" }
        func cells(_ values: [JSONValue], _ tag: String) -> String {
            values.map { "<\(tag)>\(Self.escape($0.string ?? ($0.isNull ? "" : $0.description)))</\(tag)>" }.joined()
        }
        let head = "<tr>\(cells(message["headings"]?.array ?? [], "th"))</tr>"
        let body = rows.map { "<tr>\(cells($0.array ?? [], "td"))</tr>" }.joined()
        return "<table>\(head)\(body)</table>"
    }

    private func action(_ button: JSONValue, isRating: Bool) -> String {
        let place = button["place"]?.string ?? "local"
        let prefix = place == "card" ? "CardAction" : place == "global" ? "GlobalAction" : "Action"
        let colors =
            isRating
            ? ["color": "RatingStarColorFill", "background": "RatingStarColor"]
            : [
                "color": prefix + "LabelTextColor", "background": prefix + "ButtonColor",
                "border-color": prefix + "BorderColor",
            ]
        let layout = button["layout"]?.string ?? "horizontal"
        let state = button["enabled"]?.bool ?? true ? "" : " disabled"
        return "<button class=\"\(Self.escape(place)) \(Self.escape(layout))\"\(state)\(self.style(colors))>"
            + "\(Self.escape(button["label"]?.string ?? ""))</button>"
    }

    private func footer(_ screen: JSONValue) -> String {
        let field = self.style(["border-color": "InputFieldColor", "color": "InputFieldTextColor"])
        var html = "<footer\(self.style(["background": "FooterColor"]))>"
        if self.settings.flag("enableAttachment") {
            html += self.button("attachmentButton", "odais_files", "odais_access_label_button_attach")
        }
        html += "<textarea placeholder=\"\(Self.escape(screen["placeholder"]?.string ?? ""))\"\(field)>"
        html += "\(Self.escape(screen["input"]?.string ?? ""))</textarea>"
        if self.settings.flag("enableSpeechRecognition") {
            html += self.button("micButton", "odais_speak_your_message", "odais_access_label_button_speak")
        }
        return html + self.button("sendButton", "odais_ok", "odais_access_label_button_send") + "</footer>"
    }

    private func text(_ name: String) -> String? { self.settings.word(name) }

    /// Returns a style attribute from properties of style sheets and the names of colors.
    private func style(_ colors: [String: String]) -> String {
        let rules = colors.sorted { $0.key < $1.key }.compactMap { property, name in
            self.text(name).flatMap(Color.init).map { "\(property):\($0.css)" }
        }
        return rules.isEmpty ? "" : " style=\"\(rules.joined(separator: ";"))\""
    }

    /// Replaces what HTML gives a meaning to; control characters other than line breaks and tabs are dropped.
    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default: if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
