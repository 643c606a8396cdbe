/// The vendor client's error codes.
enum ErrorCode: Int64, CaseIterable, Sendable {
    case unknown = -100
    case network = -101
    case malformedAnswer = -102
    case invalidAccessKey = -103
    case timedOut = -104
    case invalidChatKey = -200
    case invalidVisitorID = -201
    case invalidDepartmentID = -202
    case wrongState = -203
    case invalidForm = -204
    case invalidEmail = -205
    case invalidPhone = -206
    case chatStartFailed = -300
    case chatFinishFailed = -301
    case unavailableFormFailed = -302
    case eventStreamFailed = -303

    /// Reads the message of a failed answer, the way the session does.
    init(message: String?) {
        switch message ?? "" {
        case "No chat api settings found", "Not authorized", "Invalid ChatWindowID", "Invalid WebsiteID":
            self = .invalidAccessKey
        case "Invalid DepartmentID": self = .invalidDepartmentID
        case "Invalid ChatKey": self = .invalidChatKey
        case let text where text.contains("Visitor"): self = .invalidVisitorID
        default: self = .unknown
        }
    }

    /// Reads the message of a failed answer, the way the availability check does: it knows fewer of them.
    init(availabilityMessage message: String?) {
        self = message == "No chat api settings found" || message == "Not authorized" ? .invalidAccessKey : .unknown
    }

    /// What happened, for people who read a failure.
    var summary: String {
        switch self {
        case .unknown: "the server refused the call"
        case .network: "the server could not be reached"
        case .malformedAnswer: "the server's answer could not be read"
        case .invalidAccessKey: "the account does not accept the access key"
        case .timedOut: "the server did not answer within 30 seconds"
        case .invalidChatKey: "the server does not know the chat key"
        case .invalidVisitorID: "the server does not accept the visitor id"
        case .invalidDepartmentID: "the server does not know the department"
        case .wrongState: "the session is in a state that does not allow the call"
        case .invalidForm: "a required field is empty or a field has a value of the wrong form"
        case .invalidEmail: "the e-mail address has not the form of one"
        case .invalidPhone: "the phone number has not the form of one"
        case .chatStartFailed: "the chat could not be started again"
        case .chatFinishFailed: "the server did not finish the chat"
        case .unavailableFormFailed: "the server gave no unavailable form"
        case .eventStreamFailed: "neither the socket nor long polling could be connected"
        }
    }
}

/// The parts of the vendor client that report errors.
enum ErrorDomain: String, CaseIterable, Sendable {
    case account = "BCAccount"
    case session = "BCChatSession"
    case chat = "BCChat"
    case call = "BCRESTCall"
    case webSocket = "BCOSSWebSocket"
    case availability = "ChatAvailabilityChecker"
}
