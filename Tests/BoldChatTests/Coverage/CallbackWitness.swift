import JSON
import Machines

@testable import BoldChat

/// How it is seen that a callback of the vendor's client was given: its event, and the change of the session that came
/// with it.
struct CallbackWitness: Sendable {
    /// The callback, and which of its variants.
    let selector: String
    let variant: String
    private let pattern: EventPattern
    /// How the session went on with the event.
    private let way: Way

    /// How a session goes on.
    enum Way: Sendable {
        case any
        /// It stays where it is.
        case none
        case leads(SessionStateMachine.State, SessionStateMachine.State)
    }

    var name: String { self.variant.isEmpty ? self.selector : "\(self.selector) (\(self.variant))" }

    private init(
        _ selector: String, _ variant: String, _ kind: EventKind, _ fields: JSONObject = [:], way: Way = .any
    ) {
        self.selector = selector
        self.variant = variant
        self.pattern = EventPattern(kind, fields)
        self.way = way
    }

    private init(_ selector: String, _ kind: EventKind, _ fields: JSONObject = [:], way: Way = .any) {
        self.init(selector, "", kind, fields, way: way)
    }

    func isMet(_ event: ChatEvent, _ changes: [StateStep]) -> Bool {
        guard self.pattern.matches(event) else { return false }
        let session = changes.filter { $0.machine == .session }
        return switch self.way {
        case .any: true
        case .none: session.isEmpty
        case .leads(let from, let to): session.contains(StateStep(.session, from.rawValue, to.rawValue))
        }
    }

    /// Every callback of the vendor's protocols, some in several variants.
    static let all: [CallbackWitness] =
        Self.session + Self.forms + Self.chat
        + [
            CallbackWitness("bcChatAvailabilityChatAvailable:", .available),
            CallbackWitness("bcChatAvailability:chatUnavailableForReason:", .unavailable, way: .none),
            CallbackWitness("bcChatAvailability:didFailWithError:", .error, ["operation": "check_availability"]),
        ]

    private static let session: [CallbackWitness] = [
        CallbackWitness(
            "bcAccount:didCreateChatWithoutPreChat:andDidStartChat:", .chatStarted, ["after_pre_chat": false],
            way: .leads(.creatingChat, .chatting)),
        CallbackWitness(
            "bcAccount:didCreateChat:withPreChat:", .preChat, way: .leads(.creatingChat, .preChatForm)),
        CallbackWitness(
            "bcAccount:didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:", "with form",
            .unavailable, way: .leads(.creatingChat, .unavailableForm)),
        CallbackWitness(
            "bcAccount:didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:", "without form",
            .unavailable, way: .leads(.creatingChat, .finished)),
        CallbackWitness("bcAccount:didFailToCreateWithError:", .error, ["operation": "create_chat"]),
        CallbackWitness("bcChatSessionDidRequestChatHistory:", .transcriptRequested),
        CallbackWitness(
            "bcChatSession:didFailToRequestChatHistoryWithError:", .error, ["operation": "email_history"]),
        CallbackWitness("bcChatSession:didChangeToLanguage:withBranding:", .languageChanged),
        CallbackWitness("bcChatSession:didFailToChangeLanguageWithError:", .error, ["operation": "change_language"]),
        CallbackWitness("bcChatSessionRecaptureAvailable:", .recapture),
    ]

    private static let forms: [CallbackWitness] = [
        CallbackWitness(
            "bcChatSessionDidSubmitPreChat:andDidStartChat:", .chatStarted, ["after_pre_chat": true],
            way: .leads(.sendingPreChatInfo, .chatting)),
        CallbackWitness(
            "bcChatSession:didSubmitPreChatToUnavailableChatWithReason:unavailableForm:unavailableMessage:",
            "with form", .unavailable, way: .leads(.sendingPreChatInfo, .unavailableForm)),
        CallbackWitness(
            "bcChatSession:didSubmitPreChatToUnavailableChatWithReason:unavailableForm:unavailableMessage:",
            "without form", .unavailable, way: .leads(.sendingPreChatInfo, .finished)),
        CallbackWitness(
            "bcChatSession:didFailToSubmitPreChat:", "error", .error, ["operation": "submit_pre_chat"]),
        CallbackWitness("bcChatSession:didFailToSubmitPreChat:", "fields", .formInvalid, ["form": "pre_chat"]),
        CallbackWitness("bcChatSessionDidSubmitPostChat:", .formSubmitted, ["form": "post_chat"]),
        CallbackWitness(
            "bcChatSession:didFailToSubmitPostChatWithError:", "error", .error, ["operation": "submit_post_chat"]),
        CallbackWitness(
            "bcChatSession:didFailToSubmitPostChatWithError:", "fields", .formInvalid, ["form": "post_chat"]),
        CallbackWitness("bcChatSessionDidSubmitUnavailableEmail:", .formSubmitted, ["form": "unavailable"]),
        CallbackWitness(
            "bcChatSession:didFailToSubmitUnavailableEmailWithError:", "error", .error,
            ["operation": "submit_unavailable"]),
        CallbackWitness(
            "bcChatSession:didFailToSubmitUnavailableEmailWithError:", "fields", .formInvalid,
            ["form": "unavailable"]),
    ]

    private static let chat: [CallbackWitness] =
        [
            CallbackWitness("bcChatDidConnect:", .connected),
            CallbackWitness("bcChatDidAccept:", .accepted),
            CallbackWitness(
                "bcChat:didFinishWithUnavailableReason:unavailableForm:unavailableMessage:", "with form", .unavailable,
                way: .leads(.chatting, .unavailableForm)),
            CallbackWitness(
                "bcChat:didFinishWithUnavailableReason:unavailableForm:unavailableMessage:", "without form",
                .unavailable, way: .leads(.chatting, .finished)),
            CallbackWitness("bcChat:didAddMessage:", "operator", .message, ["from": "operator"]),
            CallbackWitness("bcChat:didAddMessage:", "system", .message, ["from": "system"]),
            CallbackWitness("bcChat:didAddMessage:", "visitor", .message, ["from": "visitor"]),
            CallbackWitness("bcChat:didAddAutoMessage:", .autoMessage),
            CallbackWitness("bcChat:didSendVisitorMessage:", .messageSent),
            CallbackWitness("bcChat:didUpdateQueuePosition:unavailableFormAvailable:", .queue),
            CallbackWitness("bcChat:didUpdateTyper:typing:", "types", .typing, ["active": true]),
            CallbackWitness("bcChat:didUpdateTyper:typing:", "stops", .typing, ["active": false]),
            CallbackWitness("bcChat:didSendVisitorTyping:", .typingSent),
        ]
        + ["operator", "visitor", "timeout"].flatMap { reason in
            [
                CallbackWitness(
                    "bcChat:didFinishWithReason:time:postChatForm:", "\(reason), form", .postChat,
                    ["reason": .string(reason)], way: .leads(.chatting, .postChatForm)),
                CallbackWitness(
                    "bcChat:didFinishWithReason:time:postChatForm:", "\(reason), no form", .ended,
                    ["reason": .string(reason)], way: .leads(.chatting, .finished)),
            ]
        }
        + [-300, -301, -302, -303].map { code in
            CallbackWitness(
                "bcChat:didFinishWithError:", String(code), .error, ["domain": "BCChat", "code": .integer(code)])
        }
}
