import JSON
import Machines

extension ScreenModel {
    /// A screen has room for about so many messages; what came before is above it.
    private static let messageCount = 8

    /// The screen as reports show it.
    var lines: [ScreenLine] {
        let screen = self.value
        var lines = [ScreenLine(.title, screen["title"]?.string ?? "", label: screen["view"]?.string)]
        if let text = screen["errorLabel"]?.string { lines.append(ScreenLine(.fault, text)) }
        if let text = screen["endLabel"]?.string { lines.append(ScreenLine(.text, text)) }
        for section in screen["form"]?["sections"]?.array ?? [] { lines += Self.lines(ofSection: section) }
        if let chat = screen["chat"]?.object { lines += Self.lines(ofChat: chat) }
        if screen["loading"] == true { lines.append(ScreenLine(.notice, "loading")) }
        return lines
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

    private static func lines(ofChat chat: JSONObject) -> [ScreenLine] {
        var lines = (chat["chatHistoryWebView"]?.array ?? []).suffix(Self.messageCount).map { message in
            let name = message["name"]?.string ?? ""
            let kind: ScreenLine.Kind = message["from"]?.string == "visitor" ? .own : .said
            return ScreenLine(kind, message["text"]?.string ?? "", label: name.isEmpty ? nil : name)
        }
        for outlet in ["status", "queuePositionLabel", "typingLabel"] {
            if let text = chat[outlet]?.string { lines.append(ScreenLine(.notice, text)) }
        }
        if let input = chat["inputTextView"] {
            lines.append(
                ScreenLine(.field, input["text"]?.string ?? "", label: input["placeholder"]?.string ?? ""))
        }
        for outlet in ["sendButton", "cancelChatButton", "emailChatHistoryButton", "endChatButton"] {
            if let text = chat[outlet]?.string { lines.append(ScreenLine(.button, text)) }
        }
        return lines
    }
}
