import JSON
import Machines

/// The properties of the vendor's table "Feature Flags", with the names its web client has for them.
enum FeatureFlags {
    /// The properties in the order of the table.
    static let all: [Setting] = [
        Setting(
            "disablePastActions", .choice(["all", "none", "postback"]), default: "all", .acts,
            "Which actions of earlier messages become unusable once the user has answered."),
        Setting(
            "displayPreviousMessages", aliases: ["enableLocalConversationHistory"], .flag, default: false, .acts,
            "Whether the messages of earlier sessions are shown again."),
        Setting(
            "enableAgentSneakPreview", .flag, default: false, .acts,
            "Whether the agent sees what the user is typing; `...` otherwise."),
        Setting("enableAttachment", .flag, default: true, .acts, "Whether files can be sent."),
        Setting(
            "enableAttachmentSecurity", .flag, default: false, .acts,
            "Whether uploaded files can be downloaded with a token only."),
        Setting(
            "enableAutoSendSpeechResponse",
            aliases: ["enableSpeechAutoSend", "enableSpeechRecognitionAutoSend", "enableSpeechAutoSendSpeechResponse"],
            .flag, default: true, .acts,
            "Whether recognized speech is sent at once; otherwise it stands in the input field."),
        Setting("enableClearMessage", .flag, default: false, .acts, "Whether the user can clear the messages."),
        Setting(
            "enableDefaultClientResponse", .flag, default: false, .acts,
            "Whether the client itself says something while the skill is slow or silent."),
        Setting("enableEndConversation", .flag, default: true, .acts, "Whether the user can end the conversation."),
        Setting(
            "enableSendTypingStatus", .flag, default: false, .acts, "Whether the agent is told that the user types."),
        Setting(
            "enableSpeechRecognition", aliases: ["enableSpeech"], .flag, default: false, .acts,
            "Whether the user can speak."),
        Setting(
            "enableSpeechSynthesis", aliases: ["enableBotAudioResponse"], .flag, default: false, .acts,
            "Whether messages are read aloud."),
        Setting("enableTimestamp", .flag, default: true, .acts, "Whether messages show when they came."),
        Setting("headerLogo", .text, default: nil, .held, "The picture in the header."),
        Setting(
            "headerLogoAlignment", .choice(["left", "right"]), default: "left", .held, "Where the header's picture is."),
        Setting(
            "initSpeechSynthesisMuted", aliases: ["initBotAudioMuted"], .flag, default: true, .acts,
            "Whether reading aloud is muted at first."),
        Setting(
            "initUserHiddenMessage", .json, default: nil, .acts,
            "A text or message sent at the start of a session without being shown."),
        Setting(
            "initUserProfile",
            .declared(.record([optional("profile", .map(.json), "What is known of the user; any.")])), default: nil,
            .acts, "Sent at the start of a session before the hidden message."),
        Setting(
            "initMessageOptions", .choice(["expand", "init"]), default: "expand", .acts,
            "Whether the first messages wait until the chat is opened."),
        Setting(
            "multiLangChat", .declared(MultiLanguage.scriptType), default: nil, .acts,
            "The languages that the user can choose from, and the one to begin with."),
        Setting(
            "sharePopupConfiguration", aliases: ["shareMenuConfiguration", "shareMenuItems"],
            .declared(ShareMenu.scriptType), default: nil, .acts,
            "Which kinds of files can be sent; a list is one of items."),
        Setting("showConnectionStatus", .flag, default: false, .acts, "Whether the header shows the status."),
        Setting(
            "showTypingStatus", aliases: ["showTypingIndicator"], .flag, default: true, .acts,
            "Whether an indicator shows that an answer is awaited."),
        Setting(
            "speechLocale", .text, default: "en-us", .acts, "The language that is spoken, such as en-us."),
        Setting(
            "speechSynthesisVoicePreferences", .declared(SpeechVoice.preferences), default: nil, .acts,
            "The voices to read with, most wanted first."),
        Setting(
            "timestampFormat", .text, default: "E MMM d, HH:mm a", .acts,
            "The form of times, as in Swift's DateFormatter."),
        Setting(
            "timestampMode", .choice(["relative", "default"]), default: "relative", .acts,
            "Whether the latest message shows its age or every message its time."),
        Setting(
            "timeZoneOffset", .count(-1440...1440), default: 0, .acts, "The user's time zone, in minutes east of UTC."),
        Setting("title", .text, default: nil, .acts, "The title of the chat; odais_chat_title unless given."),
        Setting(
            "ttsService", .json, default: nil, .acts,
            "Functions that read aloud in place of the client: speak, stop_speech, is_speaking."),
        Setting(
            "typingStatusInterval", .seconds(0...3600), default: 3, .acts,
            "How often the agent is told at most that the user types; 3 seconds, to which the vendor's clients raise less."
        ),
        Setting(
            "typingStatusTimeout", aliases: ["typingIndicatorTimeout"], .seconds(1...3600), default: 30, .acts,
            "When the indicator of an awaited answer goes away; 30 seconds unless given."),
        Setting(
            "defaultGreetingTimeout", .seconds(1...3600), default: 5, .acts,
            "When the client greets in place of a silent skill; 5 seconds unless given."),
        Setting(
            "defaultWaitMessageInterval", .seconds(1...3600), default: 5, .acts,
            "How often the client asks for patience; 5 seconds unless given."),
        Setting(
            "enableHeadless", .flag, default: false, .acts,
            "Whether there is no chat view: first messages are left to the script and nothing counts as unread."),
        Setting(
            "enableAutocomplete", .flag, default: false, .acts,
            "Whether completions are asked for from three characters on."),
        Setting(
            "messageCacheSizeLimit", .count(0...100_000), default: 2000, .acts, "How many messages are kept."),
        Setting("openChatOnLoad", .flag, default: true, .acts, "Whether the chat is open from the start."),
        Setting("enableTabsSync", .flag, default: true, .kept, "Whether other tabs mirror the conversation."),
        Setting("typingDelay", .seconds(0...60), default: 0, .kept, "How long an answer is held back on screen."),
        Setting("showPrevConvStatus", .flag, default: true, .held, "Whether a line parts old messages from new ones."),
    ]
}
