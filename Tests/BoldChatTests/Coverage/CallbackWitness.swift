import JSON
import Machines

@testable import BoldChat

/// How it is seen that a callback of the vendor's client was given: its event, and the transition that came with it.
struct CallbackWitness: Sendable {
    /// The callback, and which of its variants.
    let selector: String
    let variant: String
    private let pattern: EventPattern
    /// The beginning of the session's input that came with the event; empty for none at all, nil if it does not matter.
    private let input: String?

    var name: String { self.variant.isEmpty ? self.selector : "\(self.selector) (\(self.variant))" }

    private init(
        _ selector: String, _ variant: String, _ kind: EventKind, _ fields: JSONObject = [:], on input: String? = nil
    ) {
        self.selector = selector
        self.variant = variant
        self.pattern = EventPattern(kind, fields)
        self.input = input
    }

    private init(_ selector: String, _ kind: EventKind, _ fields: JSONObject = [:], on input: String? = nil) {
        self.init(selector, "", kind, fields, on: input)
    }

    func isMet(_ event: ChatEvent, _ transitions: [Transition]) -> Bool {
        guard self.pattern.matches(event) else { return false }
        guard let input = self.input else { return true }
        let inputs = transitions.filter { $0.machine == .session }.map(\.input)
        return input.isEmpty ? inputs.isEmpty : inputs.contains { $0.hasPrefix(input) }
    }

    /// Every callback of the vendor's protocols, some in several variants.
    static let all: [CallbackWitness] =
        Self.session + Self.forms + Self.chat
        + [
            CallbackWitness("bcChatAvailabilityChatAvailable:", .available),
            CallbackWitness("bcChatAvailability:chatUnavailableForReason:", .unavailable, on: ""),
            CallbackWitness("bcChatAvailability:didFailWithError:", .error, ["operation": "check_availability"]),
        ]

    private static let session: [CallbackWitness] = [
        CallbackWitness(
            "bcAccount:didCreateChatWithoutPreChat:andDidStartChat:", .chatStarted, ["after_pre_chat": false],
            on: "createChat answered: success"),
        CallbackWitness(
            "bcAccount:didCreateChat:withPreChat:", .preChat, on: "createChat answered: pre-chat form"),
        CallbackWitness(
            "bcAccount:didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:", "with form",
            .unavailable, on: "createChat answered: unavailable with form"),
        CallbackWitness(
            "bcAccount:didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:", "without form",
            .unavailable, on: "createChat answered: unavailable without form"),
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
            on: "pre_chat answered: success"),
        CallbackWitness(
            "bcChatSession:didSubmitPreChatToUnavailableChatWithReason:unavailableForm:unavailableMessage:",
            "with form", .unavailable, on: "pre_chat answered: unavailable with form"),
        CallbackWitness(
            "bcChatSession:didSubmitPreChatToUnavailableChatWithReason:unavailableForm:unavailableMessage:",
            "without form", .unavailable, on: "pre_chat answered: unavailable without form"),
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
                on: "chat unavailable, form"),
            CallbackWitness(
                "bcChat:didFinishWithUnavailableReason:unavailableForm:unavailableMessage:", "without form",
                .unavailable, on: "chat unavailable, no form"),
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
                    ["reason": .string(reason)], on: "chat finished, post-chat form"),
                CallbackWitness(
                    "bcChat:didFinishWithReason:time:postChatForm:", "\(reason), no form", .ended,
                    ["reason": .string(reason)], on: "chat finished, no form"),
            ]
        }
        + [-300, -301, -302, -303].map { code in
            CallbackWitness(
                "bcChat:didFinishWithError:", String(code), .error, ["domain": "BCChat", "code": .integer(code)])
        }
}
