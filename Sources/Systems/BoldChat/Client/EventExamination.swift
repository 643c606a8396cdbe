import JSON

/// What a client can do with an event of the stream, told from the event alone, before anything comes of it.
///
/// The first of these that holds gives the verdict:
/// - Ignored is one that this generation of the client does not know, whatever it says.
/// - Unreadable is one that has parameters that are more or other than one object, that lacks a member without which it
///   says nothing or has one that is no such thing as the vendor says, or that is about another chat (`ChatID`).
/// - Taken is anything else.
///
/// The vendor says that an end without a time or a reason is none; such an event counts for what else it says.
struct EventExamination: Sendable {
    /// What becomes of an event.
    enum Verdict: Hashable, Sendable {
        case taken
        /// It cannot be read; why, after the word "with".
        case unreadable(String)
        /// The client does not react to it; why.
        case ignored(String)
    }

    /// The number of the chat; nil if the account has not said it.
    let chatID: String?
    /// Whether the client knows the events of the browser window.
    let knowsExtras: Bool

    /// Examines an event.
    func verdict(on call: OSSCall) -> Verdict {
        guard let shapes = Self.members[call.method] ?? (self.knowsExtras ? Self.windowMembers[call.method] : nil)
        else {
            return .ignored("the client does not know this event")
        }
        let values = call.params["Values"]?.object ?? [:]
        let fault =
            (shapes.isEmpty ? nil : Self.fault(inParams: call.raw?["params"])) ?? shapes.fault(in: call.params)
            ?? Self.values[call.method]?.fault(in: values)
            ?? self.strangeness(of: call)
        return fault.map { .unreadable($0) } ?? .taken
    }

    /// Whether an event speaks of an end that is none, for want of its time or its reason.
    static func hasHalfEnd(_ call: OSSCall) -> Bool {
        guard let values = call.params["Values"]?.object else { return false }
        let isNamed = ["Ended", "EndedReason"].contains { values[$0].map { !$0.isNull && $0.string != "" } ?? false }
        return isNamed && (values.time("Ended") == nil || values.text("EndedReason") == nil)
    }

    /// What is wrong with parameters; they are an array of one object, and the vendor's client takes the object alone
    /// and its text as well.
    private static func fault(inParams value: JSONValue?) -> String? {
        let elements = value?.array ?? value.map { [$0] } ?? []
        guard elements.count < 2 else { return "\(elements.count) parameters, where one is possible" }
        guard let element = elements.first, !element.isNull, element.object == nil else { return nil }
        let isText = element.string.map { (try? JSONReader.read($0))?.object != nil } ?? false
        return isText ? nil : "the parameter \(Excerpt.of(Array(element.description.utf8))), which is no object"
    }

    private func strangeness(of call: OSSCall) -> String? {
        switch call.method {
        case "updateChat":
            guard let own = self.chatID, let id = call.params.text("ChatID"), id != own else { return nil }
            return "ChatID \(id), which is another chat than \(own)"
        case "redirect":
            let isLed = ["WebSocketURL", "LongPollURL"].contains { call.params.text($0) != nil }
            return isLed ? nil : "no WebSocketURL"
        default: return nil
        }
    }

    /// The events that every client knows.
    private static let members: [String: [MemberShape]] = [
        "connect": [], "heartbeat": [], "reconnect": [], "reset": [], "closed": [],
        "redirect": [.optional("WebSocketURL", .text), .optional("LongPollURL", .text)],
        "updateBusy": [
            .optional("Position", .number), .optional("UnavailableFormEnabled", .truth),
            .optional("ShowWaitTime", .truth), .optional("WaitTime", .number), .optional("WaitTimeUnit", .text),
        ],
        "addMessage": [.required("MessageID", .number), .optional("Values", .object)],
        "autoMessage": [.required("Text", .text)],
        "updateTyper": [.required("PersonID", .text), .optional("Values", .object)],
        "updateChat": [.optional("ChatID", .text), .optional("Values", .object)],
    ]

    /// The events that only the browser window knows.
    private static let windowMembers: [String: [MemberShape]] = [
        "startChat": [], "finishChat": [],
        "beginActiveAssist": [.optional("ActiveAssistID", .text)],
        "updateActiveAssist": [.optional("Values", .object)],
        "remoteControlMessage": ["command", "rcHistoryId", "appletUrl", "vendorUrl", "vendorPin", "activationBaseUrl"]
            .map { .optional($0, .text) } + [.optional("osSupport", .object)],
    ]

    /// What stands in the `Values` of events.
    private static let values: [String: [MemberShape]] = [
        "addMessage": Self.person + [
            .optional("PersonID", .text), .optional("Created", .time), .optional("Text", .text),
            .optional("OriginalText", .text),
        ],
        "updateTyper": Self.person + [.optional("IsTyping", .truth)],
        "updateChat": [.optional("Answered", .time), .optional("VideoSessionStatus", .number)],
        "updateActiveAssist": [.optional("Ended", .time)],
    ]

    private static let person = ["Name", "PersonType", "ImageURL"].map { MemberShape.optional($0, .text) }
}
