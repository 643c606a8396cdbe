import Machines

@testable import BoldChat

/// The callbacks of the vendor's iOS client, and the event that stands for each.
///
/// Every callback is exactly one event, except that a chat which finishes is `post_chat` or, without such a form,
/// `ended`, and that a form refused for its values is `form_invalid`, not `error`. Events that are no callback:
/// `session_created`, `agent_joined`, `agent_left`, and `ended` where a session finishes after a form.
enum CallbackTable {
    /// One callback.
    struct Entry: Hashable, Sendable {
        /// The protocol that declares it.
        let delegate: String
        /// Its Objective-C name.
        let selector: String
        /// The kinds that stand for it; one unless the comment on the table says otherwise.
        let events: [EventKind]
    }

    /// All callbacks.
    static let entries: [Entry] = [
        Entry("BCCreateChatSessionDelegate", "bcAccount:didCreateChatWithoutPreChat:andDidStartChat:", .chatStarted),
        Entry("BCCreateChatSessionDelegate", "bcAccount:didCreateChat:withPreChat:", .preChat),
        Entry(
            "BCCreateChatSessionDelegate",
            "bcAccount:didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:", .unavailable),
        Entry("BCCreateChatSessionDelegate", "bcAccount:didFailToCreateWithError:", .error),
        Entry("BCChatAvailabilityDelegate", "bcChatAvailabilityChatAvailable:", .available),
        Entry("BCChatAvailabilityDelegate", "bcChatAvailability:chatUnavailableForReason:", .unavailable),
        Entry("BCChatAvailabilityDelegate", "bcChatAvailability:didFailWithError:", .error),
        Entry("BCSubmitPreChatDelegate", "bcChatSessionDidSubmitPreChat:andDidStartChat:", .chatStarted),
        Entry(
            "BCSubmitPreChatDelegate",
            "bcChatSession:didSubmitPreChatToUnavailableChatWithReason:unavailableForm:unavailableMessage:",
            .unavailable),
        Entry("BCSubmitPreChatDelegate", "bcChatSession:didFailToSubmitPreChat:", .error, .formInvalid),
        Entry("BCSubmitPostChatDelegate", "bcChatSessionDidSubmitPostChat:", .formSubmitted),
        Entry("BCSubmitPostChatDelegate", "bcChatSession:didFailToSubmitPostChatWithError:", .error, .formInvalid),
        Entry("BCSubmitUnavailableEmailDelegate", "bcChatSessionDidSubmitUnavailableEmail:", .formSubmitted),
        Entry(
            "BCSubmitUnavailableEmailDelegate", "bcChatSession:didFailToSubmitUnavailableEmailWithError:", .error,
            .formInvalid),
        Entry("BCEmailChatHistoryDelegate", "bcChatSessionDidRequestChatHistory:", .transcriptRequested),
        Entry("BCEmailChatHistoryDelegate", "bcChatSession:didFailToRequestChatHistoryWithError:", .error),
        Entry("BCChangeLanguageDelegate", "bcChatSession:didChangeToLanguage:withBranding:", .languageChanged),
        Entry("BCChangeLanguageDelegate", "bcChatSession:didFailToChangeLanguageWithError:", .error),
        Entry("BCChatRecaptureDelegate", "bcChatSessionRecaptureAvailable:", .recapture),
        Entry("BCChatStateDelegate", "bcChatDidConnect:", .connected),
        Entry("BCChatStateDelegate", "bcChatDidAccept:", .accepted),
        Entry("BCChatStateDelegate", "bcChat:didFinishWithReason:time:postChatForm:", .postChat, .ended),
        Entry(
            "BCChatStateDelegate", "bcChat:didFinishWithUnavailableReason:unavailableForm:unavailableMessage:",
            .unavailable),
        Entry("BCChatStateDelegate", "bcChat:didFinishWithError:", .error),
        Entry("BCChatMessageDelegate", "bcChat:didAddMessage:", .message),
        Entry("BCChatMessageDelegate", "bcChat:didAddAutoMessage:", .autoMessage),
        Entry("BCChatMessageDelegate", "bcChat:didSendVisitorMessage:", .messageSent),
        Entry("BCChatQueueDelegate", "bcChat:didUpdateQueuePosition:unavailableFormAvailable:", .queue),
        Entry("BCChatTyperDelegate", "bcChat:didUpdateTyper:typing:", .typing),
        Entry("BCChatTyperDelegate", "bcChat:didSendVisitorTyping:", .typingSent),
    ]
}

extension CallbackTable.Entry {
    fileprivate init(_ delegate: String, _ selector: String, _ events: EventKind...) {
        self.init(delegate: delegate, selector: selector, events: events)
    }
}
