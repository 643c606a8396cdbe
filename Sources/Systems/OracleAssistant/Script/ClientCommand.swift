import JSON
import Machines

/// What a script asks a client to do.
enum ClientCommand: Sendable {
    case initialize
    /// Needs a client that is not destroyed. The name is the method's, for what is said if it is.
    case living(LivingCommand, name: String)
}

/// What a client does that is not destroyed.
enum LivingCommand: Sendable {
    case life(LifeCommand)
    case conversation(ConversationCommand)
    case view(ViewCommand)
    case device(DeviceCommand)
    case read(ReadCommand)
}

/// What concerns the life of a client.
enum LifeCommand: Sendable {
    case connect(JSONObject?)
    case disconnect
    case destroy
    case goOffline
    case goOnline
    case endChat
    case closeChat(isConfirmed: Bool)
}

/// What is said to the server.
enum ConversationCommand: Sendable {
    case say(String)
    case send(JSONValue)
    case tap(label: String, JSONObject?)
    case rate(stars: Int64)
    case submitForm(JSONObject, number: Int64?)
    case changeField(key: String, JSONValue)
    case upload(JSONObject)
    case sendLocation(latitude: Double, longitude: Double, title: String?)
    case sendEvent(SkillEvent)
    case updateContext(String, more: JSONObject?)
    case setProfile(JSONObject)
    case enterText(String)
    case sendTypingStatus(isActive: Bool, text: String?)
    case suggest(String)
    case cancelResponse
    case setLanguage(String?)
}

/// An event for the skill; it is no turn of the user.
struct SkillEvent: Sendable {
    let type: String
    let version: String?
    let data: JSONValue?
    let context: JSONValue?
}

/// What is done with the view.
enum ViewCommand: Sendable {
    case openChat
    case minimizeChat
    case markAllRead
    case clearMessages
    case clearHistory(clearsView: Bool)
    case openLink(String, fails: Bool)
    case closeLink
    case setPlace(latitude: Double?, longitude: Double?, obstacle: PlaceObstacle?)
    case setPersonAvatar(String)
    case setAgentDetails(JSONObject)
}

/// What is done with the device: its files, its microphone and its voice.
enum DeviceCommand: Sendable {
    case setShareMenu(JSONValue)
    case startRecording(JSONObject?)
    case stopRecording
    case setSpeechLocale(String)
    case speak(String)
    case stopSpeech
    case mute(Bool)
}

/// Why a device does not tell where it is.
enum PlaceObstacle: String, CaseIterable, Sendable {
    case denied, disabled
}

/// What is only looked up.
enum ReadCommand: Sendable {
    case screen
    case screenHTML
    case history
    case setting(String)
    case string(String, value: String?)
    case agentDetails
    case shareMenu
    case isRecording
    case isSpeaking
    case languageMenu
    case downloadURL(String)
}
