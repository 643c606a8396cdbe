import HTTPTypes
import JSON
import Machines

/// The files that users have sent.
///
/// | a file's state | input | → state | answer |
/// |---|---|---|---|
/// | unknown | `sent`, a file that may be sent | kept | its URL |
/// | unknown | `sent` otherwise, or beyond the limit | unknown | the error |
/// | kept | `asked`, with a valid token if it is protected | kept | the file |
/// | kept | `asked` for a protected one otherwise | kept | 401 |
/// | unknown | `asked` | unknown | 404 |
struct FileStorePart: Sendable {
    /// What is asked of the files.
    enum Input: Sendable {
        case sent(ChannelRequest, Request)
        case asked(ChannelRequest)
    }

    /// One file.
    struct File: Sendable {
        let id: String
        let name: String
        let mimeType: String
        let bytes: [UInt8]
        let isProtected: Bool
    }

    private let origin: String
    private let refusedTypes: [String]
    /// At most this many files are kept; defined here.
    private let limit: Int
    private(set) var files: [String: File] = [:]
    /// The ids of the files in the order in which they came.
    private var order: [String] = []

    /// The files as scripts see them.
    var fields: JSONValue { .array(self.order.compactMap { self.files[$0] }.map(self.fields)) }

    /// Creates a store without files.
    init(_ configuration: ServerConfiguration, limit: Int = 1000) {
        self.origin = configuration.origin
        self.refusedTypes = configuration.options["refused_types"]?.array?.compactMap(\.string) ?? []
        self.limit = limit
    }

    /// Takes in what was asked, and returns the answer.
    mutating func handle(_ input: Input, _ gate: ChannelGate, random: inout RandomSource) -> Response {
        switch input {
        case .sent(let asked, let request): self.store(asked, request, gate, &random)
        case .asked(let asked): self.file(asked, gate)
        }
    }

    private mutating func store(
        _ asked: ChannelRequest, _ request: Request, _ gate: ChannelGate, _ random: inout RandomSource
    ) -> Response {
        if let obstacle = gate.obstacle(to: asked, .uploadStatus) { return obstacle }
        let fields = request.head.headerFields
        guard
            let file = MultipartFile(
                field: "attachment", in: request.body, contentType: fields[.contentType] ?? "")
        else { return Response(error: "The request has no part named attachment.", .badRequest) }
        guard file.content.count <= ShareMenu.sizeLimit else {
            return Response(error: "The file is larger than 25 MB.", .contentTooLarge)
        }
        guard !self.refusedTypes.contains(file.type) else {
            return Response(error: "Files of this type are not taken.", .unsupportedMediaType)
        }
        guard self.files.count < self.limit else {
            return Response(error: "The server keeps no more files.", .init(code: 507))
        }
        let id = random.uuid()
        let isProtected = HTTPField.Name("x-oda-meta-file-isProtected").flatMap { fields[$0] } == "True"
        let kept = File(
            id: id, name: FormEncoding.percentDecode(file.name), mimeType: file.type, bytes: file.content,
            isProtected: isProtected)
        self.files[id] = kept
        self.order.append(id)
        return Response(json: [
            "fileName": .string(kept.name), "type": .string(kept.mimeType), "url": .string(self.url(of: kept)),
        ])
    }

    private func url(of file: File) -> String { self.origin + "/attachment/v1/attachments/" + file.id }

    private func fields(of file: File) -> JSONValue {
        var value: JSONObject = [
            "name": .string(file.name), "type": .string(file.mimeType), "size": .integer(Int64(file.bytes.count)),
            "url": .string(self.url(of: file)), "protected": .bool(file.isProtected),
            "base64": .string(Base64.encode(file.bytes)),
        ]
        value["text"] = String(validating: file.bytes, as: UTF8.self).map { .string($0) }
        return .object(value)
    }

    private func file(_ asked: ChannelRequest, _ gate: ChannelGate) -> Response {
        let id = asked.path.split(separator: "/").last.map(String.init) ?? ""
        guard let file = self.files[id] else { return Response(error: "There is no such file.", .notFound) }
        if file.isProtected, gate.user(of: asked.query["token"] ?? asked.bearer ?? "") == nil {
            return Response(error: "The file needs a valid token.", .unauthorized)
        }
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: file.mimeType])
        return Response(head, body: file.bytes)
    }
}
