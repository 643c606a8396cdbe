import HTTPTypes
import JSON
import Machines

/// An error as the vendor's SDK names it, with our own words for what happened and what to do.
struct SDKError: Error, Hashable, Sendable {
    /// The case name of the iOS SDK, or a name of ours where the SDK has none.
    let code: String
    let message: String
    let status: Int?

    /// Creates an error.
    init(_ code: String, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    /// The error of an answer that is no success.
    ///
    /// Its code is the case of the iOS SDK's `NetworkClientError`. The Android SDK has no codes for it and tells a
    /// text, which is the message there; that it counts for answers of the carrier too is defined here.
    init(_ response: Response, on platform: Platform) {
        let status = response.head.status.code
        let code =
            switch status {
            case 401: "unauthorized"
            case 403: "forbidden"
            case 404: "notFound404"
            case 400...499: "badRequest"
            case 500...599: "internalServerError"
            default: "invalidResponse"
            }
        let detail = Self.detail(response.body)
        let message =
            switch platform {
            case .iOS: "the server answered \(status): \(detail)"
            case .android: "response code : \(status) - \(detail)"
            }
        self.init(code, message, status: status)
    }

    /// The error of an exchange that got no answer.
    init(_ failure: TransportFailure) {
        self.init("invalidResponse", failure.message)
    }

    /// What the body says: `detail`, or the field errors, or nothing.
    private static func detail(_ body: [UInt8]) -> String {
        guard body.count <= 65_536, let value = try? JSONReader.read(body) else { return "no detail" }
        return (value["detail"]?.string ?? value["message"]?.string ?? value.description).shortened(to: 500)
    }

    static let concurrentHistory = SDKError(
        "concurrentLoadHistoryCalls", "a page of history is being loaded already; wait for it first")
    static let accessDenied = SDKError(
        "sendMessageFailedAccessDenied", "the server denies sending, as it does to a muted member", status: 403)
    static let emptyMessage = SDKError("emptyMessage", "Message cannot be empty; pass some text")
    static let noNickname = SDKError(
        "sendMessageFailedNoNickname", "the member has no nickname; call set_display_name first")
    static let nameLength = SDKError("invalidNameLength", "a display name has 1 to 20 characters")
    static let noReporter = SDKError(
        "failedDueToMissingMessageReporter", "the room names no URL for reports; its server does not take any")
    static let emptyAnswer = SDKError("noData", "the server's answer has no body")

    // What the Android SDK says of rooms and sessions. It says so in words; the codes are ours.
    static let emptyRoomID = SDKError("emptyRoomID", "ChatRoom Id cannot be Empty")
    static let alreadyConnected = SDKError("alreadyConnected", "Already Connected to ChatRoom")
    static let sessionClosed = SDKError("sessionClosed", "Session is closed")

    /// An answer that cannot be taken, because of what is wrong with it.
    static func unreadable(_ what: String, _ problem: Misreading) -> SDKError {
        problem.isForeign
            ? SDKError("invalidResponse", "\(what) is of something else: \(problem.text)")
            : SDKError("decodingError", "\(what) is not what the SDK expects: \(problem.text)")
    }

    /// Reads an answer.
    ///
    /// - Throws: ``SDKError`` if it is no JSON, or what reads it cannot take it.
    static func reading<Value>(
        _ what: String, _ body: [UInt8], _ read: (JSONValue) throws(Misreading) -> Value
    ) throws(SDKError) -> Value {
        guard !body.isEmpty else { throw .emptyAnswer }
        guard let value = try? JSONReader.read(body) else { throw .unreadable(what, Misreading("it is no JSON")) }
        do { return try read(value) } catch { throw .unreadable(what, error) }
    }

    /// A frame of the message carrier that cannot be taken; what is not for this client is a name of ours.
    static func frame(_ what: String, _ problem: Misreading) -> SDKError {
        problem.isForeign
            ? SDKError("notForThisMember", "\(what) is not for this member: \(problem.text)")
            : SDKError("failedToDecodePayload", "\(what) cannot be read: \(problem.text)")
    }

    /// The service names no URL, or a template that gives none.
    static func noURL(_ code: String = "invalidResponse", for call: String) -> SDKError {
        SDKError(code, "the service names no URL for \(call)")
    }

    /// An avatar that cannot go out with messages. When the vendor's SDK finds out is not published; defined here: when
    /// a message is sent that would show it.
    static func invalidAvatar(_ url: String) -> SDKError {
        SDKError(
            "invalidUserChatRoomImageUrl",
            "the avatar \"\(url.shortened(to: 500))\" is no http or https URL; call set_avatar")
    }

    /// A message that the client does not know.
    static func unknown(_ code: String, _ id: String) -> SDKError {
        SDKError(code, "no message \"\(id.shortened(to: 500))\" is loaded; load history or check the id")
    }
}
