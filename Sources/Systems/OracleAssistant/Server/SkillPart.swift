import JSON
import Machines

/// The skill in the session of one user: what it was told, what it keeps and where it is.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle, busy | `received`, below the limit | unchanged | |
/// | idle, busy | `received` at the limit | unchanged | says that it is one too many |
/// | idle | `nextAsked`, a function answers | busy | replies to the message, calls the function |
/// | idle | `nextAsked` otherwise | idle | replies to the message, says what the skill says |
/// | idle, busy | `entered` a state with a function | busy | calls the function |
/// | idle, busy | `entered` another state | unchanged | says what the skill says |
/// | busy | `returned` | idle | says what the function returned; nothing if it failed or the session is over |
/// | any | `moved`, `sessionBegan` | unchanged | |
struct SkillPart: Sendable {
    enum State: String, Sendable {
        case idle
        /// The skill's function has not come back.
        case busy
    }

    /// What happens to the skill.
    enum Input: Sendable {
        case received(Envelope)
        /// The next message may be answered.
        case nextAsked
        case entered(String, by: JSONObject)
        /// The skill is in another state, without a word.
        case moved(to: String)
        case returned(Result<JSONValue, ScriptCallFailure>)
        case sessionBegan
    }

    private let skill: Skill
    private let userID: String
    /// Messages that wait for the skill's function to come back.
    private var inputs: [Envelope] = []
    /// The state of a table of states; nil before the first message of a session.
    private var place: String?
    /// What the skill keeps.
    private var variables: JSONObject = [:]
    /// How many messages the skill got in this session.
    private var turn: Int64 = 0
    /// The number of the session.
    private var session: Int64 = 1
    private(set) var state = State.idle
    /// Whether the function that has not come back answers a session that is over.
    private var discardsReturn = false

    /// Creates a skill that was told nothing.
    init(_ skill: Skill, userID: String) {
        self.skill = skill
        self.userID = userID
    }

    /// Whether a message waits that can be answered now.
    var hasNext: Bool { self.state == .idle && !self.inputs.isEmpty }

    /// Takes in what happened.
    ///
    /// - Parameter profile: What is known about the user.
    mutating func handle(_ input: Input, profile: JSONObject) -> [ServerAction] {
        switch input {
        case .received(let envelope):
            guard self.inputs.count < ServerConversation.limit else {
                let text = "\(ServerConversation.limit) messages wait for the skill; this one is dropped."
                return [.say([SkillAnswer.Part(payload: ["type": "error", "errorMessage": .string(text)])])]
            }
            self.inputs.append(envelope)
            return []
        case .nextAsked:
            guard self.hasNext else { return [] }
            let envelope = self.inputs.removeFirst()
            self.turn += 1
            return [.reply(to: envelope)] + self.answer(envelope, profile)
        case .entered(let place, let message): return self.enter(place, by: message, profile)
        case .moved(let place):
            self.place = place
            return []
        case .returned(let result):
            self.state = .idle
            defer { self.discardsReturn = false }
            guard !self.discardsReturn, case .success(let value) = result else { return [] }
            return self.finish(SkillAnswer(value))
        case .sessionBegan:
            self.session += 1
            self.inputs = []
            self.discardsReturn = self.state == .busy
            self.place = nil
            self.variables = [:]
            self.turn = 0
            return []
        }
    }

    private mutating func answer(_ envelope: Envelope, _ profile: JSONObject) -> [ServerAction] {
        let message = envelope.object("messagePayload") ?? [:]
        switch self.skill {
        case .silent: return []
        case .echo: return self.finish(SkillAnswer(.string(Skill.echo(of: envelope.payload))))
        case .function(let function): return self.call(function, message, profile)
        case .states(let states):
            guard let place = self.place, let state = states[place] else {
                return self.enter(Skill.firstState, by: message, profile)
            }
            let next = Skill.keys(of: envelope.payload).lazy.compactMap { state.transitions[$0] }.first
            guard let next else { return self.finish(SkillAnswer(state.otherwise)) }
            return self.enter(next, by: message, profile)
        }
    }

    private mutating func enter(_ place: String, by message: JSONObject, _ profile: JSONObject) -> [ServerAction] {
        self.place = place
        switch self.skill {
        case .function(let function): return self.call(function, message, profile)
        case .states(let states):
            guard let state = states[place] else { return [] }
            if let function = state.run { return self.call(function, message, profile) }
            return self.finish(SkillAnswer(state.say))
        case .echo, .silent: return []
        }
    }

    private mutating func call(
        _ function: ScriptFunction, _ message: JSONObject, _ profile: JSONObject
    ) -> [ServerAction] {
        self.state = .busy
        return [.call(function, [.object(message), self.sessionFields(profile)])]
    }

    private mutating func finish(_ answer: SkillAnswer) -> [ServerAction] {
        if let problem = answer.problem ?? self.skill.problem(in: answer) {
            let error: JSONObject = ["type": "error", "errorMessage": .string("The skill broke: \(problem)")]
            return [.say([SkillAnswer.Part(payload: error)])]
        }
        if let place = answer.state { self.place = place }
        self.variables = self.variables.merging(answer.variables)
        var actions: [ServerAction] = [.say(answer.parts)]
        if let request = answer.agent { actions.append(.requestAgent(request)) }
        if answer.ends { actions.append(.endSession) }
        return actions
    }

    /// What a skill's function learns about the session.
    private func sessionFields(_ profile: JSONObject) -> JSONValue {
        var fields: JSONObject = [
            "user_id": .string(self.userID), "profile": .object(profile), "variables": .object(self.variables),
            "turn": .integer(self.turn), "session": .integer(self.session),
        ]
        fields["state"] = self.place.map { .string($0) }
        if let tag = profile["languageTag"], !tag.isNull { fields["language"] = tag }
        return .object(fields)
    }
}
