/// What can be pressed or typed into on the screen; the raw value is the name of the vendor's outlet.
enum ScreenControl: String, CaseIterable, Sendable {
    case cancelChatButton, emailChatHistoryButton, endChatButton, sendButton, inputTextView
    case mainExternalActionButton, endExternalActionButton, errorExternalActionButton, chatExternalActionButton
    /// The submit button of a form.
    case button

    /// Finds a control by its outlet or by the name of its action.
    init?(_ name: String) {
        if let control = Self(rawValue: name) {
            self = control
            return
        }
        switch name {
        case "cancelChatPressed": self = .cancelChatButton
        case "emailChatHistoryPressed": self = .emailChatHistoryButton
        case "endChatPressed": self = .endChatButton
        case "sendButtonPressed": self = .sendButton
        case "mainExternalActionButtonPressed": self = .mainExternalActionButton
        case "endExternalActionButtonPressed": self = .endExternalActionButton
        case "errorExternalActionButtonPressed": self = .errorExternalActionButton
        case "chatExternalActionButtonPressed": self = .chatExternalActionButton
        default: return nil
        }
    }

    /// What the vendor's view controller calls when the button is pressed, for buttons that belong to the application.
    var externalAction: String? {
        switch self {
        case .mainExternalActionButton: "boldChatViewControllerMainExternalActionPressed"
        case .endExternalActionButton: "boldChatViewControllerEndExternalActionPressed"
        case .errorExternalActionButton: "boldChatViewControllerErrorExternalActionPressed"
        case .chatExternalActionButton: "boldChatViewControllerChatExternalActionPressed"
        default: nil
        }
    }

    /// The view that an application's button belongs to; nil for one that is on every view.
    var owner: ScreenView? {
        switch self {
        case .endExternalActionButton: .end
        case .errorExternalActionButton: .error
        case .chatExternalActionButton: .chat
        default: nil
        }
    }
}
