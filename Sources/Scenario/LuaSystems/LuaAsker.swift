import JSON
import LuaRuntime
import Machines
import RunRecord

/// Who sends requests for functions of a system in Lua: a client, or a simulated server of its own accord.
enum LuaAsker {
    case client(Actor, LuaClientBackend)
    case server(LuaServer)

    /// Finds who it is by the first argument.
    init(of call: borrowing LuaCall) throws(HostError) {
        if case .handle(let object, _) = call.value(1), object is ServerBox {
            self = .server(try LuaSystemArgument.server(of: call))
        } else {
            let (actor, backend) = try LuaSystemArgument.client(of: call)
            self = .client(actor, backend)
        }
    }

    /// What it is called in messages.
    var name: String {
        switch self {
        case .client(let actor, _): actor.name
        case .server(let server): server.title
        }
    }

    /// The threads that wait for answers, or for the next pieces of them.
    var answers: NamedWaits {
        switch self {
        case .client(_, let backend): backend.answers
        case .server(let server): server.answers
        }
    }

    /// Sends a request, and returns its `number` and `name`.
    func ask(_ options: JSONObject, _ name: String) throws(HostError) -> JSONValue {
        switch self {
        case .client(_, let backend): try backend.send(Command("request", options), name)
        case .server(let server): try server.ask(options, name)
        }
    }

    /// Breaks off a request whose answer has begun and is not read further.
    func abandon(_ number: Int64) throws(HostError) {
        let command = Command("abandon", ["number": .integer(number)])
        switch self {
        case .client(_, let backend): _ = try backend.send(command, "answer:close")
        case .server(let server): server.abandon(command)
        }
    }

    /// Takes in an answer that is not `ok`, until something looks at it.
    func add(_ answer: LuaReference, saying text: String, to position: ScriptPosition?) {
        switch self {
        case .client(_, let backend): backend.unread.add(answer, saying: text, to: position)
        case .server(let server): server.unread.add(answer, saying: text, to: position)
        }
    }

    /// Returns the failure of an answer that is not what the system can go on with.
    func failure(_ text: String, at position: ScriptPosition?) -> ScenarioFailure {
        var failure = ScenarioFailure(
            category: .failure, kind: .answer, message: "\(self.name): \(text)",
            position: position)
        if case .client(let actor, _) = self { failure.actor = actor.name }
        return failure
    }

    /// Returns what it is that an answer did not come which the system cannot go on without: the error of a target that
    /// cannot be reached, as in all other clients, or else a failure.
    func missingAnswer(to request: String, because reason: String, at position: ScriptPosition?) -> ScenarioFailure {
        let failure = self.failure("\(request) has no answer: \(reason)", at: position)
        guard case .client(let actor, _) = self, let reason = actor.unreachable else { return failure }
        return failure.becauseUnreachable(reason, actor: actor.name)
    }
}
