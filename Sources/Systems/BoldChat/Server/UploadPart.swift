import HTTPTypes
import JSON
import Machines

/// The files that visitors send, each in three steps.
///
/// | file | request | → file | answer, actions |
/// |---|---|---|---|
/// | – | announced in a live chat of an account that takes files | expected | where to send it |
/// | – | announced otherwise | – | 400, or 403 |
/// | expected | sent | expected | its token |
/// | expected | published | – | its token; tells the agent or agents |
/// | – | sent or published | – | 404 |
struct UploadPart: Sendable {
    /// What happens to a file.
    enum Input: Sendable {
        /// A request for what follows `…/v1/files`.
        case requested(ExchangeID, path: String, Request, Fault?)
        case chatForgotten(String)
    }

    /// A file that was announced.
    struct File: Sendable {
        let name: String
        /// The chat that it is sent in.
        let key: String
    }

    private let base: String
    /// The files that are expected, by their tokens.
    private(set) var files: [String: File] = [:]
    /// How many files are expected in a chat.
    private var counts: [String: Int] = [:]

    /// Files that may be expected in one chat; defined here.
    static let limit = 1000

    /// Creates a part that expects no files.
    init(origin: WebAddress, account: AccessKey) {
        let account = FormEncoding.percentEncode(account.accountID)
        self.base = "\(origin.scheme)://\(origin.authority)/aid/\(account)/account-id/\(account)/v1/files/"
    }

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ chats: ChatRegistry, settings: JSONObject, random: inout RandomSource
    ) -> [ServerAction] {
        switch input {
        case .requested(let exchange, path: _, _, .message(let message)?):
            // Here the HTTP status tells a failure, not a member of the body.
            let refusal = Response(json: .object(ServerAction.refusalMembers(message)), status: .badRequest)
            return [.perform(.respond(exchange, refusal))]
        case .requested(let exchange, path: "", let request, let fault):
            let response = self.announced(request, chats, settings, random: &random)
            return [.respond(exchange, response, spoiltBy: fault)]
        case .requested(let exchange, path: let path, let request, let fault):
            return self.sent(exchange, String(path.dropFirst()), request, fault, chats)
        case .chatForgotten(let key):
            guard self.counts.removeValue(forKey: key) != nil else { return [] }
            self.files = self.files.filter { $0.value.key != key }
            return []
        }
    }

    private mutating func announced(
        _ request: Request, _ chats: ChatRegistry, _ settings: JSONObject, random: inout RandomSource
    ) -> Response {
        let members = (try? JSONReader.read(request.body))?.object ?? [:]
        guard let id = members.text("chatId"), let name = members.text("fileName"), let chat = chats.first(id: id),
            chat.isLive, chat.clientID == members.text("clientId")
        else { return Response(text: "Bad Request", status: .badRequest) }
        guard settings.truth("EnableFileTransfer"), self.counts[chat.key, default: 0] < Self.limit else {
            return Response(text: "Forbidden", status: .forbidden)
        }
        let token = random.hexadecimalDigits(32)
        self.files[token] = File(name: name, key: chat.key)
        self.counts[chat.key, default: 0] += 1
        return Response(json: ["token": .string(token), "uploadUrl": .string(self.base + token)])
    }

    private mutating func sent(
        _ exchange: ExchangeID, _ token: String, _ request: Request, _ fault: Fault?, _ chats: ChatRegistry
    ) -> [ServerAction] {
        guard let file = self.files[token], let chat = chats[file.key] else {
            return [.respond(exchange, Response(text: "Not Found", status: .notFound), spoiltBy: fault)]
        }
        let response = ServerAction.respond(exchange, Response(json: ["token": .string(token)]), spoiltBy: fault)
        guard request.head.method == .put else { return [response] }
        self.files[token] = nil
        self.counts[file.key, default: 1] -= 1
        let fields = chat.agentFields.merging(["file": .string(file.name), "token": .string(token)])
        return chat.service.present.map { .tell($0, .attachmentUploaded, fields) } + [response]
    }
}
