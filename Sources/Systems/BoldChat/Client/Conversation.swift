import JSON
import Machines

/// What a client knows of a running chat: people, messages, queue; turns the server's events into the script's.
struct Conversation: Sendable {
    /// A message that was shown.
    struct Message: Hashable, Sendable {
        var id: String
        var sender: Person
        var text: String
        var originalText: String?
        var created: String?
    }

    /// Who was seen, by id.
    private(set) var people: [String: Person] = [:]
    /// Who types, by id.
    private(set) var typing: Set<String> = []
    /// The history without status texts.
    private(set) var messages: [Message] = []
    private var placeOf: [String: Int] = [:]
    /// The status texts of the system by id; they are shown in place of a history.
    private var statusTexts: [String: Message] = [:]
    /// The status text of the system, until somebody answers.
    private(set) var systemMessage: Message?
    /// The last automatic text.
    private(set) var autoMessage: String?
    /// Whether an operator has written.
    private(set) var hasOperatorMessage = false
    /// Whether an operator has accepted the chat.
    var isAnswered = false
    /// How many visitors are ahead; nil before the server said so.
    private(set) var queuePosition: Int64?
    /// Whether leaving the queue gives a form.
    private(set) var canCancel = false
    /// The number of the last message.
    private(set) var lastMessageID: Int64 = 0
    private var autoMessageCount: Int64 = 0
    /// The co-browse session that was offered last.
    private(set) var activeAssistID: String?
    /// The remote control session that was offered last.
    private(set) var remoteControlID: String?

    /// Messages and people kept; what comes later is reported but not kept, defined here.
    static let limit = 10_000

    /// Takes in an event that can be read; ``EventExamination`` says which can.
    ///
    /// - Parameter profile: Whether an event for a known message changes it, and which events are known.
    /// - Returns: What the script is told.
    mutating func receive(_ call: OSSCall, profile: Profile) -> [ChatEvent] {
        switch call.method {
        case "updateBusy": self.queueMoved(call, showsWait: profile.knowsExtras)
        case "addMessage": self.messageArrived(call, profile.messages)
        case "autoMessage": self.autoMessageArrived(call)
        case "updateTyper": self.typerChanged(call)
        default: profile.knowsExtras ? self.extraArrived(call) : []
        }
    }

    private mutating func extraArrived(_ call: OSSCall) -> [ChatEvent] {
        self.activeAssistID = call.params.text("ActiveAssistID") ?? self.activeAssistID
        self.remoteControlID = call.params.text("rcHistoryId") ?? self.remoteControlID
        return CobrowseEvents.receive(call)
    }

    private mutating func queueMoved(_ call: OSSCall, showsWait: Bool) -> [ChatEvent] {
        let position = call.params.integer("Position") ?? -1
        self.queuePosition = position
        self.canCancel = call.params.truth("UnavailableFormEnabled")
        guard !self.hasOperatorMessage else { return [] }
        var fields: JSONObject = [
            "position": .integer(position),
            "unavailable_form_available": .bool(self.canCancel),
        ]
        if showsWait, call.params.truth("ShowWaitTime") {
            fields["wait_time"] = .integer(call.params.integer("WaitTime") ?? 0)
            fields["wait_time_unit"] = .string(call.params.text("WaitTimeUnit") ?? "")
        }
        return [ChatEvent(.queue, fields, raw: call.raw)]
    }

    private mutating func autoMessageArrived(_ call: OSSCall) -> [ChatEvent] {
        let text = call.params.text("Text") ?? ""
        self.autoMessage = text
        self.autoMessageCount += 1
        return [
            ChatEvent(
                .autoMessage, ["id": .string("auto-\(self.autoMessageCount)"), "text": .string(text)], raw: call.raw)
        ]
    }

    private mutating func messageArrived(_ call: OSSCall, _ habits: MessageHabits) -> [ChatEvent] {
        guard let id = call.params.text("MessageID") else { return [] }
        self.lastMessageID = Int64(id) ?? self.lastMessageID
        let values = call.params["Values"]?.object ?? [:]
        if let former = self.known(id) {
            guard habits.areUpdated else { return [] }
            var message = former
            message.sender.merge(values)
            if let text = values["Text"]?.string ?? values.text("Text") { message.text = text }
            if let original = values.text("OriginalText") { message.originalText = original }
            // After a reload the last message may come again as it was.
            guard message != former else { return [] }
            self.replace(message)
            return [ChatEvent(.messageUpdated, Self.fields(of: message), raw: call.raw)]
        }
        // An update may leave out what has not changed; a message without a text that nobody has seen is none.
        guard let text = values["Text"], !text.isNull else {
            return [ClientEvents.unreadable("\(call.method), for it has no Text", raw: call.raw)]
        }
        let isKnownPerson = values.text("PersonID").map { self.people[$0] != nil } ?? true
        let message = self.newMessage(id, values)
        self.keep(message)
        var events: [ChatEvent] = []
        if message.sender.type == .operator, !isKnownPerson {
            events.append(ChatEvent(.agentJoined, ["person": message.sender.scriptValue], raw: call.raw))
        }
        events.append(ChatEvent(.message, Self.fields(of: message), raw: call.raw))
        guard habits.openPages, message.sender.type == .operator else { return events }
        return events
            + CobrowseEvents.pushedPages(in: message.text).map {
                ChatEvent(.linkOpened, ["url": .string($0)], raw: call.raw)
            }
    }

    private mutating func newMessage(_ id: String, _ values: JSONObject) -> Message {
        let personID = values.text("PersonID") ?? ""
        var sender = self.people[personID] ?? Person(id: personID, type: .undefined)
        sender.merge(values, includingImage: false)
        if !personID.isEmpty, self.people[personID] != nil || self.people.count < Self.limit {
            self.people[personID] = sender
        }
        return Message(
            id: id, sender: sender, text: values.text("Text") ?? "", originalText: values.text("OriginalText"),
            created: values.text("Created"))
    }

    private mutating func keep(_ message: Message) {
        if message.sender.type == .operator {
            self.hasOperatorMessage = true
            self.isAnswered = true
            self.systemMessage = nil
        }
        guard self.placeOf.count + self.statusTexts.count < Self.limit else { return }
        if message.sender.type == .system {
            self.statusTexts[message.id] = message
            if !self.isAnswered { self.systemMessage = message }
        } else {
            self.placeOf[message.id] = self.messages.count
            self.messages.append(message)
        }
    }

    private func known(_ id: String) -> Message? {
        self.statusTexts[id] ?? self.placeOf[id].map { self.messages[$0] }
    }

    /// Keeps what has become of a message that is known; only the status text that is shown changes on the screen.
    private mutating func replace(_ message: Message) {
        if let place = self.placeOf[message.id] {
            self.messages[place] = message
        } else {
            self.statusTexts[message.id] = message
            if self.systemMessage?.id == message.id { self.systemMessage = message }
        }
    }

    private static func fields(of message: Message) -> JSONObject {
        var fields: JSONObject = [
            "id": .string(message.id), "from": .string(message.sender.type.rawValue), "text": .string(message.text),
        ]
        if let name = message.sender.name { fields["name"] = .string(name) }
        fields["person"] = message.sender.scriptValue
        if let created = message.created { fields["time"] = .string(created) }
        if let original = message.originalText { fields["original_text"] = .string(original) }
        return fields
    }

    private mutating func typerChanged(_ call: OSSCall) -> [ChatEvent] {
        guard let id = call.params.text("PersonID") else { return [] }
        guard let values = call.params["Values"]?.object else {
            self.typing.remove(id)
            guard let person = self.people.removeValue(forKey: id), person.type == .operator else { return [] }
            return [ChatEvent(.agentLeft, ["person": person.scriptValue], raw: call.raw)]
        }
        let known = self.people[id]
        guard known != nil || self.people.count < Self.limit else { return [] }
        var person = known ?? Person(id: id, type: .undefined)
        person.merge(values)
        self.people[id] = person
        guard person.type != .visitor else { return [] }
        var events: [ChatEvent] = []
        if person.type == .operator, known?.type != .operator {
            events.append(ChatEvent(.agentJoined, ["person": person.scriptValue], raw: call.raw))
        }
        // A partial update may leave the typing state as it was.
        if values["IsTyping"] != nil {
            if values.truth("IsTyping") { self.typing.insert(id) } else { self.typing.remove(id) }
        }
        let fields: JSONObject = ["active": .bool(self.typing.contains(id)), "person": person.scriptValue]
        return events + [ChatEvent(.typing, fields, raw: call.raw)]
    }
}
