import HTTPTypes
import JSON
import Machines
import Transport

/// The HTTP side of a page that follows a run: decides who may ask, and says what is asked.
///
/// A page on this machine is in the reach of every program and of every web page that a browser has open here. So its
/// address holds a token that nobody can guess, the port must be asked by its own name (a name of somebody else's that
/// was made to lead here is refused, DNS rebinding), and what other pages send is refused by their origin.
///
/// Each request is a party: it is emitted as the event `command` with the path after the token, the number `after` of
/// the query if there is one, and the body of a POST; the command `answer` of that party answers it.
struct LivePageServer: ServerMachine {
    private let token: String
    private let authorities: Set<String>
    private var exchanges: Set<UInt64> = []

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - token: What the path of every address begins with.
    ///   - port: The port that it is asked at.
    init(token: String, port: Int) {
        self.token = token
        self.authorities = ["127.0.0.1:\(port)", "localhost:\(port)"]
    }

    var properties: JSONObject { [:] }

    mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        switch input {
        case .requested(let exchange, let request):
            switch self.message(request) {
            case .success(let message):
                self.exchanges.insert(exchange.number)
                step.ask(.emit(party: "\(exchange.number)", ChatEvent(.command, message)))
            case .failure(let refusal):
                step.ask(.respond(exchange, Self.response(text: refusal.text + "\n", status: refusal.status)))
            }
        case .upgradeRequested(let connection, _):
            let text = "There are no WebSockets here.\n"
            step.ask(.refuse(connection, Self.response(text: text, status: .badRequest)))
        case .requestAbandoned(let exchange):
            guard self.exchanges.remove(exchange.number) != nil else { return }
            step.ask(.emit(party: "\(exchange.number)", ChatEvent(.disconnected)))
        case .linkOpened, .received, .closed, .timerFired, .scriptReturned: break
        }
    }

    /// Why a request is not passed on.
    private struct Refusal: Error {
        let status: HTTPResponse.Status
        let text: String
    }

    private func message(_ request: Request) -> Result<JSONObject, Refusal> {
        let head = request.head
        guard let authority = head.authority, self.authorities.contains(authority) else {
            return .failure(
                Refusal(status: .misdirectedRequest, text: "This page is asked by the address of its port."))
        }
        if let origin = head.headerFields[.origin], origin != "http://\(authority)" {
            return .failure(Refusal(status: .forbidden, text: "Other web pages may not use this one."))
        }
        let target = (head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = "/\(self.token)/"
        guard let path = target.first, path.hasPrefix(prefix) else {
            return .failure(
                Refusal(status: .forbidden, text: "The address of the page is the one that repartee has printed."))
        }
        var message: JSONObject = ["path": .string(String(path.dropFirst(prefix.count)))]
        switch head.method {
        case .get:
            let query = target.count > 1 ? FormEncoding.decode(target[1]) : []
            message["after"] = query.last { $0.0 == "after" }.flatMap { Int64($0.1) }.map { .integer($0) }
        case .post:
            guard let body = (try? JSONReader.read(request.body))?.object else {
                return .failure(Refusal(status: .badRequest, text: "The body is not a JSON object."))
            }
            message["body"] = .object(body)
        default: return .failure(Refusal(status: .methodNotAllowed, text: "Use GET or POST."))
        }
        return .success(message)
    }

    mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        guard let number = party.flatMap({ UInt64($0) }), self.exchanges.remove(number) != nil else {
            return .done(.null)
        }
        var response = Self.response(
            text: command.arguments["text"]?.string ?? "",
            status: HTTPResponse.Status(code: command.arguments["status"]?.integer.map { Int(clamping: $0) } ?? 200))
        if let type = command.arguments["type"]?.string { response.head.headerFields[.contentType] = type }
        step.ask(.respond(ExchangeID(number), response))
        return .done(.null)
    }

    /// An answer that nobody keeps, frames, or takes for something else than it is.
    private static func response(text: String, status: HTTPResponse.Status) -> Response {
        var response = Response(text: text, status: status)
        response.head.headerFields[.cacheControl] = "no-store"
        response.head.headerFields[.contentSecurityPolicy] = "frame-ancestors 'none'"
        response.head.headerFields[.xContentTypeOptions] = "nosniff"
        // The token is in the address of the page.
        if let name = HTTPField.Name("Referrer-Policy") { response.head.headerFields[name] = "no-referrer" }
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
            response.head.headerFields[name] = "same-origin"
        }
        return response
    }
}
