/// What the vendor's templates have outlets for; the raw value is the outlet's name.
enum ScreenOutlet: String, CaseIterable, Sendable {
    case view, cell, label

    // MARK: The main template
    case endview, endLabel, errorview, errorLabel, loadingview, loadingActivityIndicator
    case chatHolderView, preChatHolderView, postChatHolderView, unavailableChatHolderView
    case mainExternalActionButton, endExternalActionButton, errorExternalActionButton

    // MARK: Forms
    case tableView, titleLabel, textField, textView, valueLabel, requiredLabel, missingView
    case invalidEmailView, invalidPhoneNumberView, pickerView, starRatingView, button

    // MARK: The chat
    case cancelChatButton, chatHistoryWebView, chatHistoryWebViewHolderView, emailChatHistoryButton, endChatButton
    case inputTextView, inputHolderView, queuePositionLabel, sendButton, typingLabel, chatExternalActionButton
}
