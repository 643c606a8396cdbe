/// What a screen reader says of a message: who, what kind, and the words (keys `odais_access_label_…`).
struct AccessibilityLabels: Sendable {
    /// The words.
    let strings: StringTable

    /// Returns the label of a message.
    func label(of payload: Payload, isUser: Bool) -> String {
        let content = payload.content
        var parts = [self.strings.text(isUser ? "odais_access_label_user" : "odais_access_label_skill")]
        if let header = content.headerText { parts += [self.text("header_text"), header] }
        switch payload {
        case .text(let message): parts += [self.text("text_message"), message.words ?? ""]
        case .postback(let message): parts += [self.text("text_message"), message.words ?? ""]
        case .attachment(let message):
            let kind = message.attachment?.kind ?? .file
            parts += [self.text("\(kind.rawValue)_attachment"), message.attachment?.title ?? ""]
        case .location(let message):
            parts.append(self.text("location_message"))
            if let title = message.location?.title { parts.append(title) }
            if let location = message.location, let latitude = location.latitude, let longitude = location.longitude {
                parts += ["\(latitude)", "\(longitude)"]
            }
        case .card(let message):
            for card in message.cards {
                parts += [self.text("card_title"), card.title ?? ""]
                if let description = card.description { parts += [self.text("card_desc"), description] }
            }
        default: break
        }
        if let footer = content.footerText { parts += [self.text("footer_text"), footer] }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the label of a star of a rating, from 1.
    func star(_ number: Int) -> String { self.strings.text("odais_stars_rating", "\(number)") }

    /// Returns the label of the header: the title, and the status or subtitle where one is shown.
    func header(title: String, status: String?) -> String {
        let parts = [self.text("chat_title"), title] + (status.map { [self.text("chat_status"), $0] } ?? [])
        return parts.joined(separator: " ")
    }

    private func text(_ name: String) -> String { self.strings.text("odais_access_label_" + name) }
}
