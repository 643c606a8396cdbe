/// The words of the client, by the keys of the vendor's table "Strings", with the defaults of that table.
///
/// The table's oddities are kept: the labels of the two arrows of cards are swapped, and one word is misspelt.
struct StringTable: Sendable {
    /// One key of the table.
    struct Entry: Sendable {
        let key: String
        let text: String
        let effect: Setting.Effect
    }

    private var replaced: [String: String] = [:]

    /// Creates a table in which some texts are replaced.
    init(replacing texts: [String: String] = [:]) {
        self.replaced = texts
    }

    /// Returns the text of a key, or the key itself where the table has none, as applications do.
    ///
    /// - Parameter value: What stands for `{0}` in the text.
    func text(_ key: String, _ value: String? = nil) -> String {
        let text = self.replaced[key] ?? Self.defaults[key] ?? key
        return value.map { text.replacing("{0}", with: $0) } ?? text
    }

    /// The default texts by their keys.
    static let defaults = Dictionary(uniqueKeysWithValues: Self.entries.map { ($0.key, $0.text) })

    private static func acts(_ key: String, _ text: String) -> Entry { Entry(key: key, text: text, effect: .acts) }

    private static func held(_ key: String, _ text: String) -> Entry { Entry(key: key, text: text, effect: .held) }

    /// All keys in the order of the vendor's table.
    static let entries: [Entry] = [
        acts(
            "connectionFailureMessage",
            "Sorry, the assistant is unavailable right now. If the issue persists, contact your help desk."),
        acts("connectionRetryLabel", "Try Again"),
        acts("end_conversation_action_yes", "Yes"),
        acts("end_conversation_alert_message", "This will also clear your conversation history"),
        acts("end_conversation_alert_no", "No"),
        acts("end_conversation_alert_title", "Are you sure you want to end the conversation?"),
        acts("odais_access_label_audio_attachment", "audio attachment"),
        held("odais_access_label_button_attach", "Upload attachment"),
        held("odais_access_label_button_audio_reponse_off", "Unmute audio response"),
        held("odais_access_label_button_audio_reponse_on", "Mute audio response"),
        held("odais_access_label_button_back", "Go back"),
        held("odais_access_label_button_card_navigation_left", "Card navigation right"),
        held("odais_access_label_button_card_navigation_right", "Card navigation left"),
        held("odais_access_label_button_clear", "Clear messages"),
        held("odais_access_label_button_keyboard", "Enter message"),
        held("odais_access_label_button_overflow", "Open Menu"),
        held("odais_access_label_button_select_language", "Select Language"),
        held("odais_access_label_button_send", "Send message"),
        held("odais_access_label_button_speak", "Speak message"),
        acts("odais_access_label_card_desc", "card description"),
        acts("odais_access_label_card_title", "card title"),
        acts("odais_access_label_chat_status", "Chat status"),
        acts("odais_access_label_chat_title", "Chat title"),
        acts("odais_access_label_file_attachment", "file attachment"),
        acts("odais_access_label_footer_text", "footer text"),
        acts("odais_access_label_header_text", "header text"),
        acts("odais_access_label_image_attachment", "image attacment"),
        acts("odais_access_label_location_message", "location message"),
        held("odais_access_label_pause", "Pause"),
        held("odais_access_label_play", "Play"),
        acts("odais_access_label_skill", "Skill"),
        acts("odais_access_label_text_message", "text message"),
        acts("odais_access_label_user", "User"),
        acts("odais_access_label_video_attachment", "video attachment"),
        acts("odais_access_label_webview_clear_button", "Close webview"),
        acts("odais_access_label_webview_title", "Webview title"),
        acts("odais_alert", "Alert"),
        acts("odais_camera", "Camera"),
        acts("odais_camera_permission_denied", "Camera permission denied."),
        acts("odais_chat_title", "Digital Assistant"),
        acts("odais_check_url", "Please check the url!"),
        held("odais_clear_chat", "Clear Chat"),
        acts("odais_connected", "Connected"),
        acts("odais_connecting", "Connecting"),
        acts("odais_default_greeting_message", "Hey, Nice to meet you! Allow me a moment to get back to you."),
        acts("odais_default_sorry_message", "I'm sorry. I can't get you the right content. Please try again."),
        acts("odais_default_wait_message", "I'm still working on your request. Thank you for your patience!"),
        acts("odais_disconnected", "Disconnected"),
        acts("odais_done", "Done"),
        held("odais_download_attachment_folder", ""),
        acts("odais_error", "Error"),
        acts(
            "odais_fail_to_load",
            "Sorry, we can't open this page in the chat window. Click {here} to open it in your browser."),
        acts("odais_file_not_supported", "File type not supported"),
        acts("odais_file_size_warning", "You can only attach files of size up to {0}MB."),
        acts("odais_files", "Files"),
        acts("odais_gallery_permission_denied", "You don't have permission to access gallery."),
        acts("odais_language_ar", "Arabic"),
        acts("odais_language_de", "German"),
        acts("odais_language_detect", "Detect Language"),
        acts("odais_language_en", "English"),
        acts("odais_language_es", "Spanish"),
        acts("odais_language_fr", "French"),
        acts("odais_language_it", "Italian"),
        acts("odais_language_nl", "Dutch"),
        acts("odais_language_pt", "Portuguese"),
        acts(
            "odais_location_disabled",
            "Location services not enabled. Please enable the Location Services switch in Settings > Privacy."),
        acts(
            "odais_location_fetch_error",
            "Error in getting device location. Please check location settings or try again."),
        acts("odais_location_permission_denied", "Location Permission Denied."),
        held("odais_mute", "Mute"),
        acts("odais_no_speech_error", "Could not detect the voice, no message sent."),
        acts("odais_notification_title", "OracleChatBot"),
        held("odais_ok", "Ok"),
        acts("odais_photo", "Photo & Video Library"),
        held("odais_select_language", "Select Language"),
        acts("odais_speak_your_message", "Start speaking"),
        held("odais_speech_cancel", "CANCEL"),
        acts("odais_speech_error", "Error in voice recognition. Please try again later."),
        acts("odais_speech_permission_denied", "Permission_Denied"),
        acts("odais_speech_start", "Listening..."),
        acts("odais_speech_unsupported_locale", "The set speech locale is not supported. Cannot start recording."),
        acts("odais_stars_rating", "Rate {0} star"),
        acts("odais_subtitle", ""),
        acts("odais_timestamp_days", "{0}d ago"),
        acts("odais_timestamp_hours", "{0}hr ago"),
        acts("odais_timestamp_minutes", "{0}min ago"),
        acts("odais_timestamp_months", "{0}mth ago"),
        acts("odais_timestamp_now", "Now"),
        acts("odais_timestamp_seconds", "A few seconds ago"),
        acts("odais_timestamp_years", "{0}yr ago"),
        acts("odais_too_much_speech_error", "Too much voice input to recognize. Cannot generate recognized text."),
        acts("odais_type_your_message", "Enter message"),
        held("odais_unmute", "Unmute"),
        acts("odais_upload_attachment", "Uploading attachment"),
        acts("odais_upload_attachment_error", "Error in uploading attachment"),
        acts("odais_zero_byte_file_warning", "Files of size zero bytes can not be uploaded."),
    ]
}
