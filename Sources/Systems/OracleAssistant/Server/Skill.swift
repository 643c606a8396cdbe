import JSON
import Machines

/// The skill behind the simulated server: a function of the script, a table of states, or an echo.
enum Skill: Sendable {
    /// Called with each message and the session; returns what to say.
    case function(ScriptFunction)
    /// States by name; see ``State``.
    case states([String: State])
    /// Says what the user said.
    case echo
    /// Says nothing.
    case silent

    /// One state of a table.
    struct State: Sendable {
        /// What is said on entering.
        let say: JSONValue
        /// A function called on entering in place of saying something.
        let run: ScriptFunction?
        /// The next state by what the user says or taps.
        let transitions: [String: String]
        /// What is said when nothing fits.
        let otherwise: JSONValue

        /// Reads a state of a table.
        fileprivate init(_ name: String, _ value: JSONValue) throws(ConfigurationError) {
            for said in [value["say"], value["otherwise"]] {
                guard let problem = said.flatMap({ SkillAnswer($0).problem }) else { continue }
                throw ConfigurationError("the state \"\(name)\": \(problem)")
            }
            var transitions: [String: String] = [:]
            for (word, target) in value["on"]?.object ?? [:] { transitions[word.lowercased()] = target.string }
            self.say = value["say"] ?? .null
            self.run = value["run"]?.integer.map(ScriptFunction.init)
            self.transitions = transitions
            self.otherwise = value["otherwise"] ?? "I did not understand that."
        }
    }

    /// The state in which sessions begin.
    static let firstState = "start"

    /// Reads the options of a server.
    init(_ options: JSONObject) throws(ConfigurationError) {
        let given = ["skill", "states", "echo"].filter { name in
            options[name].map { !$0.isNull && $0 != false } ?? false
        }
        guard given.count < 2 else {
            throw ConfigurationError(
                "\(given.joined(separator: " and ")) exclude each other, for each says what the skill answers; give one of "
                    + "them")
        }
        if let function = options["skill"]?.integer {
            self = .function(ScriptFunction(function))
            return
        }
        guard let table = options["states"]?.object else {
            self = options["echo"]?.bool ?? false ? .echo : .silent
            return
        }
        var states: [String: State] = [:]
        for (name, value) in table { states[name] = try State(name, value) }
        self = .states(states)
        try self.check(states)
    }

    /// Makes sure that a table of states leads nowhere else.
    private func check(_ states: [String: State]) throws(ConfigurationError) {
        guard states[Self.firstState] != nil else {
            throw ConfigurationError("states of the server need a state \"\(Self.firstState)\"")
        }
        let sorted = states.sorted { $0.key < $1.key }
        for (name, state) in sorted {
            for target in state.transitions.values.sorted() where states[target] == nil {
                throw ConfigurationError("the state \"\(name)\" leads to \"\(target)\", which does not exist")
            }
        }
        for (name, state) in sorted {
            for said in [state.say, state.otherwise] {
                guard let problem = self.problem(in: SkillAnswer(said)) else { continue }
                throw ConfigurationError("the state \"\(name)\": \(problem)")
            }
        }
    }

    /// Returns which state an answer goes on to that a table does not have, or nil.
    func problem(in answer: SkillAnswer) -> String? {
        let outcomes = (answer.agent?["on"]?.object ?? [:]).compactMap { $0.1.string }
        return ([answer.state].compactMap(\.self) + outcomes).lazy.compactMap(self.problem(withState:)).first
    }

    /// Returns why the skill cannot go on from a state, or nil; what states a function has is its own affair.
    func problem(withState name: String) -> String? {
        guard case .states(let states) = self, states[name] == nil else { return nil }
        return "the skill has no state \"\(name)\"" + TextDistance.hint(name, among: states.keys.sorted())
    }

    /// Returns what an echo says to a message: its words, or what kind of message it was.
    static func echo(of payload: Payload) -> String {
        switch payload {
        case .text(let message): message.words ?? ""
        case .postback(let message): message.words ?? message.postback?.string ?? "postback"
        default: self.keys(of: payload).first ?? ""
        }
    }

    /// Returns the words by which a table recognizes a message, most telling first.
    static func keys(of payload: Payload) -> [String] {
        func action(_ postback: JSONValue?) -> [String] {
            [postback?.string, postback?["action"]?.string].compactMap(\.self)
        }
        let keys =
            switch payload {
            case .text(let message): [message.words ?? ""]
            case .postback(let message): action(message.postback) + [message.words ?? ""]
            case .formSubmission(let message): action(message.postback) + ["form"]
            case .attachment: ["attachment"]
            case .location: ["location"]
            case .inboundEvent(let event): [event.eventType ?? "", "event"]
            default: [] as [String]
            }
        return keys.map { $0.lowercased() } + ["*"]
    }
}
