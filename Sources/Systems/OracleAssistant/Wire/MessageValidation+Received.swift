import JSON
import Machines

/// What the message model demands of a message of the server (chapter "Message Model").
///
/// It is less than what the client demands of its own: what the vendor's builders add where it is missing, lists that
/// the platform takes though they are empty, and kinds of buttons and fields that came later are all in order.
extension MessageValidation {
    /// Returns what is wrong with a payload of the server, or nil if nothing is.
    static func problem(inReceived payload: Payload) -> String? {
        if case .unknown = payload { return nil }
        let content = payload.content
        return self.problem(in: content.members, Self.contentRules)
            ?? self.problem(inReceived: content.actions + content.globalActions)
            ?? self.ownProblem(in: payload)
    }

    /// What is wrong with the first member that is not as its rule says, or nil if all are.
    static func problem(in members: JSONObject, _ rules: [MemberRule]) -> String? {
        do throws(Misreading) { try MemberRule.check(members, rules) } catch { return error.text }
        return nil
    }

    private static func lists(_ names: String...) -> [MemberRule] { names.map { .may($0, .objects) } }

    private static let contentRules =
        Self.lists("actions", "globalActions") + ["footerForm", "channelExtensions"].map { .may($0, .object) }
        + ["headerText", "footerText"].map { .may($0, .text) }
    private static let cardRules = Self.lists("actions")
    private static let cardsRules = Self.lists("cards")
    private static let entryRules = Self.lists("fields", "formRows", "actions")
    private static let editFormRules = Self.lists("fields", "formRows")

    private static func problem(inReceived actions: [MessageAction]) -> String? {
        self.problem(in: actions) ?? actions.lazy.compactMap(self.missingMember).first
    }

    /// What an action needs for what a tap on it does.
    private static func missingMember(of action: MessageAction) -> String? {
        let name: String? =
            switch action.kind {
            case .postback: action.isGiven("postback") ? nil : "a postback"
            case .call: action.phoneNumber == nil ? "a phoneNumber" : nil
            case .url, .webview: action.url == nil ? "a url" : nil
            case .popup: action.popupContent == nil ? "a popupContent" : nil
            default: nil
            }
        return name.map { "an action of type \(action.text("type") ?? "") needs \($0)" }
    }

    private static func ownProblem(in payload: Payload) -> String? {
        switch payload {
        case .text(let message): message.words == nil ? "a text message needs a text" : nil
        case .card(let message): self.problem(inReceived: message)
        case .table(let message): self.problem(inReceived: message.members, lists: ["headings", "rows"])
        case .form(let message): self.problem(inReceived: message.members, lists: ["forms"])
        case .tableForm(let message):
            self.problem(inReceived: message.members, lists: ["headings", "rows", "forms"])
        case .editForm(let message): self.problem(inReceived: message)
        case .status(let message):
            message.status == nil ? "a status is RESPONDING or LISTENING, not \(Self.stated("status", message))" : nil
        case .textStream(let message):
            message.words == nil || message.state == nil
                ? "a stream needs a text, and a streamState start, running or end" : nil
        case .command(let message): message.command == nil ? "a command needs the member command" : nil
        case .raw(let message): message.isGiven("payload") ? nil : "a raw message needs a payload"
        case .attachment, .location, .outboundEvent, .error, .getDebugInfoCommand:
            self.contentProblem(in: payload, zeroIsMissing: false)
        default: nil
        }
    }

    static func stated(_ name: String, _ content: some WireObject) -> String {
        content.isGiven(name) ? "\(content.members[name] ?? .null)" : "missing"
    }

    private static func problem(inReceived message: CardPayload) -> String? {
        if let problem = self.problem(in: message.members, Self.cardsRules) { return problem }
        guard message.layout != nil else {
            return "the layout of cards is horizontal or vertical, not \(self.stated("layout", message))"
        }
        guard !message.cards.isEmpty else { return "a card message needs at least one card" }
        for card in message.cards {
            guard !(card.title ?? "").isEmpty else { return "a card needs a title" }
            let problem = self.problem(in: card.members, Self.cardRules)
            if let problem = problem ?? self.problem(inReceived: card.actions) { return problem }
        }
        return nil
    }

    /// Tables and forms to read.
    private static func problem(inReceived message: JSONObject, lists: [String]) -> String? {
        if let problem = self.problem(in: message, lists.map { .may($0, .objects) }) { return problem }
        for name in lists {
            guard let entries = message[name]?.array else { return "the message needs the list \(name)" }
            for entry in entries.compactMap(Row.init) {
                if let problem = self.problem(in: entry.members, Self.entryRules) { return problem }
                if name == "rows", !entry.isGiven("fields") { return "a row of a table needs the list fields" }
                if name == "headings", entry.text("label") == nil { return "a heading of a table needs a label" }
            }
        }
        return nil
    }

    private static func problem(inReceived message: EditFormPayload) -> String? {
        if let problem = self.problem(in: message.members, Self.editFormRules) { return problem }
        let fields = message.form.fields
        guard !fields.isEmpty || message.isGiven("formRows") else { return "an edit form needs fields or formRows" }
        return fields.lazy.filter { $0.kind != nil }.compactMap(self.problem(in:)).first
    }
}
