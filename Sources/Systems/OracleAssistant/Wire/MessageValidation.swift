import JSON

/// The rules by which the client checks what it sends and what a delegate returned, and those of the message model for
/// what comes.
enum MessageValidation {
    /// Returns what is wrong with a payload, or nil if nothing is.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - zeroIsMissing: Whether a latitude or longitude of 0 counts as missing, the vendor's web client's quirk.
    static func problem(in payload: Payload, zeroIsMissing: Bool = true) -> String? {
        let content = payload.content
        return self.problem(in: content.actions + content.globalActions)
            ?? self.contentProblem(in: payload, zeroIsMissing: zeroIsMissing)
    }

    static func contentProblem(in payload: Payload, zeroIsMissing: Bool) -> String? {
        switch payload {
        case .text(let text): (text.words ?? "").isEmpty ? "a text message needs a text that is not empty" : nil
        case .attachment(let message): self.problem(in: message.attachment)
        case .location(let message): self.problem(in: message.location, zeroIsMissing: zeroIsMissing)
        case .postback(let message):
            message.postback.map { $0.isNull } ?? true ? "a postback message needs a postback" : nil
        case .card(let message): self.problem(in: message)
        case .table(let message): self.problem(in: message.headings) ?? self.problem(in: message.rows)
        case .form(let message): self.problem(in: message.forms)
        case .tableForm(let message):
            self.problem(in: message.headings) ?? self.problem(in: message.rows) ?? self.problem(in: message.forms)
        case .editForm(let message): self.problem(in: message)
        case .textStream(let message):
            message.words == nil || message.state == nil ? "a stream needs a text and a streamState" : nil
        case .formSubmission(let message):
            message.submittedFields == nil ? "a form submission needs an object submittedFields" : nil
        case .inboundEvent(let event), .outboundEvent(let event):
            event.eventType == nil || event.eventVersion == nil || event.eventData == nil
                ? "an event needs eventType, eventVersion and eventData" : nil
        case .status(let message): message.members["status"] == nil ? "a status message needs a status" : nil
        case .command(let message): message.members["command"] == nil ? "a command needs the member command" : nil
        case .updateApplicationContextCommand(let message):
            message.context == nil || message.source == nil
                ? "a context needs a text context and a source: chatWindow, compactChat, UIWidget or skill" : nil
        case .getDebugInfoCommand(let message):
            message.infoTypes.isEmpty ? "a request for debugging data needs infoTypes" : nil
        case .error(let message): message.errorMessage == nil ? "an error needs an errorMessage" : nil
        case .closeSession, .sessionClosed: nil
        case .raw, .suggest, .executeApplicationActionCommand, .unknown:
            "a message of type \(payload.members["type"]?.string ?? "(none)") has no rule, so the client refuses it"
        }
    }

    static func problem(in actions: [MessageAction]) -> String? {
        for action in actions {
            guard action.text("type") != nil else { return "an action needs a type" }
            guard !(action.label ?? "").isEmpty || !(action.imageURL ?? "").isEmpty else {
                return "an action needs a label or an imageUrl"
            }
        }
        return nil
    }

    private static func problem(in attachment: Attachment?) -> String? {
        guard let attachment, attachment.text("type") != nil, !(attachment.url ?? "").isEmpty else {
            return "an attachment message needs an attachment with type and url"
        }
        return nil
    }

    private static func problem(in location: Location?, zeroIsMissing: Bool) -> String? {
        guard let latitude = location?.latitude, let longitude = location?.longitude,
            !zeroIsMissing || (latitude != 0 && longitude != 0)
        else { return "a location message needs a location with latitude and longitude" }
        return nil
    }

    private static func problem(in message: CardPayload) -> String? {
        guard message.text("layout") != nil, !message.cards.isEmpty else {
            return "a card message needs a layout and at least one card"
        }
        for card in message.cards {
            guard !(card.title ?? "").isEmpty else { return "a card needs a title" }
            if let problem = self.problem(in: card.actions) { return problem }
        }
        return nil
    }

    private static func problem(in headings: [Heading]) -> String? {
        headings.isEmpty || headings.contains { ($0.label ?? "").isEmpty }
            ? "a table needs at least one heading, each with a label" : nil
    }

    private static func problem(in rows: [Row]) -> String? {
        rows.isEmpty || rows.contains { $0.fields.isEmpty || !$0.fields.allSatisfy(self.isReadable) }
            ? "a table needs at least one row, each with fields of a displayType to read" : nil
    }

    private static func problem(in forms: [Form]) -> String? {
        let isWrong = forms.contains { form in
            form.formRows.isEmpty && (form.plainFields.isEmpty || !form.plainFields.allSatisfy(self.isReadable))
        }
        return forms.isEmpty || isWrong ? "a form message needs at least one form with fields or formRows" : nil
    }

    private static func problem(in message: EditFormPayload) -> String? {
        if !message.form.formRows.isEmpty { return nil }
        let fields = message.form.plainFields
        guard !fields.isEmpty, let columns = message.number("formColumns"), columns > 0 else {
            return "an edit form needs fields and formColumns, or formRows"
        }
        return fields.lazy.compactMap(self.problem(in:)).first
    }

    private static func isReadable(_ field: Field) -> Bool {
        field.kind.map { !$0.isEditable } ?? false
    }

    static func problem(in field: Field) -> String? {
        guard let kind = field.kind else { return "a field of an edit form needs a known displayType" }
        guard kind.isEditable else { return nil }
        guard let id = field.id, !id.isEmpty else { return "a field to fill in needs an id" }
        switch kind {
        case .singleSelect, .multiSelect:
            return field.options.isEmpty ? "the field \(id) needs options" : nil
        case .toggle:
            let hasValues = ["valueOn", "valueOff"].allSatisfy { !(field.text($0) ?? "").isEmpty }
            return hasValues ? nil : "the field \(id) needs valueOn and valueOff"
        default: return nil
        }
    }
}
