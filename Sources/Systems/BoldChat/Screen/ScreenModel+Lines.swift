import JSON
import Machines

extension ScreenModel {
    /// A screen has room for about so many messages; what came before is above it.
    private static let messageCount = 8

    /// The screen as reports show it.
    ///
    /// The chat is not made a value first: it is looked at after each event, and mostly nothing has changed.
    var lines: [ScreenLine] {
        var lines = [ScreenLine(.title, self.title, label: self.view.rawValue)]
        if self.shown.showsView { self.addView(to: &lines) }
        if self.shown.isCovered { lines.append(ScreenLine(.notice, "loading")) }
        return lines
    }

    private func addView(to lines: inout [ScreenLine]) {
        switch self.view {
        case .error:
            if self.connects(.errorLabel, of: .main) { lines.append(ScreenLine(.fault, self.errorText)) }
        case .end:
            if self.connects(.endLabel, of: .main) { lines.append(ScreenLine(.text, self.endText)) }
        case .preChat, .postChat, .unavailable:
            for section in self.form["sections"]?.array ?? [] { lines += Self.lines(ofSection: section) }
        case .chat: self.addChat(to: &lines)
        }
    }

    private static func lines(ofSection section: JSONValue) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        if let text = section["header"]?["label"]?.string { lines.append(ScreenLine(.heading, text)) }
        for cell in section["cells"]?.array ?? [] { lines += Self.lines(ofCell: cell) }
        if let text = section["footer"]?["label"]?.string { lines.append(ScreenLine(.text, text)) }
        return lines
    }

    private static func lines(ofCell cell: JSONValue) -> [ScreenLine] {
        if let text = cell["button"]?.string { return [ScreenLine(.button, text)] }
        if let options = cell["pickerView"]?.array {
            return options.map {
                ScreenLine(.button, ($0["selected"] == true ? "● " : "○ ") + ($0["name"]?.string ?? ""))
            }
        }
        let title = cell["titleLabel"]?.string ?? cell["key"]?.string ?? ""
        let inputs = ["textField", "textView", "valueLabel", "starRatingView"]
        guard let value = inputs.lazy.compactMap({ cell[$0]?.string }).first else { return [ScreenLine(.text, title)] }
        var lines = [ScreenLine(.field, value, label: title + (cell["requiredLabel"] == nil ? "" : " *"))]
        for (outlet, text) in [
            ("missingView", "missing"), ("invalidEmailView", "no e-mail address"),
            ("invalidPhoneNumberView", "no telephone number"),
        ] where cell[outlet] == true {
            lines.append(ScreenLine(.fault, text))
        }
        return lines
    }

    private func addChat(to lines: inout [ScreenLine]) {
        let conversation = self.conversation
        if self.connects(.chatHistoryWebView, of: .chat) {
            for message in conversation.messages.suffix(Self.messageCount) {
                let name = self.displayName(message.sender)
                let kind: ScreenLine.Kind = message.sender.type == .visitor ? .own : .said
                lines.append(ScreenLine(kind, message.text, label: name.isEmpty ? nil : name))
            }
        }
        if let status = self.status(conversation) { lines.append(ScreenLine(.notice, status)) }
        if self.connects(.queuePositionLabel, of: .chat), let text = self.queueText(conversation) {
            lines.append(ScreenLine(.notice, text))
        }
        if self.connects(.typingLabel, of: .chat), let text = self.typingText(conversation) {
            lines.append(ScreenLine(.notice, text))
        }
        if self.shown.controls.contains(.inputTextView) {
            lines.append(ScreenLine(.field, self.client.screen.input, label: self.placeholder))
        }
        for button in [ScreenControl.sendButton, .cancelChatButton, .emailChatHistoryButton, .endChatButton]
        where self.shown.controls.contains(button) {
            lines.append(ScreenLine(.button, self.caption(of: button)))
        }
    }
}
