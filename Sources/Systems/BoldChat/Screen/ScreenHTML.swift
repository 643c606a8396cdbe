import JSON
import Machines

/// Draws a screen as a fragment of HTML for reports and for the web page of the simulated servers.
///
/// Everything that came from a peer is escaped; of an operator's HTML only plain formatting without attributes is kept.
enum ScreenHTML {
    /// Returns the fragment for a screen as ``ScreenModel/value`` gives it.
    static func draw(_ screen: JSONObject) -> String {
        let view = screen.text("view") ?? ""
        var html = "<section class=\"screen\" data-view=\"\(HTMLText.escape(view))\""
        html += " data-template=\"\(HTMLText.escape(screen.text("template") ?? ""))\""
        html += " dir=\"\(HTMLText.escape(screen.text("direction") ?? "ltr"))\">"
        html += "<h1>\(HTMLText.escape(screen.text("title") ?? ""))</h1>"
        if let text = screen["errorLabel"]?.string { html += "<p class=\"error\">\(HTMLText.escape(text))</p>" }
        if let text = screen["endLabel"]?.string { html += "<p class=\"end\">\(HTMLText.escape(text))</p>" }
        if let form = screen["form"]?.object { html += Self.draw(form: form) }
        if let chat = screen["chat"]?.object { html += Self.draw(chat: chat) }
        if screen.truth("loading") { html += "<div class=\"loading\" role=\"progressbar\"></div>" }
        return html + "</section>"
    }

    private static func draw(form: JSONObject) -> String {
        var html = "<form data-template=\"\(HTMLText.escape(form.text("template") ?? ""))\">"
        for section in form["sections"]?.array ?? [] {
            if let header = section["header"]?["label"]?.string { html += "<h2>\(HTMLText.escape(header))</h2>" }
            for cell in section["cells"]?.array ?? [] { html += Self.draw(cell: cell.object ?? [:]) }
            if let footer = section["footer"]?["label"]?.string { html += "<p>\(HTMLText.escape(footer))</p>" }
        }
        return html + "</form>"
    }

    private static func draw(cell: JSONObject) -> String {
        let kind = cell.text("kind") ?? ""
        let template = HTMLText.escape(cell.text("template") ?? "")
        var html = "<div class=\"cell \(HTMLText.escape(kind))\" data-template=\"\(template)\">"
        if let text = cell["button"]?.string { html += "<button>\(HTMLText.escape(text))</button>" }
        if let title = cell["titleLabel"]?.string { html += "<label>\(HTMLText.escape(title))</label>" }
        if let text = cell["textField"]?.string { html += "<input value=\"\(HTMLText.escape(text))\">" }
        if let text = cell["textView"]?.string { html += "<textarea>\(HTMLText.escape(text))</textarea>" }
        if let text = cell["valueLabel"]?.string { html += "<output>\(HTMLText.escape(text))</output>" }
        if let stars = cell["starRatingView"]?.string {
            let count = min(max(Int(stars) ?? 0, 0), 5)
            html += "<span class=\"stars\">\(String(repeating: "★", count: count))"
            html += "\(String(repeating: "☆", count: 5 - count))</span>"
        }
        for option in cell["pickerView"]?.array ?? [] {
            let mark = option["selected"] == true ? " aria-selected=\"true\"" : ""
            html += "<span role=\"option\"\(mark)>\(HTMLText.escape(option["name"]?.string ?? ""))</span>"
        }
        if let text = cell["requiredLabel"]?.string { html += "<em>\(HTMLText.escape(text))</em>" }
        for outlet in ["missingView", "invalidEmailView", "invalidPhoneNumberView"] where cell.truth(outlet) {
            html += "<strong class=\"\(outlet)\">!</strong>"
        }
        return html + "</div>"
    }

    private static func draw(chat: JSONObject) -> String {
        var html = "<div class=\"chat\" data-template=\"\(HTMLText.escape(chat.text("template") ?? ""))\">"
        for message in chat["chatHistoryWebView"]?.array ?? [] {
            let from = message["from"]?.string ?? ""
            let text = message["text"]?.string ?? ""
            html +=
                "<p class=\"message \(HTMLText.escape(from))\"><b>\(HTMLText.escape(message["name"]?.string ?? ""))</b> "
            html += "\(from == "operator" ? Self.formatted(text) : HTMLText.escape(text))</p>"
        }
        for (name, style) in [("status", "status"), ("queuePositionLabel", "queue"), ("typingLabel", "typing")] {
            if let text = chat[name]?.string { html += "<p class=\"\(style)\">\(HTMLText.escape(text))</p>" }
        }
        if let input = chat["inputTextView"]?.object {
            let placeholder = HTMLText.escape(input.text("placeholder") ?? "")
            html += "<textarea placeholder=\"\(placeholder)\">\(HTMLText.escape(input.text("text") ?? ""))</textarea>"
        }
        for name in ["sendButton", "cancelChatButton", "emailChatHistoryButton", "endChatButton"] {
            if let text = chat[name]?.string { html += "<button class=\"\(name)\">\(HTMLText.escape(text))</button>" }
        }
        return html + "</div>"
    }

    private static let kept = ["b", "i", "u", "em", "strong", "p", "ul", "ol", "li"]

    /// Escapes an operator's HTML and lets plain formatting through: bare tags of a short list, closed where left open.
    static func formatted(_ text: String) -> String {
        var result = ""
        var open: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            result += HTMLText.escape(String(rest[..<start]))
            let tail = rest[rest.index(after: start)...]
            guard let end = tail.firstIndex(of: ">") else {
                rest = rest[start...]
                break
            }
            let tag = tail[..<end].lowercased()
            rest = tail[tail.index(after: end)...]
            if tag == "br" || tag == "br/" || tag == "br /" {
                result += "<br>"
            } else if Self.kept.contains(tag), open.count < 50 {
                open.append(tag)
                result += "<\(tag)>"
            } else if tag.hasPrefix("/"), open.last == String(tag.dropFirst()) {
                open.removeLast()
                result += "<\(tag)>"
            } else {
                result += HTMLText.escape("<\(tail[..<end])>")
            }
        }
        result += HTMLText.escape(String(rest))
        return result + open.reversed().map { "</\($0)>" }.joined()
    }
}
