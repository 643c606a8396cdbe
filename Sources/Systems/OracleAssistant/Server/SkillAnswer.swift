import JSON
import Machines

/// What a skill answers to one message: what to say, and how the session goes on.
struct SkillAnswer: Sendable {
    /// One thing to say.
    struct Part: Hashable, Sendable {
        /// The payload.
        var payload: JSONObject
        /// The time since the part before.
        var delay = Duration.zero
        var source = Envelope.Source.bot
        /// Whether the turn ends with it; told by its place unless the skill says so.
        var endsTurn: Bool?
        /// Members of the envelope that the skill sets itself.
        var envelope: JSONObject = [:]
        /// Of which text in pieces of its answer it is a piece; whoever sends it numbers the texts of a conversation.
        var stream: Int?
    }

    /// At most this many parts are said at once.
    static let limit = 1000

    /// What is to be said.
    private(set) var parts: [Part] = []

    /// The state the session goes to.
    private(set) var state: String?

    /// Variables to keep.
    private(set) var variables: JSONObject = [:]

    /// The wish for an agent: subject, queue and so on.
    private(set) var agent: JSONObject?

    /// Whether the session ends.
    private(set) var ends = false

    /// What is wrong with the answer, or nil if nothing is.
    private(set) var problem: String?

    /// Reads what a function returned or a table holds.
    init(_ value: JSONValue) {
        guard let members = value.object, Self.isAnswer(members) else {
            self.take(value)
            return
        }
        let known = AnswerVocabulary.answer.members.map(\.name)
        if let stray = members.first(where: { !known.contains($0.0) })?.0 {
            self.problem =
                "a payload needs a type, such as type = \"card\", and an answer has no member \"\(stray)\""
                + TextDistance.hint(stray, among: known)
            return
        }
        self.problem =
            AnswerVocabulary.problem(inAnswer: members)
            ?? members["agent"]?["rejected_message"].flatMap { SkillAnswer($0).problem }
        self.take(members["messages"] ?? .null)
        self.state = members["state"]?.string
        self.variables = members["variables"]?.object ?? [:]
        self.agent = members["agent"]?.object ?? (members["agent"]?.bool == true ? [:] : nil)
        self.ends = members["end_session"]?.bool ?? false
    }

    /// Reads what a script says in place of a skill.
    ///
    /// - Parameter method: What the script calls.
    /// - Throws: What is wrong with it, or that there is nothing to say.
    init(said value: JSONValue, by method: String) throws(CommandError) {
        self.init(value)
        if let problem = self.problem { throw CommandError(problem) }
        guard self.state == nil, self.variables.isEmpty, self.agent == nil, !self.ends else {
            throw CommandError(
                "\(method) says something and does nothing else: state, variables, agent and end_session belong to what a "
                    + "skill returns")
        }
        guard !self.parts.isEmpty else {
            throw CommandError("\(method) needs something to say: a text, a payload, or a list of them")
        }
    }

    private static func isAnswer(_ members: JSONObject) -> Bool {
        members["type"] == nil && members["text"] == nil && members["stream"] == nil && members["payload"] == nil
            && members["typing"] == nil
    }

    private mutating func take(_ value: JSONValue) {
        guard self.parts.count < Self.limit else { return self.refuseMore() }
        switch value {
        case .string(let text): self.parts.append(Part(payload: ["type": "text", "text": .string(text)]))
        case .array(let elements): for element in elements { self.take(element) }
        case .object(let members): if !members.isEmpty { self.take(members) }
        // What Lua makes of a condition that does not hold says nothing.
        case .null, .bool(false): break
        default:
            self.problem =
                self.problem ?? "what is said is a text, a payload, or a list of them, not \(value)"
        }
    }

    private mutating func take(_ members: JSONObject) {
        self.problem = self.problem ?? AnswerVocabulary.problem(inPart: members)
        var payload = members
        for name in ["delay", "from", "end_of_turn", "envelope", "stream", "interval", "typing"] {
            payload[name] = nil
        }
        // A payload with a type may itself have a member payload, as raw ones do.
        if members["type"] == nil, let own = members["payload"]?.object { payload = own }
        for name in ["delay", "interval"] where self.problem == nil {
            guard let value = members[name], (Self.duration(value) ?? .seconds(-1)) < .zero else { continue }
            self.problem = "\(name) is a duration, such as \"2s\", not \(value)"
        }
        var part = Part(payload: payload, delay: Self.duration(members["delay"]) ?? .zero)
        if members["from"]?.string == "agent" { part.source = .agent }
        part.endsTurn = members["end_of_turn"]?.bool
        part.envelope = members["envelope"]?.object ?? [:]
        if let isTyping = members["typing"]?.bool {
            part.payload = ["type": "status", "status": .string(isTyping ? "RESPONDING" : "LISTENING")]
            part.source = .agent
        } else if let pieces = members["stream"]?.array {
            self.takeStream(pieces.compactMap(\.string), interval: Self.duration(members["interval"]), part)
            return
        } else if part.payload["type"] == nil, part.payload["text"] != nil {
            part.payload["type"] = "text"
        }
        guard part.payload["type"] != nil else {
            let names = part.payload.names.map { "\"\($0)\"" }.joined(separator: ", ")
            let rest = names.isEmpty ? "" : "; this one has only \(names)"
            self.problem = self.problem ?? "a payload needs a type, such as type = \"card\"\(rest)"
            return
        }
        part.payload = Self.dressed(part.payload)
        self.parts.append(part)
    }

    private mutating func refuseMore() {
        self.problem =
            self.problem
            ?? "at most \(Self.limit) messages and pieces of a stream are said at once; say the rest afterwards"
    }

    /// A text in pieces: start, running and end, some time apart.
    private mutating func takeStream(_ pieces: [String], interval: Duration?, _ first: Part) {
        guard pieces.count <= Self.limit - self.parts.count else { return self.refuseMore() }
        let stream = self.parts.count
        var aggregate = ""
        for (index, piece) in pieces.enumerated() {
            aggregate += piece
            var part = first
            if index > 0 { part.delay = interval ?? .milliseconds(100) }
            let state = index == pieces.count - 1 ? "end" : index == 0 ? "start" : "running"
            part.payload = [
                "type": "textStream", "text": .string(piece), "aggregateText": .string(aggregate),
                "streamState": .string(state),
            ]
            part.stream = stream
            self.parts.append(part)
        }
    }

    /// Actions that are only words become postbacks with these words, and with them as the postback's action.
    private static func dressed(_ payload: JSONObject) -> JSONObject {
        var result = payload
        for name in ["cards", "forms"] {
            guard let parts = payload[name]?.array else { continue }
            result[name] = .array(parts.map { part in part.object.map { .object(self.dressed($0)) } ?? part })
        }
        if let form = payload["footerForm"]?.object { result["footerForm"] = .object(self.dressed(form)) }
        for name in ["actions", "globalActions"] {
            guard let actions = payload[name]?.array else { continue }
            result[name] = .array(
                actions.map { action in
                    guard let label = action.string else { return action }
                    return ["type": "postback", "label": .string(label), "postback": ["action": .string(label)]]
                })
        }
        return result
    }

    /// What is to be said, with the mark of a step; see ``ConversationStep``.
    func parts(of step: ConversationStep.Name, _ details: JSONObject = [:]) -> [Part] {
        self.parts.map { part in
            var part = part
            var extensions = part.payload["channelExtensions"]?.object ?? [:]
            var members = details
            members["name"] = .string(step.rawValue)
            extensions[ConversationStep.member] = .object(members)
            part.payload["channelExtensions"] = .object(extensions)
            return part
        }
    }

    /// Reads a duration as scripts write it within JSON.
    static func duration(_ value: JSONValue?) -> Duration? {
        switch value {
        case .string(let text): Duration(scriptText: text)
        case let value?: value.double.flatMap { Duration(scriptSeconds: $0) }
        case nil: nil
        }
    }
}

extension SkillAnswer.Part {
    /// Creates what an agent says.
    init(agent name: String, _ payload: JSONObject) {
        self.init(payload: payload, source: .agent)
        guard payload["type"]?.string != "status" else { return }
        let extensions = payload["channelExtensions"]?.object ?? [:]
        let agent: JSONObject = ["agentName": .string(name), "agentSession": ["name": .string(name)]]
        self.payload["channelExtensions"] = .object(agent.merging(extensions))
    }

    /// The same, said by an agent.
    func said(byAgent name: String) -> SkillAnswer.Part {
        var part = self
        part.payload = SkillAnswer.Part(agent: name, self.payload).payload
        part.source = .agent
        return part
    }
}
