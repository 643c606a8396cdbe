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
