import JSON

/// How the chat looks: the vendor's tables "UI Properties and Colors" and "Icons", with the defaults of those tables.
enum Appearance {
    /// Everything that `ui` of a script's options can set.
    static let properties: [Setting] = Self.layout + Self.webView + Self.colors + Self.icons

    /// What is no color and no icon.
    static let layout: [Setting] = [
        Setting(
            "actionsLayout", .json,
            default: [
                "local": "horizontal", "global": "horizontal", "card": "horizontal", "form": "horizontal",
            ], .acts, "How buttons lie: local, global, card and form, each horizontal or vertical."),
        Setting(
            "conversationBeginPosition", .choice(["top", "bottom"]), default: "bottom", .held,
            "Where the conversation begins."),
        Setting(
            "EnableArrowsForHorizontalCards", .flag, default: false, .held, "Whether cards have arrows to move them."),
        Setting("IsRTL", .flag, default: false, .acts, "Whether the chat is laid out from right to left."),
        Setting(
            "LinkHandler", .choice(["browser", "webview"]), default: "browser", .acts,
            "Where links open: in a browser, or in a webview within the chat."),
        Setting("Theme", .choice(["DEFAULT", "REDWOOD_DARK"]), default: "DEFAULT", .held, "The theme."),
        Setting(
            "WebViewConfig", .json, default: nil, .acts,
            "The attributes of the webview, each of which can also be given by itself."),
    ]

    /// The attributes of the webview.
    static let webView: [Setting] = [
        Setting("webViewSize", .choice(["partial", "full"]), default: "partial", .acts, "How large the webview is."),
        Setting(
            "clearButtonLabel", .text, default: nil, .acts, "The words on its close button; odais_done unless given."),
        Setting("clearButtonIcon", .text, default: "", .held, "The icon of its close button."),
        Setting("clearButtonLabelColor", .color, default: "UIColor.white", .held, "The color of those words."),
        Setting("clearButtonColor", .color, default: "UIColor.clear", .held, "The color of its close button."),
        Setting("webviewHeaderColor", .color, default: nil, .held, "The color of its header."),
        Setting("webviewTitleColor", .color, default: nil, .held, "The color of its title, which is the URL."),
    ]

    /// The colors.
    static let colors: [Setting] = [
        Self.color("ActionBorderColor", "161513.withAlphaComponent(0.50)"),
        Self.color("ActionButtonColor", "UIColor.clear"),
        Self.color("ActionLabelTextColor", "#161513"),
        Self.color("AgentAvatarBackgroundColor", "#A890B6"),
        Self.color("AgentAvatarTextColor", "UIColor.white"),
        Self.color("AgentNameTextColor", "#161513.withAlphaComponent(0.65)"),
        Self.color("AttachmentBackgroundColor", "UIColor.white"),
        Self.color("AttachmentBorderColor", "#161513"),
        Self.color("AttachmentIconColor", "#161513"),
        Self.color("AttachmentTextColor", "#161513"),
        Self.color("BotMessageColor", "UIColor.white"),
        Self.color("BotTextColor", "#161513"),
        Self.color("CardActionBorderColor", "#161513.withAlphaComponent(0.50)"),
        Self.color("CardActionButtonColor", "UIColor.clear"),
        Self.color("CardActionLabelTextColor", "UIColor.white"),
        Self.color("CardBackgroundColor", "UIColor.white"),
        Self.color("CardDescriptionTextColor", "#161513"),
        Self.color("CardNavigationArrowColor", "#161513"),
        Self.color("CardNavigationButtonColor", "#FBF9F8"),
        Self.color("CardTitleTextColor", "#161513"),
        Self.color("ChatBackgroundColor", "#F5F4F2"),
        Self.color("FooterColor", "UIColor.white"),
        Self.color("FooterIconsColor", "#161513"),
        Self.color("FooterInlineIconsColor", "#004C8C"),
        Self.color("GlobalActionBorderColor", "#161513.withAlphaComponent(0.50)"),
        Self.color("GlobalActionButtonColor", "#0077C2"),
        Self.color("GlobalActionLabelTextColor", "#161513"),
        Self.color("HeaderColor", "#F1EFED"),
        Self.color("HeaderIconsColor", "#161513"),
        Self.color("HeaderTextColor", "#161513"),
        Self.color("InputFieldColor", "#161513"),
        Self.color("InputFieldTextColor", "#161513"),
        Self.color("PopupBackgroundColor", "UIColor.white"),
        Self.color("PopupIconColor", "#161513"),
        Self.color("PopupTextColor", "#161513"),
        Self.color("RatingStarColor", "UIColor.white"),
        Self.color("RatingStarColorFill", "#0077C2"),
        Self.color("SpeechVisualizationColor", "#161513"),
        Self.color("SpeechVisualizerContainerBackground", "UIColor.white"),
        Self.color("TimestampColor", "#161513.withAlphaComponent(0.65)"),
        Self.color("UserMessageColor", "#E4E1DD"),
        Self.color("UserTextColor", "#161513"),
    ]

    /// The icons, by the names of their picture assets.
    static let icons: [Setting] = [
        Self.icon("agentAvatar"),
        Self.icon("attachmentButton"),
        Self.icon("botAvatar"),
        Self.icon("clearButton"),
        Self.icon("closeButton"),
        Self.icon("downloadAttachmentButton"),
        Self.icon("file"),
        Self.icon("keyboardButton"),
        Self.icon("leftArrow"),
        Self.icon("micButton"),
        Self.icon("personAvatar"),
        Self.icon("ratingIcon"),
        Self.icon("rightArrow"),
        Self.icon("sendButton"),
        Self.icon("selectLanguageButton"),
        Self.icon("overflowButton"),
        Self.icon("volumeOffButton"),
        Self.icon("volumeOnButton"),
        Self.icon("imageZoomButton"),
    ]

    private static let names = Set(Self.properties.map(\.name))

    /// Whether a setting belongs to `ui`.
    static func contains(_ setting: Setting) -> Bool { self.names.contains(setting.name) }

    /// Returns what is wrong with the tables among the values, which a single setting cannot tell.
    static func problems(in values: JSONObject) -> [String] {
        var problems: [String] = []
        for (place, direction) in values["actionsLayout"]?.object ?? [:] {
            let isKnown = ["local", "global", "card", "form"].contains(place)
            if !isKnown || !["horizontal", "vertical"].contains(direction.string ?? "") {
                problems.append("actions_layout takes local, global, card and form, each horizontal or vertical")
            }
        }
        for (name, value) in values["WebViewConfig"]?.object ?? [:] {
            guard let setting = self.webView.first(where: { $0.name == name || $0.scriptName == name }) else {
                problems.append("web_view_config has no attribute \(name)")
                continue
            }
            if let problem = setting.problem(with: value) { problems.append(problem) }
        }
        return problems
    }

    private static func color(_ name: String, _ value: String) -> Setting {
        Setting(name, .color, default: .string(value), .held, "A color.")
    }

    private static func icon(_ name: String) -> Setting {
        Setting(name, .text, default: .string(name), .held, "The picture of an icon: an asset or a URL.")
    }
}
