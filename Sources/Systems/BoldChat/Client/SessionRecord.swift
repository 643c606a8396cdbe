import JSON

/// What a client knows about its session; the values that the vendor's session object lets applications read.
struct SessionRecord: Sendable {
    /// The chat's number.
    var chatID: String?
    /// What the chat is named by in calls.
    var chatKey: String?
    /// Who the visitor is.
    var visitorID = ""
    /// The language in use.
    var language = "en-US"
    /// Where the application would go after the chat.
    var customURL: String?
    /// The department that was chosen in the pre-chat form.
    var departmentID: String?
    /// The texts of the language by their keys.
    var branding: [String: String] = [:]
    /// What the chat window may do.
    var windowSettings: JSONObject = [:]
    /// The forms of the session, as far as the server has sent them.
    private var forms: [FormKind: Form] = [:]
    /// How many forms, or pages of forms, the server has sent.
    private(set) var formNumber = 0
    /// Why no chat is possible.
    var unavailableReason: UnavailableReason?
    /// What the server says about it.
    var unavailableMessage: String?
    /// The session's own end reason, which the vendor never sets.
    var endReason: EndReason = .undefined
    /// How the chat ended, kept until the session is finished.
    var chatEnd: (reason: EndReason, time: String?)?
    /// The values that were sent with each form.
    var sent: [FormKind: [(key: String, value: String)]] = [:]

    /// The form of a kind.
    subscript(kind: FormKind) -> Form? {
        get { self.forms[kind] }
        set { self.forms[kind] = newValue }
    }

    /// Keeps a form as a generation of the client shows it, with what the application has preset.
    mutating func keep(_ kind: FormKind, _ form: Form?, profile: Profile, presets: [String: String]) {
        var form = form
        if profile.forms.showOnlyKnownFields {
            form?.fields.removeAll { !$0.isKnownType }
        } else {
            for index in form?.fields.indices ?? 0..<0 where form?.fields[index].type == .label {
                form?.fields[index].type = .text
            }
        }
        form?.preset(presets)
        self[kind] = form
        if form != nil { self.formNumber += 1 }
    }

    /// Takes over the departments that the pre-chat form offers in another language.
    mutating func take(departments: JSONObject) {
        guard var form = self[.preChat] else { return }
        for index in form.fields.indices where form.fields[index].key == departments.text("Key") {
            form.fields[index].options = departments["Options"]?.array?.compactMap(FormOption.init(wire:)) ?? []
            form.fields[index].showsDepartmentStatus = departments.truth("ShowDepartmentStatus")
        }
        self[.preChat] = form
    }

    // MARK: As events say it

    /// How the server knows the visitor and the chat.
    var identity: JSONObject {
        var identity: JSONObject = [:]
        if !self.visitorID.isEmpty { identity["visitor_id"] = .string(self.visitorID) }
        if let key = self.chatKey { identity["chat_key"] = .string(key) }
        if let id = self.chatID { identity["chat_id"] = .string(id) }
        return identity
    }

    /// Why and when the chat ended.
    var endFields: JSONObject {
        var fields: JSONObject = ["reason": .string((self.chatEnd?.reason ?? .undefined).rawValue)]
        if let time = self.chatEnd?.time { fields["time"] = .string(time) }
        return fields
    }

    /// Why the session ended.
    var conclusion: JSONObject {
        guard self.chatEnd == nil else { return self.endFields }
        return ["reason": self.unavailableReason == nil ? "error" : "unavailable"]
    }

    /// Why no chat is possible, and the form for it.
    var unavailability: JSONObject {
        var fields: JSONObject = ["reason": .string((self.unavailableReason ?? .unknown).rawValue)]
        if let message = self.unavailableMessage { fields["message"] = .string(message) }
        return fields.merging(self.formField(.unavailable))
    }

    /// A form under the name `form`, if there is one.
    func formField(_ kind: FormKind) -> JSONObject {
        guard let form = self[kind] else { return [:] }
        return ["form": form.scriptValue(branding: self.branding)]
    }
}
