import JSON
import Machines

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
        case unreadable(Misreading)
        /// The client does not react to it; why.
        case ignored(String)
    }

    /// The number of the chat; nil if the account has not said it.
    let chatID: String?
    /// Whether the client knows the events of the browser window.
    let knowsExtras: Bool

    /// Examines an event.
    func verdict(on call: OSSCall) -> Verdict {
        guard let rules = Self.members[call.method] ?? (self.knowsExtras ? Self.windowMembers[call.method] : nil)
        else {
            return .ignored("the client does not know this event")
        }
        do throws(Misreading) {
            if !rules.isEmpty { try Self.check(params: call.raw?["params"]) }
            try MemberRule.check(call.params, rules)
            try MemberRule.check(call.params["Values"]?.object ?? [:], Self.values[call.method] ?? [])
            try self.checkMeaning(of: call)
        } catch { return .unreadable(error) }
        return .taken
    }

    /// Whether an event speaks of an end that is none, for want of its time or its reason.
    static func hasHalfEnd(_ call: OSSCall) -> Bool {
        guard let values = call.params["Values"]?.object else { return false }
        let isNamed = ["Ended", "EndedReason"].contains { values[$0].map { !$0.isNull && $0.string != "" } ?? false }
        return isNamed && (values.time("Ended") == nil || values.text("EndedReason") == nil)
    }

    /// Checks parameters: they are an array of one object, and the vendor's client takes the object alone and its text
    /// as well.
    private static func check(params value: JSONValue?) throws(Misreading) {
        let elements = value?.array ?? value.map { [$0] } ?? []
        guard elements.count < 2 else {
            throw Misreading("it has \(elements.count) parameters, where one is possible")
        }
        guard let element = elements.first, !element.isNull, element.object == nil else { return }
        let isText = element.string.map { (try? JSONReader.read($0))?.object != nil } ?? false
        guard !isText else { return }
        throw Misreading("its parameter is \(element.description.shortened(to: 500)), not an object")
    }

    private func checkMeaning(of call: OSSCall) throws(Misreading) {
        switch call.method {
        case "updateChat":
            // The number of a chat may come as a number or as a text. It is a numeric ID (vendor's Bold360 API,
            // getChatMessages), so that there are no letters whose case the comparison could overlook.
            guard let own = self.chatID, let id = call.params.text("ChatID") else { return }
            try MemberRule.check(["ChatID": .string(id)], "ChatID", is: own)
        case "redirect":
            let isLed = ["WebSocketURL", "LongPollURL"].contains { call.params.text($0) != nil }
            guard isLed else { throw Misreading("it has no WebSocketURL") }
        default: break
        }
    }

    /// The events that every client knows.
    private static let members: [String: [MemberRule]] = [
        "connect": [], "heartbeat": [], "reconnect": [], "reset": [], "closed": [],
        "redirect": [.may("WebSocketURL", .lenientText), .may("LongPollURL", .lenientText)],
        "updateBusy": [
            .may("Position", .lenientNumber), .may("UnavailableFormEnabled", .lenientTruth),
            .may("ShowWaitTime", .lenientTruth), .may("WaitTime", .lenientNumber), .may("WaitTimeUnit", .lenientText),
        ],
        "addMessage": [.needs("MessageID", .lenientNumber), .may("Values", .lenientObject)],
        "autoMessage": [.needs("Text", .lenientText)],
        "updateTyper": [.needs("PersonID", .lenientText), .may("Values", .lenientObject)],
        "updateChat": [.may("ChatID", .lenientText), .may("Values", .lenientObject)],
    ]

    /// The events that only the browser window knows.
    private static let windowMembers: [String: [MemberRule]] = [
        "startChat": [], "finishChat": [],
        "beginActiveAssist": [.may("ActiveAssistID", .lenientText)],
        "updateActiveAssist": [.may("Values", .lenientObject)],
        "remoteControlMessage": ["command", "rcHistoryId", "appletUrl", "vendorUrl", "vendorPin", "activationBaseUrl"]
            .map { .may($0, .lenientText) } + [.may("osSupport", .lenientObject)],
    ]

    /// What stands in the `Values` of events.
    private static let values: [String: [MemberRule]] = [
        "addMessage": Self.person + [
            .may("PersonID", .lenientText), .may("Created", .lenientTime), .may("Text", .lenientText),
            .may("OriginalText", .lenientText),
        ],
        "updateTyper": Self.person + [.may("IsTyping", .lenientTruth)],
        "updateChat": [.may("Answered", .lenientTime), .may("VideoSessionStatus", .lenientNumber)],
        "updateActiveAssist": [.may("Ended", .lenientTime)],
    ]

    private static let person = ["Name", "PersonType", "ImageURL"].map { MemberRule.may($0, .lenientText) }
}
