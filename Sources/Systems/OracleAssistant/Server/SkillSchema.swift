import JSON
import Machines

/// What a skill may send, by the rules of the vendor's skill library, for a strict server.
enum SkillSchema {
    /// Returns what is wrong with a payload, or nil if nothing is.
    ///
    /// The library knows the types up to table forms and raw payloads; later ones are taken as they are.
    static func problem(in payload: JSONObject, isFromAgent: Bool) -> String? {
        let decoded = Payload(members: payload)
        let content = decoded.content
        for action in content.actions + content.globalActions {
            if let problem = self.problem(in: action) { return problem }
        }
        if let problem = self.problem(inKeywords: content.members["keywords"]) { return problem }
        switch decoded {
        case .text(let message):
            return (message.words ?? "").isBlank ? "text must not be blank" : nil
        case .attachment(let message):
            guard let attachment = message.attachment, attachment.kind != nil, self.isURI(attachment.url) else {
                return "an attachment needs a type (audio, file, image, video) and a URI"
            }
            return nil
        case .location(let message):
            guard let location = message.location, location.latitude != nil, location.longitude != nil else {
                return "a location needs latitude and longitude"
            }
            return location.url == nil || self.isURI(location.url) ? nil : "the url of a location is a URI"
        case .card(let message):
            guard message.members["layout"] != nil, !message.cards.isEmpty else {
                return "a card message needs a layout and a card"
            }
            if message.cards.contains(where: { ($0.title ?? "").isEmpty }) { return "a card needs a title" }
            return message.cards.lazy.flatMap(\.actions).compactMap(self.problem(in:)).first
        case .table(let message):
            return self.problem(in: message.headings) ?? self.problem(in: message.rows)
                ?? self.problem(in: message.pagination)
        case .form(let message):
            return message.formColumns == nil
                ? "a form needs formColumns" : self.problem(in: message.pagination)
        case .tableForm(let message):
            return message.formColumns == nil
                ? "a table form needs formColumns"
                : self.problem(in: message.headings) ?? self.problem(in: message.rows)
                    ?? self.problem(in: message.pagination)
        case .raw(let message): return message.payload == nil ? "a raw message needs a payload" : nil
        case .unknown: return isFromAgent ? nil : "the type is unknown"
        default: return nil
        }
    }

    /// The members of which each is for actions of one type alone.
    private static let ownMembers: [(name: String, kind: MessageAction.Kind)] = [
        ("postback", .postback), ("phoneNumber", .call), ("url", .url),
    ]

    private static func problem(in action: MessageAction) -> String? {
        if let image = action.imageURL, !self.isURI(image) { return "the imageUrl of an action is a URI" }
        if let problem = self.missingMember(of: action) { return problem }
        switch action.kind {
        case .postback, .call, .url, .location, .share:
            let strange = self.ownMembers.first { $0.kind != action.kind && action.isGiven($0.name) }
            return strange.map { "an action of type \(action.text("type") ?? "") has no \($0.name)" }
        // Of the types that came later the library's first schema says nothing.
        case .submitForm, .popup, .client, .webview, nil: return nil
        }
    }

    private static func missingMember(of action: MessageAction) -> String? {
        switch action.kind {
        case .call: action.phoneNumber == nil ? "a call needs a phoneNumber" : nil
        case .url: self.isURI(action.url) ? nil : "a url action needs a URI"
        case .postback, .location, .share, .submitForm, .popup, .client: nil
        case .webview, nil: "skills cannot send actions of type \(action.text("type") ?? "(none)")"
        }
    }

    private static func problem(in headings: [Heading]) -> String? {
        headings.contains { $0.label == nil } ? "a heading needs a label" : nil
    }

    private static func problem(in rows: [Row]) -> String? {
        rows.contains { $0.members["fields"]?.array == nil } ? "a row needs the list fields" : nil
    }

    private static func problem(inKeywords keywords: JSONValue?) -> String? {
        let areWhole = (keywords?.array ?? []).allSatisfy { $0["keywords"]?.array != nil && $0["postback"] != nil }
        return areWhole ? nil : "an entry of keywords needs the list keywords and a postback"
    }

    private static func problem(in pagination: PaginationInfo?) -> String? {
        guard let pagination else { return nil }
        guard pagination.totalCount != nil, pagination.rangeSize != nil, pagination.rangeStart != nil else {
            return "paginationInfo needs totalCount, rangeSize and rangeStart"
        }
        // The platform adds further members; a skill may not.
        let known = ["totalCount", "rangeSize", "rangeStart", "status"]
        return pagination.members.names.first { !known.contains($0) }.map {
            "a skill may not send paginationInfo.\($0)"
        }
    }

    private static func isURI(_ text: String?) -> Bool {
        guard let text, let separator = text.firstIndex(of: ":") else { return false }
        return separator > text.startIndex && !text.contains(where: \.isWhitespace)
    }
}
