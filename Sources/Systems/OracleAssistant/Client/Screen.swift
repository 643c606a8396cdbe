import JSON

/// The messages that a chat view would show, oldest first, with the buttons that can still be tapped.
struct Screen: Sendable {
    /// Who a message comes from.
    enum Origin: String, Sendable {
        case bot, agent, user
        /// The client itself, in place of a silent skill.
        case client
    }

    /// One message on the screen.
    struct Item: Sendable {
        /// The place in the conversation, from 1; never used twice.
        let number: Int64
        var payload: Payload
        let origin: Origin
        /// When it was shown, in milliseconds since 1970 UTC.
        let date: Int64
        /// Whether the user has answered since, so that its actions may be unusable.
        var isPast = false
        /// Whether it comes from an earlier session.
        var isHistory = false
        /// Whether it is shown only, for the history that had it was cleared.
        var isForgotten = false
        /// What came over the wire, if it did.
        var envelope: JSONObject?
    }

    /// A button and where it stands.
    struct Button: Sendable {
        let action: MessageAction
        let number: Int64
        let isPast: Bool
        /// The title of the card it stands on.
        var card: String?
        /// `local`, `global`, `card` or `form`, as the vendor's layout of actions tells them apart.
        let place: String
    }

    /// A form to fill in.
    struct EditForm: Sendable {
        /// The message that shows it.
        let number: Int64
        let form: EditFormPayload
        let isPast: Bool
    }

    /// The messages, oldest first.
    private(set) var items: [Item] = []

    /// How many messages are kept.
    let limit: Int

    private var lastNumber: Int64 = 0
    /// The messages that outlive the life of the client, of each user for itself, the latest user last.
    private var stored: [(user: String, items: [Item])] = []

    /// Of how many users messages are kept.
    private static let keptUsers = 16

    /// Creates an empty screen that keeps so many messages.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds a message and returns its number.
    @discardableResult
    mutating func append(_ payload: Payload, from origin: Origin, at date: Int64, envelope: JSONObject? = nil) -> Int64
    {
        self.lastNumber += 1
        self.items.append(
            Item(number: self.lastNumber, payload: payload, origin: origin, date: date, envelope: envelope))
        if self.items.count > self.limit { self.items.removeFirst(self.items.count - self.limit) }
        return self.lastNumber
    }

    /// Shows a message of the server; returns its number, and whether it is a bubble of its own.
    mutating func show(_ envelope: Envelope, at date: Int64) -> (number: Int64, isNew: Bool) {
        let payload = envelope.payload
        let extensions = payload.content.channelExtensions
        if extensions.replacesMessage, let last = self.editForm(), self.replace(last.number, with: payload) {
            return (last.number, false)
        }
        if extensions.appendsMessage, let number = self.appendToLast(payload) { return (number, false) }
        let origin: Origin = envelope.source == .agent ? .agent : .bot
        return (self.append(payload, from: origin, at: date, envelope: envelope.members), true)
    }

    /// Adds a text to the bubble of the one before.
    private mutating func appendToLast(_ payload: Payload) -> Int64? {
        guard case .text(let text) = payload, let last = self.items.last, last.origin != .user,
            case .text(var before) = last.payload
        else { return nil }
        before.members["text"] = .string((before.words ?? "") + "\n" + (text.words ?? ""))
        return self.replace(last.number, with: .text(before)) ? last.number : nil
    }

    // MARK: Earlier sessions

    /// Keeps the messages, which are a user's, for when that user is there again.
    mutating func store(of user: String) {
        self.forgetStored(of: user)
        if self.stored.count == Self.keptUsers { self.stored.removeFirst() }
        self.stored.append((user, self.items.filter { !$0.isForgotten }))
    }

    /// Forgets the messages that were kept of a user.
    mutating func forgetStored(of user: String) { self.stored.removeAll { $0.user == user } }

    /// Forgets the messages of a user without taking those that are shown off the screen.
    mutating func clearHistory(of user: String) {
        self.forgetStored(of: user)
        for index in self.items.indices { self.items[index].isForgotten = true }
    }

    /// Shows the messages that were kept of a user; returns whether there are any.
    mutating func restore(of user: String) -> Bool {
        guard let kept = self.stored.first(where: { $0.user == user })?.items, !kept.isEmpty else { return false }
        self.items = kept.map { item in
            self.lastNumber += 1
            return Item(
                number: self.lastNumber, payload: item.payload, origin: item.origin, date: item.date, isPast: true,
                isHistory: true, envelope: item.envelope)
        }
        return true
    }

    // MARK: Changes

    /// Replaces the payload of a message that is shown; returns whether it is.
    private mutating func replace(_ number: Int64, with payload: Payload) -> Bool {
        guard let index = self.items.lastIndex(where: { $0.number == number }) else { return false }
        self.items[index].payload = payload
        self.items[index].isPast = false
        return true
    }

    /// The last edit form that is shown, or the one with that number.
    func editForm(_ number: Int64? = nil) -> EditForm? {
        for item in self.items.reversed() where number == nil || item.number == number {
            if case .editForm(let form) = item.payload {
                return EditForm(number: item.number, form: form, isPast: item.isPast)
            }
            for action in item.payload.content.actions + item.payload.content.globalActions {
                guard case .editForm(let form)? = action.popupContent else { continue }
                return EditForm(number: item.number, form: form, isPast: item.isPast)
            }
        }
        return nil
    }

    /// Makes the actions of everything that was shown so far past ones.
    mutating func markPast() {
        for index in self.items.indices.reversed() {
            if self.items[index].isPast { break }
            self.items[index].isPast = true
        }
    }

    /// Removes all messages.
    mutating func clear() { self.items = [] }

    /// All buttons, those of the latest message first.
    var buttons: [Button] { self.items.reversed().flatMap(Self.buttons) }

    private static func buttons(of item: Item) -> [Button] {
        let content = item.payload.content
        func button(_ action: MessageAction, _ place: String, card: String? = nil) -> Button {
            Button(action: action, number: item.number, isPast: item.isPast, card: card, place: place)
        }
        var result = content.actions.map { button($0, "local") }
        switch item.payload {
        case .card(let message):
            result += message.cards.flatMap { card in card.actions.map { button($0, "card", card: card.title) } }
        case .table(let message):
            result += message.rows.flatMap { self.actions(of: $0) }.map { button($0, "form") }
        case .form(let message): result += message.forms.flatMap { self.actions(of: $0) }.map { button($0, "form") }
        case .tableForm(let message):
            let rows = message.rows.flatMap { self.actions(of: $0) }
            result += (rows + message.forms.flatMap { self.actions(of: $0) }).map { button($0, "form") }
        case .editForm(let message):
            result += message.form.fields.compactMap(\.action).map { button($0, "form") }
        default: break
        }
        if let footer = content.footerForm { result += self.actions(of: footer).map { button($0, "form") } }
        return result + content.globalActions.map { button($0, "global") }
    }

    private static func actions(of row: Row) -> [MessageAction] {
        [row.selectAction].compactMap(\.self) + row.fields.compactMap(\.action)
    }

    private static func actions(of form: Form) -> [MessageAction] {
        form.actions + [form.selectAction].compactMap(\.self) + form.formRows.compactMap(\.selectAction)
            + form.fields.compactMap(\.action)
    }
}
