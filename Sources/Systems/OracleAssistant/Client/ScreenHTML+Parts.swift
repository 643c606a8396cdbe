import JSON
import Machines

extension ScreenHTML {
    /// The cards of a message, with arrows to move them where they lie side by side.
    func cards(_ message: JSONValue) -> String {
        let cards = message["cards"]?.array ?? []
        let title = self.style(["background": "CardBackgroundColor", "color": "CardTitleTextColor"])
        let description = self.style(["color": "CardDescriptionTextColor"])
        let drawn = cards.map { card in
            "<div class=\"card\"\(title)><h3>\(HTMLText.escape(card["title"]?.string ?? ""))</h3>"
                + "<p\(description)>\(HTMLText.escape(card["description"]?.string ?? ""))</p></div>"
        }
        .joined()
        let hasArrows = self.settings.flag("EnableArrowsForHorizontalCards")
        guard hasArrows, cards.count > 1, message["layout"] == "horizontal" else { return drawn }
        func arrow(_ side: String) -> String {
            self.button(
                side + "Arrow", nil, "odais_access_label_button_card_navigation_" + side,
                color: "CardNavigationArrowColor", background: "CardNavigationButtonColor")
        }
        return arrow("left") + drawn + arrow("right")
    }

    /// A file of a message: what it is called, and the buttons to load it or to see it larger.
    func attachment(_ attachment: JSONValue?) -> String {
        guard let attachment else { return "" }
        let name = attachment["title"]?.string ?? attachment["url"]?.string ?? ""
        let colors = [
            "background": "AttachmentBackgroundColor", "border-color": "AttachmentBorderColor",
            "color": "AttachmentTextColor",
        ]
        let isImage = attachment["type"] == "image"
        let icon = self.button(isImage ? "imageZoomButton" : "file", nil, nil, color: "AttachmentIconColor")
        let folder = self.settings.strings.text("odais_download_attachment_folder")
        let load = self.button(
            "downloadAttachmentButton", folder.isEmpty ? nil : "odais_download_attachment_folder", nil,
            color: "AttachmentIconColor")
        let player = attachment["type"] == "audio" || attachment["type"] == "video" ? self.player : ""
        return "<p class=\"attachment\"\(self.style(colors))>\(icon)\(HTMLText.escape(name))\(player)\(load)</p>"
    }

    /// The buttons of a file that can be heard.
    private var player: String {
        ["play", "pause"].map { name in
            self.button(name, nil, "odais_access_label_\(name)", color: "AttachmentIconColor")
        }
        .joined()
    }

    /// The table of a message.
    func table(_ message: JSONValue) -> String {
        guard message["rows"] != nil else { return "" }
        func cell(_ words: JSONValue?, _ alignment: JSONValue?, _ tag: String) -> String {
            let side = alignment?.string.map { " class=\"\(HTMLText.escape($0))\"" } ?? ""
            let text = words?.string ?? words.map { $0.isNull ? "" : $0.description } ?? ""
            return "<\(tag)\(side)>\(HTMLText.escape(text))</\(tag)>"
        }
        let head = (message["columns"]?.array ?? []).map { cell($0["label"], $0["alignment"], "th") }.joined()
        let body = (message["cells"]?.array ?? []).map { row in
            // A link is shown by its short words.
            let cells = (row.array ?? []).map { cell($0["link_label"] ?? $0["value"], $0["alignment"], "td") }
            return "<tr>\(cells.joined())</tr>"
        }
        .joined()
        return "<table><tr>\(head)</tr>\(body)</table>"
    }

    /// A button of a message; those of a rating are stars.
    func action(_ button: JSONValue, isRating: Bool) -> String {
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
        let icon = isRating ? " data-icon=\"\(HTMLText.escape(self.text("ratingIcon") ?? ""))\"" : ""
        return
            "<button class=\"\(HTMLText.escape(place)) \(HTMLText.escape(layout))\"\(icon)\(state)\(self.style(colors))>"
            + "\(HTMLText.escape(button["label"]?.string ?? ""))</button>"
    }

    /// The input field and what stands around it.
    func footer(_ screen: JSONValue) -> String {
        let field = self.style(["border-color": "InputFieldColor", "color": "InputFieldTextColor"])
        var html = "<footer\(self.style(["background": "FooterColor"]))>"
        if self.settings.flag("enableAttachment") {
            html += self.footerButton("attachmentButton", "odais_files", "odais_access_label_button_attach")
            html += self.shareMenu(screen["share_menu"])
        }
        html += "<textarea placeholder=\"\(HTMLText.escape(screen["placeholder"]?.string ?? ""))\"\(field)>"
        html += "\(HTMLText.escape(screen["input"]?.string ?? ""))</textarea>"
        if self.settings.flag("enableSpeechRecognition") {
            html += self.footerButton("micButton", "odais_speak_your_message", "odais_access_label_button_speak")
            html += self.visualizer(isRecording: screen["recording"]?.bool ?? false)
        }
        return html + self.footerButton("sendButton", "odais_ok", "odais_access_label_button_send") + "</footer>"
    }

    private func footerButton(_ icon: String, _ words: String, _ label: String) -> String {
        self.button(icon, words, label, color: "FooterIconsColor")
    }

    /// The menu of kinds of files, which the attachment button opens.
    private func shareMenu(_ menu: JSONValue?) -> String {
        let colors = self.style(["background": "PopupBackgroundColor", "color": "PopupTextColor"])
        let icon = self.style(["color": "PopupIconColor"])
        let items = ((menu?["items"]?.array ?? []) + (menu?["custom"]?.array ?? [])).map { item in
            "<li><i\(icon)></i>\(HTMLText.escape(item["label"]?.string ?? ""))</li>"
        }
        return "<menu class=\"popup\"\(colors)>\(items.joined())</menu>"
    }

    /// The bars that show how loud the user speaks, and the button back to the keyboard.
    private func visualizer(isRecording: Bool) -> String {
        let bars = "<span class=\"bars\"\(self.style(["color": "SpeechVisualizationColor"]))></span>"
        let cancel = "<button>\(HTMLText.escape(self.settings.strings.text("odais_speech_cancel")))</button>"
        let keyboard = self.button(
            "keyboardButton", nil, "odais_access_label_button_keyboard", color: "FooterInlineIconsColor")
        let state = isRecording ? "" : " hidden"
        let colors = self.style(["background": "SpeechVisualizerContainerBackground"])
        return "<div class=\"visualizer\"\(state)\(colors)>\(bars)\(cancel)\(keyboard)</div>"
    }

    /// The page that is open within the chat.
    func webView(_ page: JSONValue?) -> String {
        guard let page, !page.isNull else { return "" }
        func escaped(_ name: String) -> String { HTMLText.escape(page[name]?.string ?? "") }
        let header = self.style(["background": "webviewHeaderColor"])
        let title = self.style(["color": "webviewTitleColor"])
        let button = self.style(["background": "clearButtonColor", "color": "clearButtonLabelColor"])
        let icon = HTMLText.escape(self.settings.webView("clearButtonIcon")?.string ?? "")
        return "<aside class=\"webview \(escaped("size"))\"><header\(header)>"
            + "<button data-icon=\"\(icon)\" aria-label=\"\(escaped("close_label"))\"\(button)>\(escaped("close"))"
            + "</button><h2 aria-label=\"\(escaped("title_label"))\"\(title)>\(escaped("title"))</h2></header></aside>"
    }
}
