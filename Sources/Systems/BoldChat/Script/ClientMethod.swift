/// The methods of a visitor in scripts.
enum ClientMethod: String, CaseIterable, Sendable {
    case createChat = "create_chat"
    case submitPreChat = "submit_pre_chat"
    case submitPostChat = "submit_post_chat"
    case submitUnavailable = "submit_unavailable"
    case say, typing, finish
    case cancelChat = "cancel_chat"
    case emailHistory = "email_history"
    case changeLanguage = "change_language"
    case checkAvailability = "check_availability"
    case cancelRequest = "cancel_request"
    case suspend, resume
    case sendFile = "send_file"
    case acceptActiveAssist = "accept_active_assist"
    case declineActiveAssist = "decline_active_assist"
    case cancelActiveAssist = "cancel_active_assist"
    case acceptRemoteControl = "accept_remote_control"
    case declineRemoteControl = "decline_remote_control"
    case acceptVideo = "accept_video"
    case declineVideo = "decline_video"
    case reload
    case getDepartments = "get_departments"
    case getVideoURL = "get_video_url"
    case supportVideo = "support_video"
    case screenPress = "screen_press"
    case screenType = "screen_type"
    case screenHTML = "screen_html"
    case endSession = "end_session"
}
