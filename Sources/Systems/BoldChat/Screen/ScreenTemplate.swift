/// The named templates that the vendor's view controller is made of; the raw value is the setting that replaces one.
enum ScreenTemplate: String, CaseIterable, Sendable {
    case main = "mainViewXibName"
    case form = "formViewXibName"
    case singleLine = "singleLineCellXibName"
    case email = "singleLineEmailCellXibName"
    case phone = "singleLinePhoneCellXibName"
    case multiLine = "multiLineCellXibName"
    case selection = "selectionCellXibName"
    case picker = "pickerCellXibName"
    case rating = "ratingCellXibName"
    case button = "buttonCellXibName"
    case preChatHeader = "preChatHeaderXibName"
    case postChatHeader = "postChatHeaderXibName"
    case postChatEmailFooter = "postChatEmailFooterXibName"
    case unavailableHeader = "unavailableChatHeaderXibName"
    case chat = "chatViewXibName"

    /// The name of the template that comes with the vendor's framework, without its extension.
    var standardName: String {
        switch self {
        case .main: "BCMainView"
        case .form: "BCFormView"
        case .singleLine: "BCSingleLineCell"
        case .email: "BCSingleLineEmailCell"
        case .phone: "BCSingleLinePhoneCell"
        case .multiLine: "BCMultiLineCell"
        case .selection: "BCSelectionCell"
        case .picker: "BCPickerCell"
        case .rating: "BCRatingCell"
        case .button: "BCButtonCell"
        case .preChatHeader: "BCPreChatHeaderView"
        case .postChatHeader: "BCPostChatHeaderView"
        case .postChatEmailFooter: "BCPostChatEmailFooterView"
        case .unavailableHeader: "BCUnavailableChatHeaderView"
        case .chat: "BCChatView"
        }
    }

    /// The vendor's class that owns the template, also a template that replaces the standard one.
    var owner: String {
        switch self {
        case .main: "BoldChatViewController"
        case .form: "BCFormViewLogic"
        case .singleLine: "BCSingleLineCellLogic"
        case .email: "BCEmailCellLogic"
        case .phone: "BCPhoneCellLogic"
        case .multiLine: "BCMultiLineCellLogic"
        case .selection: "BCSelectionCellLogic"
        // The vendor's page names the owner of the stars here too.
        case .picker, .rating: "BCRatingCellLogic"
        case .button: "BCButtonCellLogic"
        case .preChatHeader: "BCPreChatHeaderLogic"
        case .postChatHeader: "BCPostChatHeaderLogic"
        case .postChatEmailFooter: "BCPostChatEmailFooterLogic"
        case .unavailableHeader: "BCUnavailableChatHeaderLogic"
        case .chat: "BCChatViewLogic"
        }
    }

    /// The outlets of the template, in the vendor's order.
    var outlets: [ScreenOutlet] {
        let line: [ScreenOutlet] = [.cell, .titleLabel, .textField, .requiredLabel, .missingView]
        return switch self {
        case .main:
            [
                .view, .endview, .endLabel, .errorview, .errorLabel, .loadingview, .loadingActivityIndicator,
                .chatHolderView, .preChatHolderView, .postChatHolderView, .unavailableChatHolderView,
                .mainExternalActionButton, .endExternalActionButton, .errorExternalActionButton,
            ]
        case .form: [.view, .tableView]
        case .singleLine: line
        case .email: line + [.invalidEmailView]
        case .phone: line + [.invalidPhoneNumberView]
        case .multiLine: [.cell, .titleLabel, .textView, .requiredLabel, .missingView]
        case .selection: [.cell, .titleLabel, .valueLabel, .requiredLabel, .missingView]
        case .picker: [.cell, .pickerView, .missingView]
        case .rating: [.cell, .titleLabel, .starRatingView, .requiredLabel, .missingView]
        case .button: [.cell, .button]
        case .preChatHeader, .postChatHeader, .postChatEmailFooter, .unavailableHeader: [.cell, .label]
        case .chat:
            [
                .view, .cancelChatButton, .chatHistoryWebView, .chatHistoryWebViewHolderView, .emailChatHistoryButton,
                .endChatButton, .inputTextView, .inputHolderView, .queuePositionLabel, .sendButton, .typingLabel,
                .chatExternalActionButton,
            ]
        }
    }
}
