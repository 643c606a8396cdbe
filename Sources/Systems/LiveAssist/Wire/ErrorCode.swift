import JSON

/// The error codes of the vendor's iOS SDK (*Error Codes* of its developer guide).
enum ErrorCode: Int, CaseIterable, Hashable, Sendable {
    case fcsdkSessionFailure = 10001
    case fcsdkSystemFailure = 10002
    case fcsdkLostConnection = 10003
    case fcsdkDidReceiveCallFailure = 10004
    case fcsdkDidReceiveDialFailure = 10005
    case unknownMimeType = 10006
    case calleeNotFound = 20101
    case calleeBusy = 20102
    case callCreationFailed = 20103
    case callTimeout = 20104
    case callFailed = 20105
    case sessionFailure = 20106
    case cameraNotAuthorized = 20107
    case microphoneNotAuthorized = 20108
    case assistSessionCreationFailure = 30101
    case assistTransportFailure = 30102
    case assistSessionInProgress = 30103
    case assistConsumerDocumentShareFailedNotScreenSharing = 40101
    case assistSupportEnded = 50101

    /// The vendor's name.
    var name: String { "\(self)" }
}

/// Why showing a document failed, as the consumer tells the agent (vendor's web SDK).
enum DocumentError: Int16, CaseIterable, Hashable, Sendable {
    case connection = 1
    case http = 2
    case mimeType = 3
    case parsing = 4
    case noData = 5
    case cobrowseNotActive = 6

    /// The word that scripts use.
    var word: String {
        switch self {
        case .connection: "connection"
        case .http: "http"
        case .mimeType: "mime_type"
        case .parsing: "parsing"
        case .noData: "no_data"
        case .cobrowseNotActive: "cobrowse_not_active"
        }
    }
}
