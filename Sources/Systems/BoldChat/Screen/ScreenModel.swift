import JSON

/// What a person would see: the vendor's view controller without pixels.
///
/// One view is visible, the loading view lies on top during any request, and every element is named by the vendor's
/// outlet. Texts come from the branding of the session.
struct ScreenModel {
    let client: ClientView
    let view: ScreenView
    let shown: ShownControls
    private var settings: ViewSettings { self.client.settings.view }

    /// Looks at a client.
    ///
    /// - Returns: Nil before the client has begun a session.
    init?(_ client: ClientView) {
        guard let view = ScreenView(client) else { return nil }
        self.client = client
        self.view = view
        self.shown = ShownControls(client, view)
    }

    /// The screen as scripts and reports read it.
    var value: JSONObject {
        var screen: JSONObject = [
            "view": .string(self.view.rawValue), "loading": .bool(self.shown.isCovered),
            "template": .string(self.settings.name(.main)),
            "title": .string(self.title),
            "direction": Branding.isRightToLeft(self.client.record.language) ? "rtl" : "ltr",
        ]
        if self.shown.isCovered { self.put(.loadingActivityIndicator, true, of: .main, into: &screen) }
        self.putButton(.mainExternalActionButton, into: &screen)
        guard self.shown.showsView else { return screen }
        switch self.view {
        case .error:
            self.put(.errorLabel, .string(self.errorText), of: .main, into: &screen)
            self.putButton(.errorExternalActionButton, into: &screen)
        case .end:
            self.put(.endLabel, .string(self.endText), of: .main, into: &screen)
            self.putButton(.endExternalActionButton, into: &screen)
        case .preChat, .postChat, .unavailable: screen["form"] = .object(self.form)
        case .chat: screen["chat"] = .object(self.chat)
        }
        return screen
    }

    /// What stands above the view.
    var title: String { Branding.title(for: self.client.record.language) }

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

    /// The text of a key, from the branding of the session or, where that has none, the framework's own.
    func text(_ key: String) -> String {
        self.client.record.branding[key] ?? Branding.texts(for: self.client.record.language)[key] ?? key
    }

    /// Whether what belongs on an outlet is shown.
    func connects(_ outlet: ScreenOutlet, of template: ScreenTemplate) -> Bool {
        self.settings.connects(outlet, of: template)
    }

    private func put(
        _ outlet: ScreenOutlet, _ value: JSONValue, of template: ScreenTemplate, into object: inout JSONObject
    ) {
        if self.connects(outlet, of: template) { object[outlet.rawValue] = value }
    }

    /// Puts a control in if it is shown; a button of the application has no text of the framework's.
    private func putButton(
        _ control: ScreenControl, _ value: @autoclosure () -> JSONValue = true, into object: inout JSONObject
    ) {
        if self.shown.controls.contains(control) { object[control.rawValue] = value() }
    }

    // MARK: Error and end

    var errorText: String { self.client.screen.error ?? "" }

    /// The closing text: what was sent last decides.
    var endText: String {
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

    /// The form of the view; empty if it has none.
    var form: JSONObject {
        guard let kind = self.view.form, let form = self.client.record[kind] else { return [:] }
        var object: JSONObject = ["kind": .string(kind.rawValue), "template": .string(self.settings.name(.form))]
        var sections: [JSONValue] = []
        for (place, cells) in self.sections(of: kind).enumerated() {
            var section: JSONObject = [:]
            if place == 0 { section["header"] = self.header(kind, form) }
            section["cells"] = .array(cells.flatMap { self.cells(for: $0, in: form) })
            if kind == .postChat, cells.first?.field.key == "email" {
                section["footer"] = self.caption(.postChatEmailFooter, self.text("api#email#transcript"))
            }
            sections.append(.object(section))
        }
        if self.shown.controls.contains(.button) {
            let key = kind == .preChat ? "api#prechat#start" : kind == .postChat ? "api#postchat#done" : "api#chat#send"
            let cell: JSONObject = [
                "kind": "button", "template": .string(self.settings.name(.button)), "button": .string(self.text(key)),
            ]
            sections.append(["cells": [.object(cell)]])
        }
        if self.settings.connects(.tableView, of: .form) { object["sections"] = .array(sections) }
        return object
    }

    /// A post-chat form begins with a section of its own for the e-mail address.
    private func sections(of kind: FormKind) -> [[ShownControls.Cell]] {
        let shown = self.shown.cells
        guard kind == .postChat, let email = shown.first(where: { $0.field.key == "email" }) else { return [shown] }
        let others = shown.filter { $0.field.key != "email" }
        return others.isEmpty ? [[email]] : [[email], others]
    }

    private func header(_ kind: FormKind, _ form: Form) -> JSONValue? {
        switch kind {
        case .preChat: return self.caption(.preChatHeader, self.text("api#prechat#intro"))
        case .postChat:
            // A form for nothing but the transcript has a title of its own.
            let isTranscript = form.fields.map(\.key) == ["email"]
            return self.caption(
                .postChatHeader, self.text(isTranscript ? "api#email#transcript" : "api#postchat#intro"))
        case .unavailable: return self.caption(.unavailableHeader, self.text("api#unavailable#intro"))
        }
    }

    private func caption(_ template: ScreenTemplate, _ text: String) -> JSONValue? {
        guard self.settings.connects(.cell, of: template) else { return nil }
        var object: JSONObject = ["template": .string(self.settings.name(template))]
        self.put(.label, .string(text), of: template, into: &object)
        return .object(object)
    }

    private func cells(for shown: ShownControls.Cell, in form: Form) -> [JSONValue] {
        let (field, kind) = (shown.field, shown.kind)
        let entries = self.client.screen.entries(of: self.client)
        let value = entries.values[field.key] ?? field.initialValue ?? ""
        var cell: JSONObject = [
            "kind": .string(kind.rawValue), "template": .string(self.settings.name(kind.template)),
            "key": .string(field.key),
        ]
        let title = field.labelBranding.flatMap { self.client.record.branding[$0] } ?? field.label ?? ""
        self.put(.titleLabel, .string(title), of: kind.template, into: &cell)
        guard kind != .label else { return [.object(cell)] }
        self.put(kind.inputOutlet, self.content(of: kind, field, value), of: kind.template, into: &cell)
        // The star rating has the label but the vendor does not use it.
        if field.isRequired, kind != .rating {
            self.put(.requiredLabel, .string(self.text("api#prechat#required")), of: kind.template, into: &cell)
        }
        // What is missing is marked after an attempt to submit, what is wrong as soon as it stands there.
        let fault = self.client.settings.profile.forms.rules.faults(in: form, values: entries.values)
            .first { $0.key == field.key }?.fault
        let isMissing = entries.hasAttempted && (fault == .missing || fault == .invalidRating)
        self.put(.missingView, .bool(isMissing), of: kind.template, into: &cell)
        if kind == .email { self.put(.invalidEmailView, .bool(fault == .invalidEmail), of: .email, into: &cell) }
        if kind == .phone { self.put(.invalidPhoneNumberView, .bool(fault == .invalidPhone), of: .phone, into: &cell) }
        guard kind == .selection, entries.openPicker == field.key, self.settings.connects(.cell, of: .picker) else {
            return [.object(cell)]
        }
        return [.object(cell), self.picker(field, value)]
    }

    private func content(of kind: ScreenCell, _ field: FormField, _ value: String) -> JSONValue {
        switch kind {
        case .selection: .string(field.options.first { $0.value == value }.map(self.name) ?? "")
        // There are stars from one to five; any other value shows none.
        case .rating: .string(FormRules.stars.contains(value) ? value : "")
        case .singleLine, .email, .phone, .multiLine, .label: .string(value)
        }
    }

    private func picker(_ field: FormField, _ value: String) -> JSONValue {
        let options = field.options.map { option -> JSONValue in
            [
                "name": .string(self.name(option)), "value": .string(option.value),
                "selected": .bool(option.value == value),
            ]
        }
        var picker: JSONObject = [
            "kind": "picker", "template": .string(self.settings.name(.picker)), "key": .string(field.key),
        ]
        self.put(.pickerView, .array(options), of: .picker, into: &picker)
        return .object(picker)
    }

    private func name(_ option: FormOption) -> String {
        let name = option.nameBrandingKey.flatMap { self.client.record.branding[$0] } ?? option.name
        guard option.isAvailable != nil, let label = option.availableLabel else { return name }
        return "\(name) (\(label))"
    }

    // MARK: Chat

    /// The conversation of the chat, without anything in it before there is a chat.
    var conversation: Conversation { self.client.chat?.conversation ?? Conversation() }

    private var chat: JSONObject {
        var object: JSONObject = ["template": .string(self.settings.name(.chat))]
        let conversation = self.conversation
        let history = conversation.messages.map { message -> JSONValue in
            let name = self.displayName(message.sender)
            return [
                "from": .string(message.sender.type.rawValue), "name": .string(name), "text": .string(message.text),
                "time": message.created.map { .string($0) } ?? .null,
            ]
        }
        self.put(.chatHistoryWebView, .array(history), of: .chat, into: &object)
        for holder in [ScreenOutlet.chatHistoryWebViewHolderView, .inputHolderView] {
            self.put(holder, true, of: .chat, into: &object)
        }
        if let page = self.settings.historyPage { object[ViewSettings.historyPageSetting] = .string(page) }
        if let status = self.status(conversation) { object["status"] = .string(status) }
        self.putButton(.inputTextView, self.input, into: &object)
        for button in [ScreenControl.sendButton, .endChatButton, .emailChatHistoryButton, .cancelChatButton] {
            self.putButton(button, .string(self.caption(of: button)), into: &object)
        }
        self.putButton(.chatExternalActionButton, into: &object)
        self.putButton(.emailAlert, .string(self.client.screen.emailAlert ?? ""), into: &object)
        for button in [ScreenControl.emailAlertSend, .emailAlertCancel] {
            self.putButton(button, .string(self.caption(of: button)), into: &object)
        }
        if let text = self.queueText(conversation) {
            self.put(.queuePositionLabel, .string(text), of: .chat, into: &object)
        }
        if let typing = self.typingText(conversation) {
            self.put(.typingLabel, .string(typing), of: .chat, into: &object)
        }
        return object
    }

    private var input: JSONValue {
        ["text": .string(self.client.screen.input), "placeholder": .string(self.placeholder)]
    }

    /// What stands in the input while nothing is typed.
    var placeholder: String { self.text("api#chat#send_message") }

    /// The text on a button of the chat; empty if the framework has none.
    func caption(of button: ScreenControl) -> String { button.brandingKey.map(self.text) ?? "" }

    /// Whether the button that leaves the queue is shown.
    static func canCancel(_ client: ClientView) -> Bool {
        guard client.state == .chatting, let conversation = client.chat?.conversation else { return false }
        return (conversation.queuePosition ?? 0) > 0 && conversation.canCancel && !conversation.isAnswered
    }

    /// The name of a person as the history shows it; empty for nobody in particular.
    func displayName(_ person: Person) -> String {
        if let name = person.name { return name }
        switch person.type {
        case .visitor: return self.text("api#generic#you")
        case .operator: return self.text("api#chat#operator")
        case .system, .undefined: return ""
        }
    }

    /// What stands in place of a first answer.
    func status(_ conversation: Conversation) -> String? {
        if self.client.link?.isDisturbed == true { return self.text("api#chat#reconnecting") }
        if conversation.hasOperatorMessage { return nil }
        if let text = conversation.autoMessage { return text }
        if let text = conversation.systemMessage?.text { return text }
        if conversation.isAnswered { return nil }
        let isWaiting = (conversation.queuePosition ?? 0) != 0
        return self.text(isWaiting ? "api#chat#operators_busy" : "api#chat#waiting_for_operator")
    }

    /// The place in the queue.
    func queueText(_ conversation: Conversation) -> String? {
        guard let position = conversation.queuePosition, position > 0, !conversation.isAnswered else { return nil }
        return "\(self.text("api#chat#queue_position")) \(position)"
    }

    /// Who types.
    func typingText(_ conversation: Conversation) -> String? {
        let names = conversation.typing.sorted().compactMap { conversation.people[$0] }.map(self.displayName)
        guard let last = names.last else { return nil }
        guard names.count > 1 else { return "\(last) \(self.text("api#chat#is_typing"))" }
        let others = names.dropLast().joined(separator: ", ")
        return "\(others) \(self.text("api#chat#and_conjuction")) \(last) \(self.text("api#chat#are_typing"))"
    }
}
