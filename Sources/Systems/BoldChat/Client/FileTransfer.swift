import HTTPTypes
import JSON
import Machines

/// The files that a visitor sends, each in three steps: announce, upload, publish.
///
/// | in | answer | to |
/// |---|---|---|
/// | announcing | `token` and `uploadUrl` | uploading |
/// | uploading | HTTP status below 400 | publishing |
/// | publishing | HTTP status below 400 | gone, `attachment_uploaded` |
/// | any | HTTP status from 400, no answer, an answer without token | gone, `error` |
struct FileTransfer: Sendable {
    /// A file on its way.
    struct File: Sendable {
        let name: String
        let mediaType: String
        let content: [UInt8]
        var token: String?
    }

    /// The step that a call belongs to.
    enum Stage: Hashable, Sendable {
        case announcing, uploading, publishing
    }

    /// What follows an answer.
    enum Action: Sendable {
        case call(Stage, Request)
        case emit(ChatEvent)
    }

    private var files: [UInt64: File] = [:]
    private var lastFile: UInt64 = 0

    /// The largest file, in bytes; defined here.
    static let sizeLimit = 16 * 1024 * 1024

    /// Takes in a file.
    ///
    /// - Returns: Its number.
    mutating func add(_ file: File) -> UInt64 {
        self.lastFile += 1
        self.files[self.lastFile] = file
        return self.lastFile
    }

    /// Forgets a file.
    mutating func remove(_ number: UInt64) { self.files[number] = nil }

    /// Returns the request that announces a file.
    ///
    /// - Parameter identity: The members that say whose file it is: `chatId`, `personId`, `clientId`.
    func announcement(_ number: UInt64, _ identity: JSONObject, to origin: WebAddress, account: String) -> Request? {
        guard let file = self.files[number] else { return nil }
        let members = identity.merging([
            "personType": "VISITOR", "fileName": .string(file.name), "fileSize": .integer(Int64(file.content.count)),
            "fileType": .string(FileKind(name: file.name, mediaType: file.mediaType).rawValue),
        ])
        var head = Self.head(.post, origin.at(path: Self.path(account)))
        head.headerFields[.contentType] = "application/json"
        return Request(head, body: JSONWriter.write(.object(members)))
    }

    /// Takes in the answer of a step.
    mutating func answered(
        _ number: UInt64, _ stage: Stage, _ outcome: CallOutcome, to origin: WebAddress, account: String,
        random: inout RandomSource
    ) -> Action? {
        guard var file = self.files[number] else { return nil }
        guard case .answered(let answer) = outcome, answer.httpStatus < 400 else {
            self.files[number] = nil
            let code: ErrorCode = if case .failed(let code, _) = outcome { code } else { .unknown }
            // The status alone tells a refusal; its body may be anything.
            let refusal = outcome.answer.map { $0.body.string ?? "HTTP \($0.httpStatus)" }
            return .emit(
                ClientEvents.error(
                    code, .call, operation: "send_file",
                    message: outcome.message ?? refusal.map { "\(code.summary): \($0)" },
                    raw: outcome.answer?.body))
        }
        switch stage {
        case .announcing:
            guard let token = answer.members.text("token"), let url = answer.members.text("uploadUrl"),
                let address = WebAddress(url)
            else {
                self.files[number] = nil
                let what =
                    answer.body.string ?? "no token and uploadUrl in \(Excerpt.of(JSONWriter.write(answer.body)))"
                return .emit(
                    ClientEvents.error(
                        .malformedAnswer, .call, operation: "send_file",
                        message: "\(ErrorCode.malformedAnswer.summary): \(what)", raw: answer.body))
            }
            file.token = token
            self.files[number] = file
            return .call(.uploading, Self.upload(file, to: address, boundary: "part-" + random.hexadecimalDigits(24)))
        case .uploading:
            let token = FormEncoding.percentEncode(file.token ?? "")
            return .call(.publishing, Request(Self.head(.put, origin.at(path: "\(Self.path(account))/\(token)"))))
        case .publishing:
            self.files[number] = nil
            let fields: JSONObject = [
                "name": .string(file.name), "size": .integer(Int64(file.content.count)),
                "type": .string(file.mediaType), "token": .string(file.token ?? ""),
            ]
            return .emit(ChatEvent(.attachmentUploaded, fields, raw: answer.body))
        }
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

/// What kind of file a file is, in the vendor's words.
enum FileKind: String, CaseIterable, Sendable {
    case other = "DEFAULT"
    case picture = "PICTURE"
    case video = "VIDEO"
    case audio = "AUDIO"
    case pdf = "PDF"
    case word = "WORD"
    case excel = "EXCEL"
    case presentation = "PRESENTATION"
    case code = "CODE"
    case text = "TEXT"
    case archive = "ARCHIVE"

    private static let kinds: [(FileKind, [String])] = [
        (.picture, ["png", "jpg", "jpeg", "gif", "bmp", "webp", "svg"]), (.video, ["mp4", "mov", "avi", "webm"]),
        (.audio, ["mp3", "wav", "ogg", "m4a"]), (.pdf, ["pdf"]), (.word, ["doc", "docx", "odt"]),
        (.excel, ["xls", "xlsx", "ods", "csv"]), (.presentation, ["ppt", "pptx", "odp"]),
        (.code, ["swift", "js", "html", "css", "json", "xml", "java", "c", "py"]), (.text, ["txt", "log", "md"]),
        (.archive, ["zip", "gz", "tar", "7z", "rar"]),
    ]

    /// Tells the kind by the extension of the name, else by the media type; the mapping is defined here.
    init(name: String, mediaType: String) {
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        if let found = Self.kinds.first(where: { $0.1.contains(ending) }) {
            self = found.0
            return
        }
        switch mediaType.prefix(while: { $0 != "/" }) {
        case "image": self = .picture
        case "video": self = .video
        case "audio": self = .audio
        case "text": self = .text
        default: self = .other
        }
    }
}
