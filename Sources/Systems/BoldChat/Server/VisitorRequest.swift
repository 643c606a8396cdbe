import HTTPTypes
import JSON
import Machines

/// A request of a visitor's client: where it goes, as whom, and with which parameters.
struct VisitorRequest: Sendable {
    /// What a request is for.
    enum Target: Hashable, Sendable {
        /// A method of the visitor API, by its name.
        case method(String)
        case poll
        case socket
        /// A step of a file; what follows `…/v1/files`.
        case files(String)
    }

    /// What the request is for; nil if there is nothing of that kind.
    let target: Target?
    /// What follows the question mark.
    let query: [String: String]
    private let request: Request

    /// By what a repetition of the request is known, if the client says so.
    var idempotencyKey: IdempotencyKey? { IdempotencyKey(of: self.request) }

    /// Reads a request to an account.
    init(_ request: Request, to key: AccessKey) {
        let named = PathAndQuery(request.head)
        let path = named.path
        let account = FormEncoding.percentEncode(key.accountID)
        let methods = "/aid/\(account)/rest/json/v1/"
        let files = "/aid/\(account)/account-id/\(account)/v1/files"
        self.request = request
        self.query = named.parameters()
        if path.hasPrefix(methods) {
            self.target = .method(String(path.dropFirst(methods.count)))
        } else if path == "/aid/\(account)/oss/poll" {
            self.target = .poll
        } else if path == "/aid/\(account)/oss/ws" {
            self.target = .socket
        } else if path.hasPrefix(files) {
            self.target = .files(String(path.dropFirst(files.count)))
        } else {
            self.target = nil
        }
    }

    /// Basic authentication or the `auth` parameter; either must be this account's.
    func isAuthorized(by key: AccessKey) -> Bool {
        var given = self.query["auth"]
        if let header = self.request.head.headerFields[.authorization], header.lowercased().hasPrefix("basic ") {
            given = String(header.dropFirst(6))
        }
        guard let given else { return false }
        return given == key.credential || Base64.decode(given) == Array(key.credential.utf8)
    }

    /// The parameters of the body, a form or JSON, and of the query, which wins.
    var parameters: JSONObject {
        self.body.merging(JSONObject(self.query.map { ($0.key, .string($0.value)) }))
    }

    /// The first name that two fields of a body have that is a form; nil if each has its own.
    var repeatedField: String? { self.members == nil ? FormEncoding.repeatedName(in: self.form) : nil }

    private var body: JSONObject {
        self.members ?? JSONObject(FormEncoding.decode(self.form).map { ($0.0, .string($0.1)) })
    }

    /// The members of a body in JSON; nil for a form.
    private var members: JSONObject? { (try? JSONReader.read(self.request.body))?.object }

    private var form: String { String(decoding: self.request.body, as: UTF8.self) }
}
