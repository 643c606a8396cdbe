/// What the vendor's document *Oracle iOS* names, as facts of our own making: names, figures and colors, and of each
/// text a fingerprint instead of its words.
///
/// ``DocumentCoverageTests`` compares it with the document itself where that lies beside the checkout.
enum OracleFacts {
    /// A text that the document gives for a key of the string table.
    struct Text: Sendable {
        let key: String
        /// FNV-1a, 64 bits, over the UTF-8 of the default text.
        let fingerprint: UInt64
    }

    /// Returns the fingerprint of a text.
    static func fingerprint(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    static let networkProperties = [
        "url", "channelId", "userId", "authToken",
    ]

    static let featureFlags = [
        "disablePastActions", "displayPreviousMessages", "enableAgentSneakPreview", "enableAttachment",
        "enableAttachmentSecurity", "enableAutoSendSpeechResponse", "enableClearMessage",
        "enableDefaultClientResponse", "enableEndConversation", "enableSendTypingStatus", "enableSpeechRecognition",
        "enableSpeechSynthesis", "enableTimestamp", "headerLogo", "headerLogoAlignment", "initSpeechSynthesisMuted",
        "initUserHiddenMessage", "initUserProfile", "multiLangChat", "reconnectMaxAttempts",
        "sharePopupConfiguration", "showConnectionStatus", "showTypingStatus", "speechLocale",
        "speechSynthesisVoicePreferences", "timestampFormat", "timestampMode", "title", "ttsService",
        "typingStatusInterval", "typingStatusTimeout",
    ]

    /// Flags that chapters mention beside the table.
    static let mentionedFlags = [
        "disablePastActions", "enableAutoSendSpeechResponse", "enableBotAudioResponse", "enableDefaultClientResponse",
        "enableEndConversation", "enableSendTypingStatus", "enableSpeechAutoSendSpeechResponse",
        "enableSpeechRecognition", "enableSpeechSynthesis", "enableTimestamp", "multiLangChat",
        "shareMenuConfiguration", "showConnectionStatus", "speechSynthesisVoicePreferences", "timestampMode",
        "ttsService",
    ]

    static let texts: [Text] = [
        Text(key: "connectionFailureMessage", fingerprint: 0xA4576D5DF0D421D2),
        Text(key: "connectionRetryLabel", fingerprint: 0x8CDCBE65C5E46F7A),
        Text(key: "end_conversation_action_yes", fingerprint: 0xCB489A1A173AC3F0),
        Text(key: "end_conversation_alert_message", fingerprint: 0xCD86DBC776C88079),
        Text(key: "end_conversation_alert_no", fingerprint: 0x09205907B5B56CDA),
        Text(key: "end_conversation_alert_title", fingerprint: 0x4823B2811B2B4709),
        Text(key: "odais_access_label_audio_attachment", fingerprint: 0x426CBE7FB6668876),
        Text(key: "odais_access_label_button_attach", fingerprint: 0xE6B146525B113561),
        Text(key: "odais_access_label_button_audio_reponse_off", fingerprint: 0x22F5F56C244FC52C),
        Text(key: "odais_access_label_button_audio_reponse_on", fingerprint: 0x4B1DE7852F4A5625),
        Text(key: "odais_access_label_button_back", fingerprint: 0x575E795C45E2D97E),
        Text(key: "odais_access_label_button_card_navigation_left", fingerprint: 0x7A34620F46C59F59),
        Text(key: "odais_access_label_button_card_navigation_right", fingerprint: 0x610C346C7DFE01EC),
        Text(key: "odais_access_label_button_clear", fingerprint: 0xBFEBD2E1CF0BABA2),
        Text(key: "odais_access_label_button_keyboard", fingerprint: 0x95CA35EA9AD3D256),
        Text(key: "odais_access_label_button_overflow", fingerprint: 0xB81F35175E1AA13C),
        Text(key: "odais_access_label_button_select_language", fingerprint: 0x350E441C4E109239),
        Text(key: "odais_access_label_button_send", fingerprint: 0xB9E306D8FCFB3C1C),
        Text(key: "odais_access_label_button_speak", fingerprint: 0x6D2D7039D622FF72),
        Text(key: "odais_access_label_card_desc", fingerprint: 0xF5CC708CC8820EA1),
        Text(key: "odais_access_label_card_title", fingerprint: 0xA3E2A89A47C87FE1),
        Text(key: "odais_access_label_chat_status", fingerprint: 0x716D2A850D3566F3),
        Text(key: "odais_access_label_chat_title", fingerprint: 0x0D777DB08BBFEF5D),
        Text(key: "odais_access_label_file_attachment", fingerprint: 0x3A53E5A91019DBFC),
        Text(key: "odais_access_label_footer_text", fingerprint: 0x8A3E81BF537509A5),
        Text(key: "odais_access_label_header_text", fingerprint: 0x3748617BCB013317),
        Text(key: "odais_access_label_image_attachment", fingerprint: 0xF522F7CAB48A7FCD),
        Text(key: "odais_access_label_location_message", fingerprint: 0x98C6641CAE7D84B9),
        Text(key: "odais_access_label_pause", fingerprint: 0x061CC20E3432DEAD),
        Text(key: "odais_access_label_play", fingerprint: 0xCD105819B5A10243),
        Text(key: "odais_access_label_skill", fingerprint: 0xB730E0A376B9A296),
        Text(key: "odais_access_label_text_message", fingerprint: 0xC83A590410C20B61),
        Text(key: "odais_access_label_user", fingerprint: 0xA48F81F001B893D2),
        Text(key: "odais_access_label_video_attachment", fingerprint: 0x16AC1E98ED5E5031),
        Text(key: "odais_access_label_webview_clear_button", fingerprint: 0xAA0582F9175224F0),
        Text(key: "odais_access_label_webview_title", fingerprint: 0x8E449D781D799232),
        Text(key: "odais_alert", fingerprint: 0xF1EC4ACB8D744ED9),
        Text(key: "odais_camera", fingerprint: 0x54D1B2A64667E32E),
        Text(key: "odais_camera_permission_denied", fingerprint: 0xC0932C80E8897156),
        Text(key: "odais_chat_title", fingerprint: 0xBFC86C3E4836C213),
        Text(key: "odais_check_url", fingerprint: 0x5914D6FDE877AC20),
        Text(key: "odais_clear_chat", fingerprint: 0xCB331C9ED158E138),
        Text(key: "odais_connected", fingerprint: 0x82A4E28AB5B56670),
        Text(key: "odais_connecting", fingerprint: 0x4B052CB287D81DA7),
        Text(key: "odais_default_greeting_message", fingerprint: 0xFD20D3462694CE98),
        Text(key: "odais_default_sorry_message", fingerprint: 0x78C914A13B75B5ED),
        Text(key: "odais_default_wait_message", fingerprint: 0x73F7065951FF089B),
        Text(key: "odais_disconnected", fingerprint: 0xFC2C3BD345C0128A),
        Text(key: "odais_done", fingerprint: 0x0379FC73608AB971),
        Text(key: "odais_download_attachment_folder", fingerprint: 0xCBF29CE484222325),
        Text(key: "odais_error", fingerprint: 0x5F343A43E7EA9F91),
        Text(key: "odais_fail_to_load", fingerprint: 0x95DA29EFBAD44B5C),
        Text(key: "odais_file_not_supported", fingerprint: 0x2C613F55190525C2),
        Text(key: "odais_file_size_warning", fingerprint: 0x3742ECB4F125C6D7),
        Text(key: "odais_files", fingerprint: 0x803CE7E1A2294D50),
        Text(key: "odais_gallery_permission_denied", fingerprint: 0xF65D8860A705801E),
        Text(key: "odais_language_ar", fingerprint: 0xB884FA76BFC55429),
        Text(key: "odais_language_de", fingerprint: 0x63E71D20D1EACA93),
        Text(key: "odais_language_detect", fingerprint: 0xEFA7BB57BA10D494),
        Text(key: "odais_language_en", fingerprint: 0x4CAED5B7A7E5D89B),
        Text(key: "odais_language_es", fingerprint: 0xF1868DC19E3917BB),
        Text(key: "odais_language_fr", fingerprint: 0x75A27F43413E02C5),
        Text(key: "odais_language_it", fingerprint: 0xD48CC52117F4D68B),
        Text(key: "odais_language_nl", fingerprint: 0x95D56E58F816D211),
        Text(key: "odais_language_pt", fingerprint: 0xCF932840A69DBB7C),
        Text(key: "odais_location_disabled", fingerprint: 0xACC3DCF70D40DE17),
        Text(key: "odais_location_fetch_error", fingerprint: 0xDAD46B81B50A6FF3),
        Text(key: "odais_location_permission_denied", fingerprint: 0x3F4FE90735A69E5E),
        Text(key: "odais_mute", fingerprint: 0xE0F67EAE944F8F94),
        Text(key: "odais_no_speech_error", fingerprint: 0x8144814158757A97),
        Text(key: "odais_notification_title", fingerprint: 0x713FF44A6E08908A),
        Text(key: "odais_ok", fingerprint: 0x091D5D07B5B33DCF),
        Text(key: "odais_photo", fingerprint: 0xEEF0AF42F8734571),
        Text(key: "odais_select_language", fingerprint: 0x350E441C4E109239),
        Text(key: "odais_speak_your_message", fingerprint: 0xCA9B6E6BCF30B82F),
        Text(key: "odais_speech_cancel", fingerprint: 0x5B9F294C4F4A21FB),
        Text(key: "odais_speech_error", fingerprint: 0x79FB01BD70AB0758),
        Text(key: "odais_speech_permission_denied", fingerprint: 0xB4A5C4583F76592C),
        Text(key: "odais_speech_start", fingerprint: 0x4D4F4F8D267E3018),
        Text(key: "odais_speech_unsupported_locale", fingerprint: 0x4841AA2024A04499),
        Text(key: "odais_stars_rating", fingerprint: 0xA6E8FF263D45B5D7),
        Text(key: "odais_subtitle", fingerprint: 0xCBF29CE484222325),
        Text(key: "odais_timestamp_days", fingerprint: 0x95A8E25CB1F7F3DA),
        Text(key: "odais_timestamp_hours", fingerprint: 0x18ABA9B56B3033F6),
        Text(key: "odais_timestamp_minutes", fingerprint: 0xF8DE71F8E9645A86),
        Text(key: "odais_timestamp_months", fingerprint: 0xFA098AE91F6AF0F9),
        Text(key: "odais_timestamp_now", fingerprint: 0x3763F519C347A9F7),
        Text(key: "odais_timestamp_seconds", fingerprint: 0xB07869DF63F2F2BE),
        Text(key: "odais_timestamp_years", fingerprint: 0x0AF3F461F807936F),
        Text(key: "odais_too_much_speech_error", fingerprint: 0xE383C381AD0B33CA),
        Text(key: "odais_type_your_message", fingerprint: 0x95CA35EA9AD3D256),
        Text(key: "odais_unmute", fingerprint: 0xC07837C309CC699B),
        Text(key: "odais_upload_attachment", fingerprint: 0x93BE6AEFD2DE5B61),
        Text(key: "odais_upload_attachment_error", fingerprint: 0x2710C221506F3860),
        Text(key: "odais_zero_byte_file_warning", fingerprint: 0x806437FBBF99D43B),
    ]

    /// UI properties with the color that they have unless set; nil is no color.
    static let appearance: [(name: String, color: String?)] = [
        ("ActionBorderColor", "161513.withAlphaComponent(0.50)"),
        ("ActionButtonColor", "UIColor.clear"),
        ("ActionLabelTextColor", "#161513"),
        ("AgentAvatarBackgroundColor", "#A890B6"),
        ("AgentAvatarTextColor", "UIColor.white"),
        ("AgentNameTextColor", "#161513.withAlphaComponent(0.65)"),
        ("AttachmentBackgroundColor", "UIColor.white"),
        ("AttachmentBorderColor", "#161513"),
        ("AttachmentIconColor", "#161513"),
        ("AttachmentTextColor", "#161513"),
        ("BotMessageColor", "UIColor.white"),
        ("BotTextColor", "#161513"),
        ("CardActionBorderColor", "#161513.withAlphaComponent(0.50)"),
        ("CardActionButtonColor", "UIColor.clear"),
        ("CardActionLabelTextColor", "UIColor.white"),
        ("CardBackgroundColor", "UIColor.white"),
        ("CardDescriptionTextColor", "#161513"),
        ("CardNavigationArrowColor", "#161513"),
        ("CardNavigationButtonColor", "#FBF9F8"),
        ("CardTitleTextColor", "#161513"),
        ("ChatBackgroundColor", "#F5F4F2"),
        ("conversationBeginPosition", nil),
        ("EnableArrowsForHorizontalCards", nil),
        ("FooterColor", "UIColor.white"),
        ("FooterIconsColor", "#161513"),
        ("FooterInlineIconsColor", "#004C8C"),
        ("GlobalActionBorderColor", "#161513.withAlphaComponent(0.50)"),
        ("GlobalActionButtonColor", "#0077C2"),
        ("GlobalActionLabelTextColor", "#161513"),
        ("HeaderColor", "#F1EFED"),
        ("HeaderIconsColor", "#161513"),
        ("HeaderTextColor", "#161513"),
        ("InputFieldColor", "#161513"),
        ("InputFieldTextColor", "#161513"),
        ("IsRTL", nil),
        ("LinkHandler", nil),
        ("PopupBackgroundColor", "UIColor.white"),
        ("PopupIconColor", "#161513"),
        ("PopupTextColor", "#161513"),
        ("RatingStarColor", "UIColor.white"),
        ("RatingStarColorFill", "#0077C2"),
        ("SpeechVisualizationColor", "#161513"),
        ("SpeechVisualizerContainerBackground", "UIColor.white"),
        ("Theme", nil),
        ("TimestampColor", "#161513.withAlphaComponent(0.65)"),
        ("UserMessageColor", "#E4E1DD"),
        ("UserTextColor", "#161513"),
        ("WebViewConfig", nil),
    ]

    static let webViewAttributes = [
        "webViewSize", "clearButtonLabel", "clearButtonIcon", "clearButtonLabelColor", "clearButtonColor",
        "webviewHeaderColor", "webviewTitleColor",
    ]

    /// In the order of the document.
    static let icons = [
        "agentAvatar", "attachmentButton", "botAvatar", "clearButton", "closeButton", "downloadAttachmentButton",
        "file", "keyboardButton", "leftArrow", "micButton", "personAvatar", "ratingIcon", "rightArrow", "sendButton",
        "selectLanguageButton", "overflowButton", "volumeOffButton", "volumeOnButton", "imageZoomButton",
    ]

    /// The types of messages, actions, files and display.
    static let types = [
        "attachment", "call", "card", "form", "image", "link", "location", "postback", "raw", "table", "tableForm",
        "text", "url",
    ]

    /// The members of what the chapter about messages describes, by the object that has them.
    static let members: [(object: String, names: [String])] = [
        ("Conversation Message", ["messagePayload", "userId", "msgId", "source"]),
        ("Message", ["type", "headerText", "footerText", "actions", "globalActions", "channelExtensions"]),
        ("Attachment", ["type", "url", "mediaType"]), ("Location", ["title", "url", "longitude", "latitude"]),
        ("Action", ["type", "label", "imageUrl", "postback", "phoneNumber", "URL"]),
        ("Card", ["title", "description", "imageUrl", "URL", "actions", "channelExtensions", "mediaType"]),
        ("Heading", ["label", "alignment", "width", "channelExtensions"]), ("Row", ["fields", "channelExtensions"]),
        (
            "Field", ["displayType", "label", "value", "linkLabel", "alignment", "width", "channelExtensions"]
        ), ("Form", ["title", "field", "actions", "channelExtensions"]),
        (
            "PaginationInfo",
            [
                "totalCount", "rangeSize", "status", "currentRangeSize", "rangeStart", "nextRangeSize", "hasPrevious",
                "hasNext",
            ]
        ), ("AgentDetails", ["name", "avatarImage", "nameTextColor", "avatarTextColor", "avatarBackgroundColor"]),
        ("MultiLangChat", ["supportedLanguages", "primaryLanguage", "und"]), ("SupportedLanguage", ["lang", "label"]),
        ("ShareMenuItem", ["photoAndVideoLibrary", "camera", "files", "location"]),
        ("ShareMenuCustomItem", ["types", "label", "maxSize"]), ("TTSService", ["speak", "stopSpeech", "isSpeaking"]),
        ("actionsLayout", ["local", "global", "card", "form"]), ("LinkHandlerType", ["browser", "webview"]),
        ("WebViewSize", ["full", "partial"]), ("TimestampMode", ["default", "relative"]),
        ("TypingStatus", ["RESPONDING", "LISTENING"]), ("BotUITheme", ["DEFAULT", "REDWOOD_DARK"]),
        ("JWT", ["alg", "iat", "exp", "channelId", "userId", "Authorization header"]),
        (
            "channel",
            [
                "channel id", "secret", "client authentication", "max. token expiration", "session expiration",
                "enabled",
            ]
        ),
    ]

    /// What the chapters promise to happen in time.
    static let promises = [
        "the age of the latest message", "the header of a day", "the age on the latest message only",
        "the greeting of the client", "its wait messages", "its apology", "the indicator until the apology",
        "the end: a message to the skill", "the end: disconnected", "the end: the widget collapses",
        "the end: the history is erased", "the end: chatEnd", "opening afterwards begins anew",
        "a token asked once for a request", "a new language begins a new conversation",
        "the language of the profile without a primary one", "initConfiguration", "viewControllerInstance",
        "Info.plist permissions", "the typing of an agent", "a picture for who has none",
    ]

    /// Functions and callbacks.
    static let functions = [
        "beforeDisplay", "beforeEndConversation", "beforeSend", "beforeSendPostback", "chatEnd", "connect", "destroy",
        "disconnect", "endChat", "getAgentDetails", "isRecording", "isSpeaking", "onChatLanguageChange", "onDestroy",
        "onInitialize", "onReceiveMessage", "onStatusChange", "onUploadAttachment", "send", "sendUserTypingStatus",
        "setAgentDetails", "setPersonAvatar", "setPrimaryLanguage", "shareMenuItems", "speak", "startRecording",
        "stopRecording", "stopSpeech",
    ]
}
