/// What can be pressed or typed into on the screen; the raw value is the name of the vendor's outlet.
enum ScreenControl: String, CaseIterable, Sendable {
    case cancelChatButton, emailChatHistoryButton, endChatButton, sendButton, inputTextView
    case mainExternalActionButton, endExternalActionButton, errorExternalActionButton, chatExternalActionButton
    /// The submit button of a form.
    case button
    /// The alert that asks where the transcript goes, and its two buttons; the vendor names none of them.
    case emailAlert, emailAlertSend, emailAlertCancel

    /// An outlet of a template.
    typealias Place = (outlet: ScreenOutlet, template: ScreenTemplate)

    /// Finds a control by its outlet or by the name of its action, with or without a colon.
    init?(_ name: String) {
        if let control = Self(rawValue: name) {
            self = control
            return
        }
        guard let control = Self.actions[name.hasSuffix(":") ? String(name.dropLast()) : name] else { return nil }
        self = control
    }

    /// The controls by the names of their actions.
    static let actions: [String: ScreenControl] = [
        "cancelChatPressed": .cancelChatButton, "emailChatHistoryPressed": .emailChatHistoryButton,
        Self.endChatAction: .endChatButton, "sendButtonPressed": .sendButton,
        "mainExternalActionButtonPressed": .mainExternalActionButton,
        "mainExternalActionPressed": .mainExternalActionButton,
        "endExternalActionButtonPressed": .endExternalActionButton,
        "endExternalActionPressed": .endExternalActionButton,
        "errorExternalActionButtonPressed": .errorExternalActionButton,
        "errorExternalActionPressed": .errorExternalActionButton,
        "chatExternalActionButtonPressed": .chatExternalActionButton,
        "chatExternalActionPressed": .chatExternalActionButton,
    ]

    /// The one action that the vendor's template does not connect.
    static let endChatAction = "endChatPressed"

    /// Where the control is; nil for what no template has.
    var place: Place? {
        switch self {
        case .emailAlert, .emailAlertSend, .emailAlertCancel: nil
        case .button: (.button, .button)
        case .mainExternalActionButton: (.mainExternalActionButton, .main)
        case .endExternalActionButton: (.endExternalActionButton, .main)
        case .errorExternalActionButton: (.errorExternalActionButton, .main)
        case .cancelChatButton: (.cancelChatButton, .chat)
        case .emailChatHistoryButton: (.emailChatHistoryButton, .chat)
        case .endChatButton: (.endChatButton, .chat)
        case .sendButton: (.sendButton, .chat)
        case .inputTextView: (.inputTextView, .chat)
        case .chatExternalActionButton: (.chatExternalActionButton, .chat)
        }
    }

    /// The key of the branding for the text on a button of the chat; nil where the framework has no text of its own.
    var brandingKey: String? {
        switch self {
        case .sendButton, .emailAlertSend: "api#chat#send"
        case .endChatButton: "api#chat#end"
        case .emailChatHistoryButton: "api#email#transcript"
        case .cancelChatButton: "api#chat#unavailable_email"
        case .emailAlertCancel: "api#generic#cancel"
        case .inputTextView, .mainExternalActionButton, .endExternalActionButton, .errorExternalActionButton,
            .chatExternalActionButton, .button, .emailAlert:
            nil
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

    /// Whether a view has the control.
    func isOf(_ view: ScreenView) -> Bool {
        switch self {
        case .mainExternalActionButton: true
        case .endExternalActionButton: view == .end
        case .errorExternalActionButton: view == .error
        case .button: view.form != nil
        case .cancelChatButton, .emailChatHistoryButton, .endChatButton, .sendButton, .inputTextView,
            .chatExternalActionButton, .emailAlert, .emailAlertSend, .emailAlertCancel:
            view == .chat
        }
    }
}
