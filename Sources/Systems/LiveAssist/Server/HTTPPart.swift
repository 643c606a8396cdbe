import HTTPTypes
import JSON
import Machines

/// The HTTP interfaces: short codes, sessions, agents, tokens that others ask for.
///
/// | a short code's state | input | → state | answer |
/// |---|---|---|---|
/// | none | `requested` a code, access is not disabled | alive | the code |
/// | alive | `requested` by the consumer or the agent | alive, or over once both have it | the token and the session's name |
/// | alive | its life has passed | over | |
/// | alive | `codesExpired` | over | |
/// | over | `requested` by either | over | 410 |
///
/// | a token's state | input | → state | answer |
/// |---|---|---|---|
/// | none | `requested` a session, a token or a log-in that is allowed | valid | the token |
/// | valid | `requested` the end of its session | none | |
/// | valid | its life has passed | none | |
struct HTTPPart: Sendable {
    /// What happens to the interfaces.
    enum Input: Sendable {
        case requested(Request)
        case accessSet(AssistServer.Access)
        case codesExpired
    }

    /// What is there when a request is answered, and what is to be done besides.
    private struct Moment {
        let now: Instant
        let engine: TopicEnginePart
        var random: RandomSource
        var actions: [AssistServerAction] = []
    }

    private struct Call {
        let method: HTTPRequest.Method
        let path: String
        let query: [String: String]
        let body: [UInt8]
        let head: HTTPRequest

        init(_ request: Request) {
            let named = PathAndQuery(request.head)
            self.method = request.head.method
            self.path = named.path
            self.query = named.parameters()
            self.body = request.body
            self.head = request.head
        }

        /// The pairs of a form body; of two with one name nobody could tell which one was meant.
        var form: [String: String] {
            Dictionary(FormEncoding.decode(self.text), uniquingKeysWith: { first, _ in first })
        }

        /// Why the body is no form that can be read; nil if it can, or is none.
        var formProblem: String? {
            guard self.method == .post, self.path.hasPrefix("/assistserver/") else { return nil }
            return FormEncoding.repeatedName(in: self.text).map { "the form has \"\($0)\" twice; send each field once" }
        }

        private var text: String { String(decoding: self.body.prefix(65_536), as: UTF8.self) }
    }

    /// The tokens that were made so far.
    private(set) var tokens: SessionTokens
    private var access: AssistServer.Access
    /// The passwords of the agents by their user names; anybody is one if there is none.
    private let agents: [String: String]
    /// The short codes by their digits.
    private(set) var codes: [String: ShortCode] = [:]

    /// Creates a part without tokens.
    init(
        _ access: AssistServer.Access, life: Duration, agents: [String: String],
        tokenLimit: Int = AssistServer.recordLimit
    ) {
        self.access = access
        self.tokens = SessionTokens(life: life, limit: tokenLimit)
        self.agents = agents
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ engine: TopicEnginePart, at now: Instant, random: inout RandomSource)
        -> [AssistServerAction]
    {
        switch input {
        case .requested(let request):
            var moment = Moment(now: now, engine: engine, random: random)
            let response = self.respond(to: Call(request), &moment)
            random = moment.random
            return moment.actions + [.answer(response)]
        case .accessSet(let access): self.access = access
        case .codesExpired: for code in self.codes.keys { self.codes[code]?.expire() }
        }
        return []
    }

    private mutating func respond(to call: Call, _ moment: inout Moment) -> Response {
        if let problem = call.formProblem { return Self.accessible(AssistServer.error(400, problem)) }
        let response =
            switch (call.method, call.path) {
            case (.put, "/assistserver/shortcode/create"): self.createCode(call, &moment)
            case (.get, "/assistserver/shortcode/consumer"): self.redeemCode(call, by: .consumer, at: moment.now)
            case (.get, "/assistserver/shortcode/agent"): self.redeemCode(call, by: .agent, at: moment.now)
            case (.post, "/assistserver/consumer"): self.createSession(call, &moment)
            case (.delete, "/assistserver/consumer"): self.endSession(call, &moment)
            case (.post, "/assistserver/session"): self.findSession(call, at: moment.now)
            case (.post, "/assistserver/agent"): self.logIn(call, &moment)
            case (.delete, "/assistserver/agent"): Response(json: [:])
            case (.post, "/gateway/sessions/session"): self.createToken(call, &moment)
            case (.get, let path) where path.hasPrefix("/documents/"): Self.document(path)
            default: AssistServer.error(404, "there is nothing at \(call.path)")
            }
        return Self.accessible(response)
    }

    /// Lets browsers read an answer that a page of another origin has asked for; the vendor's server does, too.
    private static func accessible(_ response: Response) -> Response {
        var response = response
        response.head.headerFields[.accessControlAllowOrigin] = "*"
        return response
    }

    /// Test documents: `/documents/<status>/<type>/…` with a short body that begins as the type says.
    private static func document(_ path: String) -> Response {
        let parts = path.split(separator: "/")
        guard parts.count >= 4, let status = Int64(parts[1]).flatMap(HTTPResponse.Status.init(final:)) else {
            return AssistServer.error(404, "there is no such document")
        }
        let type = "\(parts[2])/\(parts[3])"
        let beginning = ContentFormat(type: type)?.beginning ?? []
        var response = Response(HTTPResponse(status: status, headerFields: [.contentType: type]))
        response.body = beginning + Array("A document.".utf8.dropFirst(beginning.count))
        return response
    }

    // MARK: Tokens

    /// Makes a token with the metadata of its holder.
    private mutating func makeToken(
        role: String, name: String, auditName: String = "", allowedTopic: String, cid: String?,
        metadata: JSONObject = [:], _ moment: inout Moment
    ) -> String? {
        var fields: JSONObject = ["role": .string(role), "name": .string(name)]
        if !auditName.isEmpty { fields["auditName"] = .string(auditName) }
        return self.tokens.make(
            fields.merging(metadata), allowedTopic: allowedTopic, cid: cid, at: moment.now, random: &moment.random)
    }

    /// Tokens made by a customer's own web application (*Session Token Creation* of the vendor's guide).
    private mutating func createToken(_ call: Call, _ moment: inout Moment) -> Response {
        guard let value = try? JSONReader.read(call.body, depth: 16),
            let attributes = value["additionalAttributes"]?.object,
            let allowed = attributes["AED2.allowedTopic"]?.string, !allowed.isEmpty
        else { return AssistServer.error(400, "a session description with AED2.allowedTopic is expected") }
        let metadata = TopicEntry.metadata(attributes["AED2.metadata"]).object ?? [:]
        let token = self.makeToken(
            role: metadata["role"]?.string ?? "consumer", name: metadata["name"]?.string ?? "", allowedTopic: allowed,
            cid: nil, metadata: metadata, &moment)
        guard let token else { return Self.noRoomForToken }
        return Response(json: ["sessionid": .string(token)])
    }

    private static let noRoomForToken = AssistServer.error(503, "too many session tokens are valid")

    // MARK: Short codes

    private mutating func createCode(_ call: Call, _ moment: inout Moment) -> Response {
        guard self.access != .disabled else { return AssistServer.error(403, "anonymous access is disabled") }
        let now = moment.now
        if self.codes.count > 1_000 { self.codes = self.codes.filter { !$0.value.isOver(at: now) } }
        guard self.codes.count < AssistServer.recordLimit else {
            return AssistServer.error(503, "too many short codes are alive")
        }
        // A code that is over may be handed out again; one that is alive is unique.
        var code = moment.random.decimalDigits(6)
        while self.codes[code].map({ !$0.isOver(at: now) }) ?? false { code = moment.random.decimalDigits(6) }
        // The name of the parameter that binds a known session is not published; it is defined here.
        let cid = call.query["cid"] ?? "assist-" + moment.random.hexadecimalDigits(12)
        guard Self.isName(cid) else { return AssistServer.error(400, "cid is a name of 1 to 256 bytes") }
        guard moment.engine.canOpen(cid) else { return AssistServer.error(503, "too many sessions are open") }
        let audit = call.query["auditName"] ?? ""
        let consumer = self.makeToken(
            role: "consumer", name: audit, auditName: audit, allowedTopic: cid, cid: cid, &moment)
        guard let consumer else { return Self.noRoomForToken }
        guard let agent = self.makeToken(role: "agent", name: "Agent", allowedTopic: cid, cid: cid, &moment) else {
            _ = self.tokens.remove(consumer)
            return Self.noRoomForToken
        }
        moment.actions.append(.openSession(cid, uui: nil))
        self.codes[code] = ShortCode(cid: cid, consumerToken: consumer, agentToken: agent, created: now)
        return Response(json: ["shortCode": .string(code)])
    }

    private mutating func redeemCode(_ call: Call, by role: AssistRole, at now: Instant) -> Response {
        guard let name = call.query["appkey"], var code = self.codes[name] else {
            return AssistServer.error(404, "the short code is unknown")
        }
        guard !code.isOver(at: now) else { return AssistServer.error(410, "the short code has expired") }
        let token = code.redeem(by: role)
        self.codes[name] = code
        if role == .consumer, let audit = call.query["auditName"] { self.tokens.setAuditName(audit, of: token) }
        return Response(json: ["session-token": .string(token), "cid": .string(code.cid)])
    }

    // MARK: Sessions

    /// Whether a session can have this name.
    private static func isName(_ cid: String) -> Bool { 1...256 ~= cid.utf8.count }

    private mutating func createSession(_ call: Call, _ moment: inout Moment) -> Response {
        guard self.access != .disabled else { return AssistServer.error(403, "anonymous access is disabled") }
        let form = call.form
        guard form["type"] == "create" else { return AssistServer.error(400, "type=create is expected") }
        let cid = form["username"] ?? "assist-" + moment.random.hexadecimalDigits(12)
        guard Self.isName(cid), moment.engine.canOpen(cid) else {
            return AssistServer.error(400, "the session cannot be opened under this name")
        }
        // User-to-User information counts only in trusted mode.
        let uui = self.access == .trusted ? form["uui"].flatMap { UserToUser.decode($0) == nil ? nil : $0 } : nil
        let audit = form["auditName"] ?? ""
        let token = self.makeToken(
            role: "consumer", name: audit, auditName: audit, allowedTopic: cid, cid: cid, &moment)
        guard let token else { return Self.noRoomForToken }
        moment.actions.append(.openSession(cid, uui: uui))
        var response = Response(json: ["address": .string(cid), "token": .string(token), "scaleFactor": 1])
        response.head.headerFields[.setCookie] = "assist=\(moment.random.hexadecimalDigits(8)); Path=/"
        return response
    }

    private func findSession(_ call: Call, at now: Instant) -> Response {
        guard let name = call.form["sessionToken"], let cid = self.tokens.find(name, at: now)?.cid else {
            return AssistServer.error(404, "the session token is unknown")
        }
        return Response(json: ["address": .string(cid), "token": .string(name)])
    }

    private mutating func endSession(_ call: Call, _ moment: inout Moment) -> Response {
        guard let field = HTTPField.Name("X-Token"), let name = call.head.headerFields[field],
            let token = self.tokens.remove(name)
        else { return AssistServer.error(404, "the session token is unknown") }
        if let cid = token.cid { moment.actions.append(.endSession(cid)) }
        return Response(json: [:])
    }

    // MARK: Agents

    private mutating func logIn(_ call: Call, _ moment: inout Moment) -> Response {
        let form = call.form
        guard let user = form["username"], !user.isEmpty else { return AssistServer.error(400, "username is missing") }
        // Without a list of agents anybody is one.
        guard self.agents.isEmpty || self.agents[user] == form["password"] ?? "" else {
            return AssistServer.error(401, "user name or password is wrong")
        }
        let token = self.makeToken(
            role: "agent", name: form["name"] ?? user, allowedTopic: ".*", cid: nil,
            metadata: ["username": .string(user)], &moment)
        guard let token else { return Self.noRoomForToken }
        return Response(json: ["token": .string(token)])
    }
}
