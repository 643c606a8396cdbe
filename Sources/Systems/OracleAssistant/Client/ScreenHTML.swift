import JSON
import Machines

/// Draws the chat as a fragment of HTML for reports, in the colors, words and icons of the configuration.
///
/// Everything that came from a peer is escaped; links and pictures are shown as text and never loaded.
struct ScreenHTML {
    /// The configuration, whose held settings have their effect here.
    let settings: ClientSettings

    /// Returns the fragment for a screen as the method `screen` gives it.
    func draw(_ screen: JSONValue) -> String {
        let theme = self.text("Theme") ?? "DEFAULT"
        var html = "<section class=\"oda \(HTMLText.escape(theme.lowercased()))\" dir=\""
        html +=
            "\(HTMLText.escape(screen["direction"]?.string ?? "ltr"))\"\(self.style(["background": "ChatBackgroundColor"]))>"
        html += self.header(screen["header"], isMuted: screen["muted"]?.bool ?? false)
        let begin = self.text("conversationBeginPosition") ?? "bottom"
        html += "<div class=\"messages \(HTMLText.escape(begin))\">"
        var wasHistory = false
        for message in screen["messages"]?.array ?? [] {
            let isHistory = message["history"]?.bool ?? false
            if wasHistory, !isHistory, self.settings.flag("showPrevConvStatus") { html += "<hr class=\"history\">" }
            wasHistory = isHistory
            html += self.message(message, screen["buttons"]?.array ?? [])
        }
        if screen["typing"]?.bool ?? false { html += "<p class=\"typing\">…</p>" }
        html += "</div>" + self.footer(screen) + self.webView(screen["webview"])
        return html + "</section>"
    }

    private func header(_ header: JSONValue?, isMuted: Bool) -> String {
        let style = self.style(["background": "HeaderColor", "color": "HeaderTextColor"])
        var html = "<header\(style)>" + self.headerButton("back", nil, "odais_access_label_button_back")
        if let logo = self.text("headerLogo") {
            let side = self.text("headerLogoAlignment") ?? "left"
            html += "<span class=\"logo \(HTMLText.escape(side))\">\(HTMLText.escape(logo))</span>"
        }
        html += "<h1>\(HTMLText.escape(header?["title"]?.string ?? ""))</h1>"
        if let subtitle = header?["subtitle"]?.string { html += "<p>\(HTMLText.escape(subtitle))</p>" }
        let buttons = self.headerButtons(isMuted: isMuted)
        // The document has a menu for three buttons or more.
        if buttons.count >= 3 { html += self.headerButton("overflowButton", nil, "odais_access_label_button_overflow") }
        return html + buttons.joined() + "</header>"
    }

    private func headerButtons(isMuted: Bool) -> [String] {
        var buttons: [String] = []
        if self.settings.flag("enableClearMessage") {
            buttons.append(self.headerButton("clearButton", "odais_clear_chat", "odais_access_label_button_clear"))
        }
        if self.settings.flag("enableSpeechSynthesis") {
            let state = isMuted ? "off" : "on"
            buttons.append(
                self.headerButton(
                    isMuted ? "volumeOffButton" : "volumeOnButton", isMuted ? "odais_unmute" : "odais_mute",
                    "odais_access_label_button_audio_reponse_\(state)"))
        }
        if MultiLanguage(self.settings).hasMenu {
            buttons.append(
                self.headerButton(
                    "selectLanguageButton", "odais_select_language", "odais_access_label_button_select_language"))
        }
        if self.settings.flag("enableEndConversation") {
            buttons.append(self.headerButton("closeButton", "odais_done", nil))
        }
        return buttons
    }

    private func headerButton(_ icon: String, _ words: String?, _ label: String?) -> String {
        self.button(icon, words, label, color: "HeaderIconsColor")
    }

    /// A button of the view itself: its icon, its words and what a screen reader says.
    func button(
        _ icon: String, _ words: String?, _ label: String?, color: String, background: String? = nil
    ) -> String {
        let spoken = label.map { " aria-label=\"\(HTMLText.escape(self.settings.strings.text($0)))\"" } ?? ""
        let name = self.text(icon) ?? icon
        var colors = ["color": color]
        colors["background"] = background
        return "<button data-icon=\"\(HTMLText.escape(name))\"\(spoken)\(self.style(colors))>"
            + "\(words.map { HTMLText.escape(self.settings.strings.text($0)) } ?? "")</button>"
    }

    private func message(_ message: JSONValue, _ buttons: [JSONValue]) -> String {
        let from = message["from"]?.string ?? ""
        let isUser = from == "user"
        let style = self.style(
            isUser
                ? ["background": "UserMessageColor", "color": "UserTextColor"]
                : ["background": "BotMessageColor", "color": "BotTextColor"])
        var html = message["day"]?.string.map { "<time class=\"day\">\(HTMLText.escape($0))</time>" } ?? ""
        html += "<article class=\"message \(HTMLText.escape(from))\" "
        html += "aria-label=\"\(HTMLText.escape(message["label"]?.string ?? ""))\"\(style)>"
        let icon = isUser ? "personAvatar" : from == "agent" ? "agentAvatar" : "botAvatar"
        let avatar = message["avatar"]?.string ?? self.text(icon) ?? ""
        let colors =
            from == "agent" ? ["background": "AgentAvatarBackgroundColor", "color": "AgentAvatarTextColor"] : [:]
        // What the script has set for agents wins over the configuration.
        let chosen = ["background": message["avatar_background_color"], "color": message["avatar_text_color"]]
            .compactMapValues { $0?.string }
        html += "<span class=\"avatar\"\(self.style(colors, over: chosen))>\(HTMLText.escape(avatar))</span>"
        if from == "agent", let name = message["name"]?.string {
            let chosen = message["name_text_color"]?.string.map { ["color": $0] } ?? [:]
            let style = self.style(["color": "AgentNameTextColor"], over: chosen)
            html += "<span class=\"name\"\(style)>\(HTMLText.escape(name))</span>"
        }
        for (name, tag) in [("header", "h2"), ("text", "p")] {
            if let text = message[name]?.string { html += "<\(tag)>\(HTMLText.escape(text))</\(tag)>" }
        }
        html += self.cards(message)
        html += self.table(message)
        html += self.attachment(message["attachment"])
        if let text = message["footer"]?.string { html += "<footer>\(HTMLText.escape(text))</footer>" }
        if let time = message["time"]?.string {
            html += "<time\(self.style(["color": "TimestampColor"]))>\(HTMLText.escape(time))</time>"
        }
        let own = buttons.filter { $0["number"] == message["number"] }
        html += own.map { self.action($0, isRating: message["rating"]?.bool ?? false) }.joined()
        return html + "</article>"
    }

    /// Returns what a property of the configuration holds, if it is a text.
    func text(_ name: String) -> String? { self.settings.text(name) }

    /// Returns a style attribute from properties of style sheets and the names of colors.
    ///
    /// - Parameter chosen: Colors by properties that win over the configured ones.
    func style(_ colors: [String: String], over chosen: [String: String] = [:]) -> String {
        let properties = Set(colors.keys).union(chosen.keys).sorted()
        let rules = properties.compactMap { property in
            let configured = colors[property].flatMap { self.settings.webView($0)?.string }
            return (chosen[property] ?? configured).flatMap(Color.init).map { "\(property):\($0.css)" }
        }
        return rules.isEmpty ? "" : " style=\"\(rules.joined(separator: ";"))\""
    }
}
