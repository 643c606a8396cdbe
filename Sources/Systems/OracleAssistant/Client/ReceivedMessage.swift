import JSON
import Machines

/// A message of the server that is to be shown: what its payload means for a chat view.
struct ReceivedMessage {
    let envelope: Envelope

    /// What there is to do: what its type asks for, and an error where the message is not as the model demands.
    ///
    /// The vendor's clients look at nothing and show what comes, so a chat view shows it all the same, as far as it
    /// says something that can be told.
    ///
    /// - Parameter userID: Whose client it is.
    func actions(for userID: String) -> [ClientAction] {
        let defects = [
            self.envelope.recipientProblem(userID).map { ClientAction.defect("MessageMisdirected", $0, self.envelope) },
            self.problem.map { ClientAction.defect("MessageMalformed", $0, self.envelope) },
        ].compactMap(\.self)
        return defects + self.uncheckedFields + (self.canBeTold ? self.actions : [.turnWent(self.envelope)])
    }

    /// What is wrong with it.
    private var problem: String? {
        self.envelope.problem ?? MessageValidation.problem(inReceived: self.envelope.payload)
    }

    /// Why a form is told whose fields are not all checked.
    static let unchecked = "it has a field whose pattern checks nothing here"

    /// How many fields an event names.
    private static let namedFields = 10

    /// Tells of patterns that cannot be read. They are no errors, for engines of other clients know more of them.
    private var uncheckedFields: [ClientAction] {
        guard case .editForm(let form) = self.envelope.payload else { return [] }
        let problems = form.form.fields.lazy.compactMap { field in
            field.pattern?.problem.map { "\(field.id?.shortened(to: 100) ?? "a field"): \($0.shortened(to: 500))" }
        }
        let named = problems.prefix(Self.namedFields).joined(separator: "; ")
        guard !named.isEmpty else { return [] }
        return [
            .emit(.frame, ["ignored": .string(Self.unchecked), "problem": .string(named)], raw: self.envelope.json)
        ]
    }

    /// Whether it says what there is to show or to do.
    private var canBeTold: Bool {
        if self.envelope.hasUnknownSource { return false }
        switch self.envelope.payload {
        case .textStream, .status, .error, .command, .outboundEvent, .getDebugInfoCommand: return self.problem == nil
        default: return true
        }
    }

    /// What there is to do, by the type of the payload.
    private var actions: [ClientAction] {
        switch self.envelope.payload {
        case .sessionClosed: [.sessionClosed]
        case .status(let status):
            // A status without end of turn would show the indicator again, which the vendor's client does.
            [.showTyping(status.status == .responding, from: self.origin, raw: self.envelope.json)]
                + (status.status == .responding ? [] : [.turnWent(self.envelope)])
        case .textStream(let piece): [.receiveStream(piece, self.envelope)]
        case .error(let error):
            [.showError(self.envelope, message: error.errorMessage ?? ""), .turnWent(self.envelope)]
        case let payload where payload.type?.isDisplayed ?? false:
            [.display(self.envelope), .turnWent(self.envelope)]
        default: [self.event, .turnWent(self.envelope)]
        }
    }

    /// Whose message it is.
    var origin: Screen.Origin { self.envelope.source == .agent ? .agent : .bot }

    /// The event of a message that no view shows.
    private var event: ClientAction {
        let raw = self.envelope.json
        switch self.envelope.payload {
        case .command(let command):
            var fields: JSONObject = ["command": command.members["command"] ?? .null]
            fields["properties"] = command.members["properties"]
            return .emit(.command, fields, raw: raw)
        case .executeApplicationActionCommand(let command):
            var fields: JSONObject = ["command": "executeApplicationAction"]
            fields["action"] = command.action.map { .string($0) }
            fields["application"] = command.applicationName.map { .string($0) }
            fields["page"] = command.pageName.map { .string($0) }
            fields["properties"] = command.members["properties"]
            return .emit(.command, fields, raw: raw)
        case .updateApplicationContextCommand(let command):
            var fields: JSONObject = ["command": "updateApplicationContext"]
            fields["parameters"] = command.members["parameters"]
            return .emit(.command, fields, raw: raw)
        case .getDebugInfoCommand(let command):
            let types = command.infoTypes.map { JSONValue.string($0) }
            return .emit(.command, ["command": "getDebugInfo", "info_types": .array(types)], raw: raw)
        case .outboundEvent(let event):
            let fields: JSONObject = [
                "type": event.members["eventType"] ?? .null, "version": event.members["eventVersion"] ?? .null,
                "data": event.eventData ?? .null,
            ]
            return .emit(.skillEvent, fields, raw: raw)
        default: return Self.ignored("its payload has a type that is not shown", raw: raw)
        }
    }

    // MARK: Bubbles

    /// The event of a message that is shown as a bubble.
    ///
    /// - Parameters:
    ///   - number: Its place on the screen.
    ///   - agentName: The agent that speaks, if one does.
    ///   - times: The fields that say when it came.
    func shownEvent(number: Int64, agentName: String?, times: JSONObject, strings: StringTable) -> ClientAction {
        let payload = self.envelope.payload
        var fields: JSONObject = ["from": .string(self.origin.rawValue)]
        fields = fields.merging(MessageFields.fields(of: payload))
        fields["number"] = .integer(number)
        fields["id"] = self.envelope.messageID.map { .string($0) }
        fields["thread"] = self.envelope.threadID.map { .string($0) }
        fields["end_of_turn"] = .bool(self.envelope.endsTurn)
        if self.origin == .agent { fields["agent"] = agentName.map { .string($0) } }
        for (name, value) in times { fields[name] = value }
        fields["label"] = .string(AccessibilityLabels(strings: strings).label(of: payload, isUser: false))
        var kind = EventKind.message
        if case .editForm(let form) = payload {
            fields["form"] = .object(MessageFields.editForm(form, number: number))
            kind = .form
        }
        if let step = payload.content.channelExtensions.step, let name = step.name {
            fields["position"] = step.position.map { .integer($0) }
            kind = Self.kind(of: name)
        }
        return .emit(kind, fields, raw: self.envelope.json)
    }

    private static func kind(of step: ConversationStep.Name) -> EventKind {
        switch step {
        case .preChat: .preChat
        case .queue: .queue
        case .unavailable: .unavailable
        case .postChat: .postChat
        }
    }

    /// The event of a frame that the client does nothing with.
    static func ignored(_ reason: String, raw: JSONValue) -> ClientAction {
        .emit(.frame, ["ignored": .string(reason)], raw: raw)
    }
}
