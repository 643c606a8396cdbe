import HTTPTypes
import JSON
import Machines

/// The HTTP side of the server: paths, authentication, bodies.
extension BoldChatServer {
    /// Answers a request.
    mutating func requested(_ exchange: ExchangeID, _ request: Request, in step: inout Step) {
        let (path, query) = Self.split(request.head.path ?? "/")
        if self.account.demandsTLS, request.head.scheme == "http" {
            return step.ask(.respond(exchange, Response(text: "Forbidden", status: .forbidden)))
        }
        let account = FormEncoding.percentEncode(self.account.key.accountID)
        let restPrefix = "/aid/\(account)/rest/json/v1/"
        if path.hasPrefix(restPrefix) {
            let method = String(path.dropFirst(restPrefix.count))
            return self.rest(exchange, method, request, query, in: &step)
        }
        if path == "/aid/\(account)/oss/poll" { return self.pollRequested(exchange, query, in: &step) }
        let uploads = "/aid/\(account)/account-id/\(account)/v1/files"
        if path.hasPrefix(uploads) {
            return self.upload(exchange, String(path.dropFirst(uploads.count)), request, in: &step)
        }
        step.ask(.respond(exchange, Response(text: "Not Found", status: .notFound)))
    }

    /// Divides a path from its query.
    static func split(_ target: String) -> (path: String, query: [String: String]) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, [:]) }
        let pairs = FormEncoding.decode(target[target.utf8.index(after: mark)...])
        return (String(target[..<mark]), Dictionary(pairs, uniquingKeysWith: { _, last in last }))
    }

    private mutating func rest(
        _ exchange: ExchangeID, _ name: String, _ request: Request, _ query: [String: String],
        in step: inout Step
    ) {
        guard self.isAuthorized(request, query) else {
            var response = Response(
                json: ["Status": "error", "Message": "Not authorized"], status: .unauthorized)
            response.head.headerFields[.wwwAuthenticate] = "Basic realm=\"BoldChat\""
            return step.ask(.respond(exchange, response))
        }
        guard let method = RESTMethod(rawValue: name) else {
            let answer: JSONValue = ["Status": "error", "Message": "Unknown method"]
            return step.ask(.respond(exchange, Response(json: answer, status: .notFound)))
        }
        let fault = self.faults.take(for: name)
        let parameters = Self.parameters(request).merging(JSONObject(query.map { ($0.key, .string($0.value)) }))
        let members: JSONObject
        if case .message(let message)? = fault {
            members = ["Status": "error", "Message": .string(message)]
        } else {
            members = self.answer(method, parameters, in: &step)
        }
        self.respond(exchange, Response(json: .object(members)), spoiltBy: fault, in: &step)
    }

    /// Basic authentication or the `auth` parameter; either must be this account's.
    private func isAuthorized(_ request: Request, _ query: [String: String]) -> Bool {
        var given = query["auth"]
        if let header = request.head.headerFields[.authorization], header.lowercased().hasPrefix("basic ") {
            given = String(header.dropFirst(6))
        }
        guard let given else { return false }
        let credential = self.account.key.credential
        return given == credential || Base64.decode(given) == Array(credential.utf8)
    }

    /// The parameters of a form body or of a JSON body.
    private static func parameters(_ request: Request) -> JSONObject {
        if let value = try? JSONReader.read(request.body), let members = value.object { return members }
        let text = String(decoding: request.body, as: UTF8.self)
        return JSONObject(FormEncoding.decode(text).map { ($0.0, .string($0.1)) })
    }

    // MARK: What is late

    /// Keeps something back.
    mutating func delay(_ answer: Faults.Delayed, by delay: Duration, in step: inout Step) {
        self.faults.lastDelayed += 1
        self.faults.delayed[self.faults.lastDelayed] = answer
        step.ask(.setTimer(.delay(self.faults.lastDelayed), delay))
    }

    /// Goes on with what was kept back.
    mutating func sendDelayed(_ number: UInt64, in step: inout Step) {
        switch self.faults.delayed.removeValue(forKey: number) {
        case .response(let exchange, let response)?: step.ask(.respond(exchange, response))
        case .frame(let connection, let frame)? where self.sockets[connection] != nil:
            step.ask(.transmit(connection, .text(frame.description)))
        case .greeting(let connection, let call)?:
            if let key = self.sockets[connection] { self.greeted(key, connection, call, in: &step) }
        case .poll(let exchange, let query)?: self.pollHeld(exchange, query, in: &step)
        default: break
        }
    }
}
