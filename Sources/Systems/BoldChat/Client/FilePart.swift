import HTTPTypes
import JSON
import Machines

/// The files that a visitor sends, each in three steps: announce, upload, publish.
///
/// | in | input | to | actions |
/// |---|---|---|---|
/// | – | `chosen`, in a chat whose account takes files | announcing | announces it |
/// | – | `chosen` otherwise | – | `error`, or refused for its size |
/// | announcing | `answered` with `token` and `uploadUrl` | uploading | uploads it |
/// | uploading | `answered`, HTTP status below 400 | publishing | publishes it |
/// | publishing | `answered`, HTTP status below 400 | – | `attachment_uploaded` |
/// | any | `answered` with an HTTP status from 400, not at all, or without a token | – | `error` |
/// | any | `canceled` | – | |
struct FilePart: Sendable {
    /// What happens to a file.
    enum Input: Sendable {
        case chosen(ChosenFile, Visit)
        case answered(UInt64, CallOutcome)
        case canceled(UInt64)
    }

    /// A file that a script wants to send.
    struct ChosenFile: Sendable {
        let name: String
        let mediaType: String
        let content: String
    }

    /// Whose file it is, and whether it can be sent.
    struct Visit: Sendable {
        let isChatting: Bool
        /// What the chat window may do.
        let settings: JSONObject
        let chatID: String
        let personID: String
        let clientID: String
    }

    /// The step that a file is in.
    enum Phase: String, Sendable {
        case announcing, uploading, publishing
    }

    /// A file on its way.
    struct File: Sendable {
        let name: String
        let mediaType: String
        let content: [UInt8]
        var phase = Phase.announcing
        var token = ""
    }

    private let origin: WebAddress
    private let account: String
    /// The files on their way, by their numbers.
    private(set) var files = Numbered<File>()

    /// The largest file, in bytes; defined here.
    static let sizeLimit = 16 * 1024 * 1024

    /// Creates a part that has no files to send.
    init(_ settings: ClientSettings) {
        self.origin = settings.uploadOrigin
        self.account = settings.key.accountID
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [ClientAction] {
        switch input {
        case .chosen(let file, let visit): return self.choose(file, visit)
        case .answered(let number, let outcome): return self.answered(number, outcome, random: &random)
        case .canceled(let number):
            self.files[number] = nil
            return []
        }
    }

    private mutating func choose(_ file: ChosenFile, _ visit: Visit) -> [ClientAction] {
        guard visit.isChatting else { return [.fail(.wrongState, .session, operation: "send_file")] }
        guard visit.settings.truth("EnableFileTransfer") else {
            let refusal = "the account does not allow file transfers"
            return [.fail(.unknown, .session, operation: "send_file", message: refusal)]
        }
        let content = Array(file.content.utf8)
        guard content.count <= Self.sizeLimit else {
            return [.answer(.refused("the file has \(content.count) bytes; at most \(Self.sizeLimit) can be sent"))]
        }
        let number = self.files.add(File(name: file.name, mediaType: file.mediaType, content: content))
        let members: JSONObject = [
            "chatId": .string(visit.chatID), "personId": .string(visit.personID),
            "clientId": .string(visit.clientID), "accountId": .string(self.account), "personType": "VISITOR",
            "fileName": .string(file.name), "fileSize": .integer(Int64(content.count)),
            "fileType": .string(FileKind(name: file.name, mediaType: file.mediaType).rawValue),
        ]
        var head = Self.head(.post, self.origin.at(path: Self.path(self.account)))
        head.headerFields[.contentType] = "application/json"
        return [.send(.file(number), Request(head, body: JSONWriter.write(.object(members))))]
    }

    private mutating func answered(
        _ number: UInt64, _ outcome: CallOutcome, random: inout RandomSource
    ) -> [ClientAction] {
        guard let file = self.files[number] else { return [] }
        guard case .answered(let answer) = outcome, answer.httpStatus < 400 else {
            self.files[number] = nil
            let code: ErrorCode = if case .failed(let code, _) = outcome { code } else { .unknown }
            // The status alone tells a refusal; its body may be anything.
            let refusal = outcome.answer.map { $0.body.string ?? "HTTP \($0.httpStatus)" }
            let message = outcome.message ?? refusal.map { "\(code.summary): \($0)" }
            return [.fail(code, .call, operation: "send_file", message: message, raw: outcome.answer?.body)]
        }
        switch file.phase {
        case .announcing: return self.announced(number, file, answer, random: &random)
        case .uploading:
            self.files[number]?.phase = .publishing
            let token = FormEncoding.percentEncode(file.token)
            let address = self.origin.at(path: "\(Self.path(self.account))/\(token)")
            return [.send(.file(number), Request(Self.head(.put, address)))]
        case .publishing:
            self.files[number] = nil
            let fields: JSONObject = [
                "name": .string(file.name), "size": .integer(Int64(file.content.count)),
                "type": .string(file.mediaType), "token": .string(file.token),
            ]
            return [.emit(.attachmentUploaded, fields, raw: answer.body)]
        }
    }

    private mutating func announced(
        _ number: UInt64, _ file: File, _ answer: RESTAnswer, random: inout RandomSource
    ) -> [ClientAction] {
        guard let token = answer.members.text("token"), let url = answer.members.text("uploadUrl"),
            let address = WebAddress(url)
        else {
            self.files[number] = nil
            let what = answer.body.string ?? "no token and uploadUrl in \(Excerpt.of(JSONWriter.write(answer.body)))"
            let message = "\(ErrorCode.malformedAnswer.summary): \(what)"
            return [.fail(.malformedAnswer, .call, operation: "send_file", message: message, raw: answer.body)]
        }
        self.files[number]?.token = token
        self.files[number]?.phase = .uploading
        let boundary = "part-" + random.hexadecimalDigits(24)
        return [.send(.file(number), Self.upload(file, to: address, boundary: boundary))]
    }

    private static func path(_ account: String) -> String {
        let account = FormEncoding.percentEncode(account)
        return "/aid/\(account)/account-id/\(account)/v1/files"
    }

    private static func head(_ method: HTTPRequest.Method, _ address: WebAddress) -> HTTPRequest {
        address.request(method, headerFields: [.userAgent: ClientRequests.userAgent])
    }

    /// The upload of a file, as the one field `file` of a form.
    private static func upload(_ file: File, to address: WebAddress, boundary: String) -> Request {
        var request = Request(Self.head(.post, address))
        let name = String(file.name.map { $0 == "\"" || $0 == "\\" || $0.isNewline ? "_" : $0 })
        request.attach(
            MultipartFile(name: name, type: file.mediaType, content: file.content), as: "file", boundary: boundary)
        return request
    }
}
