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
}

/// How the screen is put together: which templates, and which of their outlets are connected.
struct ViewSettings: Hashable, Sendable {
    /// Names that replace the standard ones.
    var names: [ScreenTemplate: String] = [:]
    /// Outlets that a template leaves unconnected: what they do is missing, everything else works.
    var disconnected: Set<String> = []
    /// Whether a button in the form submits it; else one in the navigation bar, outside the screen.
    var hasSubmitCell = true

    /// The name of a template.
    func name(_ template: ScreenTemplate) -> String { self.names[template] ?? template.standardName }
}
