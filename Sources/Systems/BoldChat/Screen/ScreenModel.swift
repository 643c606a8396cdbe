import JSON

/// What a person would see: the vendor's view controller without pixels.
///
/// One view is visible, the loading view lies on top during any request, and every element is named by the vendor's
/// outlet. Texts come from the branding of the session.
struct ScreenModel {
    private let client: ClientView
    private let view: ScreenView
    private var settings: ViewSettings { self.client.settings.view }

    /// Looks at a client.
    ///
    /// - Returns: Nil before the client has begun a session.
    init?(_ client: ClientView) {
        guard let view = ScreenView(client) else { return nil }
        self.client = client
        self.view = view
    }

    /// The screen as scripts and reports read it.
    var value: JSONObject {
        var screen: JSONObject = [
            "view": .string(self.view.rawValue), "loading": .bool(Self.isLoading(self.client)),
            "template": .string(self.settings.name(.main)),
            "title": .string(Branding.title(for: self.client.record.language)),
            "direction": Branding.isRightToLeft(self.client.record.language) ? "rtl" : "ltr",
        ]
        switch self.view {
        case .error: self.put("errorLabel", .string(self.client.screen.error ?? ""), into: &screen)
        case .end: self.put("endLabel", .string(self.endText), into: &screen)
        case .preChat, .postChat, .unavailable: screen["form"] = .object(self.form)
        case .chat: screen["chat"] = .object(self.chat)
        }
        return screen
    }

    /// Whether a request is under way that hides the view.
    static func isLoading(_ client: ClientView) -> Bool {
        switch client.state {
        case .creatingChat, .sendingPreChatInfo, .sendingPostChatInfo, .sendingUnavailableInfo: return true
        default: break
        }
        switch client.chat?.state {
        case .chatStarting?, .sendingVisitorMessagesBeforeFinishing?, .finishing?, .finishingUpdateArrived?,
            .gettingUnavailableForm?:
            return true
        default: break
        }
        return client.isCalling
    }

    private func text(_ key: String) -> String {
        self.client.record.branding[key] ?? Branding.texts(for: self.client.record.language)[key] ?? key
    }

    private func put(_ outlet: String, _ value: JSONValue, into object: inout JSONObject) {
        if !self.settings.disconnected.contains(outlet) { object[outlet] = value }
    }

    // MARK: End

    /// The closing text: what was sent last decides.
    private var endText: String {
        let record = self.client.record
        if record.sent[.unavailable] != nil { return self.text("api#unavailable#emailed") }
        if let sent = record.sent[.postChat], !sent.isEmpty {
            let hasEmail = sent.contains { $0.key == "email" }
            if !hasEmail { return self.text("api#postchat#submitted") }
            return self.text(sent.count == 1 ? "api#postchat#emailed" : "api#postchat#submitted_and_emailed")
        }
        if let reason = record.unavailableReason { return self.text(reason.brandingKey) }
        return self.text("api#chat#ended")
    }

    // MARK: Forms

    private var form: JSONObject {
        guard let kind = self.view.form, let form = self.client.record[kind] else { return [:] }
        var object: JSONObject = ["kind": .string(kind.rawValue), "template": .string(self.settings.name(.form))]
        var sections: [JSONValue] = []
        for (place, fields) in Self.sections(of: form).enumerated() {
            var section: JSONObject = [:]
            if place == 0 { section["header"] = self.header(kind, form) }
            section["cells"] = .array(fields.flatMap { self.cells(for: $0, in: form) })
            if kind == .postChat, fields.first?.key == "email" {
                section["footer"] = [
                    "template": .string(self.settings.name(.postChatEmailFooter)),
                    "label": .string(self.text("api#email#transcript")),
                ]
            }
            sections.append(.object(section))
        }
        if self.settings.hasSubmitCell {
            let key = kind == .preChat ? "api#prechat#start" : kind == .postChat ? "api#postchat#done" : "api#chat#send"
            var cell: JSONObject = ["kind": "button", "template": .string(self.settings.name(.button))]
            self.put("button", .string(self.text(key)), into: &cell)
            sections.append(["cells": [.object(cell)]])
        }
        object["sections"] = .array(sections)
        return object
    }

    /// A post-chat form begins with a section of its own for the e-mail address.
    private static func sections(of form: Form) -> [[FormField]] {
        let shown = form.fields.filter(\.isShown)
        guard form.kind == .postChat, let email = shown.first(where: { $0.key == "email" }) else { return [shown] }
        let others = shown.filter { $0.key != "email" }
        return others.isEmpty ? [[email]] : [[email], others]
    }

    private func header(_ kind: FormKind, _ form: Form) -> JSONValue {
        let template: ScreenTemplate
        var key: String
        switch kind {
        case .preChat: (template, key) = (.preChatHeader, "api#prechat#intro")
        case .postChat:
            (template, key) = (.postChatHeader, "api#postchat#intro")
            // A form for nothing but the transcript has a title of its own.
            if form.fields.map(\.key) == ["email"] { key = "api#email#transcript" }
        case .unavailable: (template, key) = (.unavailableHeader, "api#unavailable#intro")
        }
        return ["template": .string(self.settings.name(template)), "label": .string(self.text(key))]
    }

    private func cells(for field: FormField, in form: Form) -> [JSONValue] {
        let state = self.client.screen
        let value = state.values[field.key] ?? field.initialValue ?? ""
        let fault: FormRules.Fault? =
            state.hasAttempted
            ? self.client.settings.profile.forms.rules.faults(in: form, values: state.values)
                .first { $0.key == field.key }?.fault : nil
        let kind = ScreenCell(field)
        var cell: JSONObject = [
            "kind": .string(kind.rawValue), "template": .string(self.settings.name(kind.template)),
            "key": .string(field.key),
        ]
        let title = field.labelBranding.flatMap { self.client.record.branding[$0] } ?? field.label ?? ""
        self.put("titleLabel", .string(title), into: &cell)
        guard kind != .label else { return [.object(cell)] }
        if kind == .selection {
            let name = field.options.first { $0.value == value }.map(self.name) ?? ""
            self.put("valueLabel", .string(name), into: &cell)
        } else {
            self.put(kind.inputOutlet, .string(value), into: &cell)
        }
        // The star rating has the label but the vendor does not use it.
        if field.isRequired, kind != .rating {
            self.put("requiredLabel", .string(self.text("api#prechat#required")), into: &cell)
        }
        self.put("missingView", .bool(fault == .missing), into: &cell)
        if kind == .email { self.put("invalidEmailView", .bool(fault == .invalidEmail), into: &cell) }
        if kind == .phone { self.put("invalidPhoneNumberView", .bool(fault == .invalidPhone), into: &cell) }
        guard kind == .selection, state.openPicker == field.key else { return [.object(cell)] }
        let options = field.options.map { option -> JSONValue in
            [
                "name": .string(self.name(option)), "value": .string(option.value),
                "selected": .bool(option.value == value),
            ]
        }
        var picker: JSONObject = [
            "kind": "picker", "template": .string(self.settings.name(.picker)), "key": .string(field.key),
        ]
        self.put("pickerView", .array(options), into: &picker)
        return [.object(cell), .object(picker)]
    }

    private func name(_ option: FormOption) -> String {
        let name = option.nameBrandingKey.flatMap { self.client.record.branding[$0] } ?? option.name
        guard option.isAvailable != nil, let label = option.availableLabel else { return name }
        return "\(name) (\(label))"
    }

    // MARK: Chat

    private var chat: JSONObject {
        var object: JSONObject = ["template": .string(self.settings.name(.chat))]
        let conversation = self.client.chat?.conversation ?? Conversation()
        let history = conversation.messages.map { message -> JSONValue in
            let name = self.displayName(message.sender)
            return [
                "from": .string(message.sender.type.rawValue), "name": .string(name), "text": .string(message.text),
                "time": message.created.map { .string($0) } ?? .null,
            ]
        }
        self.put("chatHistoryWebView", .array(history), into: &object)
        if let status = self.status(conversation) { object["status"] = .string(status) }
        let isDisturbed = self.client.link?.isDisturbed ?? false
        if !isDisturbed {
            let placeholder = self.text("api#chat#send_message")
            self.put(
                "inputTextView",
                ["text": .string(self.client.screen.input), "placeholder": .string(placeholder)], into: &object)
            self.put("sendButton", .string(self.text("api#chat#send")), into: &object)
        }
        self.put("endChatButton", .string(self.text("api#chat#end")), into: &object)
        let settings = self.client.record.windowSettings
        if settings["ShowTranscriptButton"] == nil || settings.truth("ShowTranscriptButton") {
            self.put("emailChatHistoryButton", .string(self.text("api#email#transcript")), into: &object)
        }
        if Self.canCancel(self.client) {
            self.put("cancelChatButton", .string(self.text("api#chat#unavailable_email")), into: &object)
        }
        if let position = conversation.queuePosition, position > 0, !conversation.isAnswered {
            let text = "\(self.text("api#chat#queue_position")) \(position)"
            self.put("queuePositionLabel", .string(text), into: &object)
        }
        if let typing = self.typingText(conversation) { self.put("typingLabel", .string(typing), into: &object) }
        return object
    }

    /// Whether the button that leaves the queue is shown.
    static func canCancel(_ client: ClientView) -> Bool {
        guard client.state == .chatting, let conversation = client.chat?.conversation else { return false }
        return (conversation.queuePosition ?? 0) > 0 && conversation.canCancel && !conversation.isAnswered
    }

    private func displayName(_ person: Person) -> String {
        if let name = person.name { return name }
        switch person.type {
        case .visitor: return self.text("api#generic#you")
        case .operator: return self.text("api#chat#operator")
        case .system, .undefined: return ""
        }
    }

    /// What stands in place of a first answer.
    private func status(_ conversation: Conversation) -> String? {
        if self.client.link?.isDisturbed == true { return self.text("api#chat#reconnecting") }
        if conversation.hasOperatorMessage { return nil }
        if let text = conversation.autoMessage { return text }
        if let text = conversation.systemMessage?.text { return text }
        if conversation.isAnswered { return nil }
        let isWaiting = (conversation.queuePosition ?? 0) != 0
        return self.text(isWaiting ? "api#chat#operators_busy" : "api#chat#waiting_for_operator")
    }

    private func typingText(_ conversation: Conversation) -> String? {
        let names = conversation.typing.sorted().compactMap { conversation.people[$0] }.map(self.displayName)
        guard let last = names.last else { return nil }
        guard names.count > 1 else { return "\(last) \(self.text("api#chat#is_typing"))" }
        let others = names.dropLast().joined(separator: ", ")
        return "\(others) \(self.text("api#chat#and_conjuction")) \(last) \(self.text("api#chat#are_typing"))"
    }
}
