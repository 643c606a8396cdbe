/// What the vendor's pages *Creating Chat Session* and *Static Appearance Customizations* name, as facts of our own
/// making.
enum BoldChatFacts {
    // MARK: Creating Chat Session

    /// The arguments of the call that creates a session.
    static let arguments = ["language", "visitorId", "skipPreChat", "externalParams"]

    /// Types and what a session has.
    static let types = [
        "createChatSessionWithDelegate", "BCCancelable", "BCAccount", "BCChatSession", "BCChat", "BCForm",
        "BCUnavailableReason", "BCErrorCodes", "reason", "unavailableForm", "unavailableMessage", "error.code",
        "chatSession.branding",
    ]

    /// The callbacks of the delegate.
    static let callbacks = [
        "didCreateChatWithoutPreChat:andDidStartChat:", "didCreateChat:withPreChat:",
        "didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:", "didFailToCreateWithError:",
    ]

    /// The presets for fields of forms.
    static let presets = [
        "BCFormFieldLanguage", "BCFormFieldDepartment", "BCFormFieldFirstName", "BCFormFieldName",
        "BCFormFieldLastName", "BCFormFieldPhone", "BCFormFieldEmail", "BCFormFieldInitialQuestion",
        "BCFormFieldReference", "BCFormFieldInformation", "BCFormFieldOverall", "BCFormFieldKnowledge",
        "BCFormFieldResponsiveness", "BCFormFieldProfessionalism", "BCFormFieldComments", "BCFormFieldCustomUrl",
    ]

    /// The languages of the list.
    static let languages = [
        "af-ZA", "ar", "bn-BD", "bg-BG", "zh-CN", "zh-TW", "hr-HR", "cs-CZ", "da-DK", "nl-NL", "en-GB", "fi-FI",
        "fr-FR",
        "fr-CA", "de-DE", "el-GR", "he-IL", "hi-IN", "hu-HU", "is-IS", "id-ID", "ga-IE", "it-IT", "ja-JP", "ko-KR",
        "ms-MY", "nb-NO", "nn-NO", "pl-PL", "pt-PT", "pt-BR", "pa-IN", "ro-RO", "ru-RU", "sk-SK", "es-ES", "sv-SE",
        "th-TH", "tr-TR", "uk-UA", "vi-VN",
    ]

    // MARK: Static Appearance Customizations

    /// The templates: the setting, its default, the owner, and the outlets.
    static let templates: [(setting: String, name: String, owner: String, outlets: [String])] = [
        (
            "mainViewXibName", "BCMainView", "BoldChatViewController",
            [
                "view", "endview", "endLabel", "errorview", "errorLabel", "loadingview", "loadingActivityIndicator",
                "chatHolderView", "preChatHolderView", "postChatHolderView", "unavailableChatHolderView",
                "mainExternalActionButton", "endExternalActionButton", "errorExternalActionButton",
            ]
        ), ("formViewXibName", "BCFormView", "BCFormViewLogic", ["view", "tableView"]),
        (
            "singleLineCellXibName", "BCSingleLineCell", "BCSingleLineCellLogic",
            ["cell", "titleLabel", "textField", "requiredLabel", "missingView"]
        ),
        (
            "singleLineEmailCellXibName", "BCSingleLineEmailCell", "BCEmailCellLogic",
            ["cell", "titleLabel", "textField", "requiredLabel", "missingView", "invalidEmailView"]
        ),
        (
            "singleLinePhoneCellXibName", "BCSingleLinePhoneCell", "BCPhoneCellLogic",
            ["cell", "titleLabel", "textField", "requiredLabel", "missingView", "invalidPhoneNumberView"]
        ),
        (
            "multiLineCellXibName", "BCMultiLineCell", "BCMultiLineCellLogic",
            ["cell", "titleLabel", "textView", "requiredLabel", "missingView"]
        ),
        (
            "selectionCellXibName", "BCSelectionCell", "BCSelectionCellLogic",
            ["cell", "titleLabel", "valueLabel", "requiredLabel", "missingView"]
        ), ("pickerCellXibName", "BCPickerCell", "BCRatingCellLogic", ["cell", "pickerView", "missingView"]),
        (
            "ratingCellXibName", "BCRatingCell", "BCRatingCellLogic",
            ["cell", "titleLabel", "starRatingView", "requiredLabel", "missingView"]
        ), ("buttonCellXibName", "BCButtonCell", "BCButtonCellLogic", ["cell", "button"]),
        ("preChatHeaderXibName", "BCPreChatHeaderView", "BCPreChatHeaderLogic", ["cell", "label"]),
        ("postChatHeaderXibName", "BCPostChatHeaderView", "BCPostChatHeaderLogic", ["cell", "label"]),
        ("postChatEmailFooterXibName", "BCPostChatEmailFooterView", "BCPostChatEmailFooterLogic", ["cell", "label"]),
        (
            "unavailableChatHeaderXibName", "BCUnavailableChatHeaderView", "BCUnavailableChatHeaderLogic",
            ["cell", "label"]
        ),
        (
            "chatViewXibName", "BCChatView", "BCChatViewLogic",
            [
                "view", "cancelChatButton", "chatHistoryWebView", "chatHistoryWebViewHolderView",
                "emailChatHistoryButton", "endChatButton", "inputTextView", "inputHolderView", "queuePositionLabel",
                "sendButton", "typingLabel", "chatExternalActionButton",
            ]
        ),
    ]

    /// The actions of buttons, and what the view controller calls for the application's own.
    static let actions = [
        "mainExternalActionButtonPressed", "endExternalActionButtonPressed", "errorExternalActionButtonPressed",
        "chatExternalActionButtonPressed", "mainExternalActionPressed:", "endExternalActionPressed:",
        "errorExternalActionPressed:", "chatExternalActionPressed:", "boldChatViewControllerMainExternalActionPressed:",
        "boldChatViewControllerEndExternalActionPressed:", "boldChatViewControllerErrorExternalActionPressed:",
        "boldChatViewControllerChatExternalActionPressed:", "cancelChatPressed", "emailChatHistoryPressed",
        "endChatPressed", "sendButtonPressed",
    ]

    /// The views, and what else the page names.
    static let others = [
        "errorView", "endView", "pre-chat form", "unavailable chat form", "chat view", "post-chat form", "loadingView",
        "one view at a time", "any outlet disconnected", "several groups of xibs", "names without extension",
        "submission style", "one to five stars", "ASStarRatingView", "BCStarRatingView", "rating",
        "agent messages of any HTML", "chatHistoryHtmlName", "chatViewEventHandler", "ChatViewEventHandler",
        "alert for the address", "BCTextViewWithPlaceHolder", "several agents type",
    ]
}
