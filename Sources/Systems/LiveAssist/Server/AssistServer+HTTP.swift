import HTTPTypes
import JSON
import Machines

/// The HTTP interfaces: short codes, sessions, agents, tokens.
extension AssistServer {
    private struct Call {
        let method: HTTPRequest.Method
        let path: String
        let query: [String: String]
        let body: [UInt8]
        let head: HTTPRequest

        init(_ request: Request) {
            let target = (request.head.path ?? "/").split(
                separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            self.method = request.head.method
            self.path = target.first.map(String.init) ?? "/"
            let pairs = target.count > 1 ? FormEncoding.decode(target[1]) : []
            self.query = Dictionary(pairs, uniquingKeysWith: { _, last in last })
            self.body = request.body
            self.head = request.head
        }

        /// The pairs of a form body.
        var form: [String: String] {
            let text = String(decoding: self.body.prefix(65_536), as: UTF8.self)
            return Dictionary(FormEncoding.decode(text), uniquingKeysWith: { _, last in last })
        }
    }

    /// Answers a request.
    mutating func respond(to request: Request, in step: inout Step) -> Response {
        let call = Call(request)
        // Browsers need this header; the vendor's server sends it too.
        var response =
            switch (call.method, call.path) {
            case (.put, "/assistserver/shortcode/create"): self.createCode(call, in: &step)
            case (.get, "/assistserver/shortcode/consumer"): self.redeemCode(call, byAgent: false, in: &step)
            case (.get, "/assistserver/shortcode/agent"): self.redeemCode(call, byAgent: true, in: &step)
            case (.post, "/assistserver/consumer"): self.createSession(call, in: &step)
            case (.delete, "/assistserver/consumer"): self.endSession(call, in: &step)
            case (.post, "/assistserver/session"): self.findSession(call, in: step)
            case (.post, "/assistserver/agent"): self.logIn(call, in: &step)
            case (.delete, "/assistserver/agent"): Response(json: [:])
            case (.post, "/gateway/sessions/session"): self.createToken(call, in: &step)
            case (.get, let path) where path.hasPrefix("/documents/"): Self.document(path)
            default: Self.error(404, "there is nothing at \(call.path)")
            }
        response.head.headerFields[.accessControlAllowOrigin] = "*"
        return response
    }

    /// Test documents: `/documents/<status>/<type>/…` with a short body.
    private static func document(_ path: String) -> Response {
        let parts = path.split(separator: "/")
        guard parts.count >= 4, let status = Int(parts[1]), 200...599 ~= status else {
            return self.error(404, "there is no such document")
        }
        var response = Response(text: "A document.", status: .init(code: status))
        response.head.headerFields[.contentType] = "\(parts[2])/\(parts[3])"
        return response
    }

    // MARK: Tokens

    /// Makes a token with the metadata of its holder.
    mutating func makeToken(
        role: String, name: String, auditName: String = "", allowedTopic: String, cid: String?,
        metadata: JSONObject = [:],
        in step: inout Step
    ) -> String {
        let token = step.random.hexadecimalDigits(40)
        var fields: JSONObject = ["role": .string(role), "name": .string(name)]
        if !auditName.isEmpty { fields["auditName"] = .string(auditName) }
        if self.tokens.count >= Self.recordLimit {
            let now = step.now
            self.tokens = self.tokens.filter { $0.value.expires > now }
        }
        self.tokens[token] = SessionToken(
            metadata: fields.merging(metadata), allowedTopic: allowedTopic, cid: cid,
            expires: step.now + self.tokenLife)
        return token
    }

    private mutating func openSession(_ cid: String) -> Bool {
        guard self.sessions[cid] == nil else { return true }
        guard self.sessions.count < Self.recordLimit else { return false }
        self.sessions[cid] = AssistSession(cid: cid)
        return true
    }

    /// Tokens made by a customer's own web application (*Session Token Creation* of the vendor's guide).
    private mutating func createToken(_ call: Call, in step: inout Step) -> Response {
        guard let value = try? JSONReader.read(call.body, depth: 16),
            let attributes = value["additionalAttributes"]?.object,
            let allowed = attributes["AED2.allowedTopic"]?.string, !allowed.isEmpty
        else { return Self.error(400, "a session description with AED2.allowedTopic is expected") }
        let metadata = TopicEntry.metadata(attributes["AED2.metadata"]).object ?? [:]
        let token = self.makeToken(
            role: metadata["role"]?.string ?? "consumer", name: metadata["name"]?.string ?? "", allowedTopic: allowed,
            cid: nil, metadata: metadata, in: &step)
        return Response(json: ["sessionid": .string(token)])
    }

    // MARK: Short codes

    private mutating func createCode(_ call: Call, in step: inout Step) -> Response {
        guard self.access != .disabled else { return Self.error(403, "anonymous access is disabled") }
        let now = step.now
        if self.codes.count > 1_000 { self.codes = self.codes.filter { !$0.value.isOver(at: now) } }
        guard self.codes.count < Self.recordLimit else { return Self.error(503, "too many short codes are alive") }
        // A code that is over may be handed out again; one that is alive is unique.
        var code = step.random.decimalDigits(6)
        while self.codes[code].map({ !$0.isOver(at: now) }) ?? false { code = step.random.decimalDigits(6) }
        // The name of the parameter that binds a known session is not published; it is defined here.
        let cid = call.query["cid"] ?? "assist-" + step.random.hexadecimalDigits(12)
        guard self.openSession(cid) else { return Self.error(503, "too many sessions are open") }
        let audit = call.query["auditName"] ?? ""
        self.codes[code] = ShortCode(
            cid: cid,
            consumerToken: self.makeToken(
                role: "consumer", name: audit, auditName: audit, allowedTopic: cid, cid: cid, in: &step),
            agentToken: self.makeToken(role: "agent", name: "Agent", allowedTopic: cid, cid: cid, in: &step),
            created: now)
        return Response(json: ["shortCode": .string(code)])
    }

    private mutating func redeemCode(_ call: Call, byAgent: Bool, in step: inout Step) -> Response {
        guard let name = call.query["appkey"], let code = self.codes[name] else {
            return Self.error(404, "the short code is unknown")
        }
        guard !code.isOver(at: step.now) else { return Self.error(410, "the short code has expired") }
        if byAgent {
            self.codes[name]?.isUsedByAgent = true
        } else {
            self.codes[name]?.isUsedByConsumer = true
            if let audit = call.query["auditName"] {
                self.tokens[code.consumerToken]?.metadata["auditName"] = .string(audit)
            }
        }
        return Response(json: [
            "session-token": .string(byAgent ? code.agentToken : code.consumerToken), "cid": .string(code.cid),
        ])
    }

    // MARK: Sessions

    private mutating func createSession(_ call: Call, in step: inout Step) -> Response {
        guard self.access != .disabled else { return Self.error(403, "anonymous access is disabled") }
        let form = call.form
        guard form["type"] == "create" else { return Self.error(400, "type=create is expected") }
        let cid = form["username"] ?? "assist-" + step.random.hexadecimalDigits(12)
        guard !cid.isEmpty, cid.utf8.count <= 256, self.openSession(cid) else {
            return Self.error(400, "the session cannot be opened under this name")
        }
        // User-to-User information counts only in trusted mode.
        if self.access == .trusted, let uui = form["uui"], Hexadecimal.decode(uui) != nil {
            self.sessions[cid]?.uui = uui
        }
        let audit = form["auditName"] ?? ""
        let token = self.makeToken(
            role: "consumer", name: audit, auditName: audit, allowedTopic: cid, cid: cid, in: &step)
        var response = Response(json: ["address": .string(cid), "token": .string(token), "scaleFactor": 1])
        response.head.headerFields[.setCookie] = "assist=\(step.random.hexadecimalDigits(8)); Path=/"
        return response
    }

    private func findSession(_ call: Call, in step: Step) -> Response {
        guard let name = call.form["sessionToken"], let token = self.tokens[name], token.expires > step.now,
            let cid = token.cid
        else { return Self.error(404, "the session token is unknown") }
        return Response(json: ["address": .string(cid), "token": .string(name)])
    }

    private mutating func endSession(_ call: Call, in step: inout Step) -> Response {
        guard let field = HTTPField.Name("X-Token"), let name = call.head.headerFields[field],
            let token = self.tokens.removeValue(forKey: name)
        else { return Self.error(404, "the session token is unknown") }
        guard let cid = token.cid, let session = self.sessions.removeValue(forKey: cid) else {
            return Response(json: [:])
        }
        for member in session.members {
            self.send(TopicFrame(.closeTopic, topic: 0), to: member.connection, in: &step)
            self.sessionByConnection[member.connection] = nil
            step.ask(.close(member.connection, code: 1000, reason: "the session has ended"))
        }
        return Response(json: [:])
    }

    // MARK: Agents

    private mutating func logIn(_ call: Call, in step: inout Step) -> Response {
        let form = call.form
        guard let user = form["username"], !user.isEmpty else { return Self.error(400, "username is missing") }
        // Without a list of agents anybody is one.
        guard self.agents.isEmpty || self.agents[user] == form["password"] ?? "" else {
            return Self.error(401, "user name or password is wrong")
        }
        let token = self.makeToken(
            role: "agent", name: form["name"] ?? user, allowedTopic: ".*", cid: nil,
            metadata: ["username": .string(user)],
            in: &step)
        return Response(json: ["token": .string(token)])
    }
}
