import HTTPTypes
import JSON
import Machines

/// An HTTP server that a script plays: prepared answers first, then a function of the script, then the peer by hand.
///
/// | request is | event | becomes |
/// |---|---|---|
/// | new, an answer fits | | prepared |
/// | new, there is a function | | asked |
/// | new, otherwise | | waiting |
/// | asked | the function returns an answer | prepared |
/// | asked | the function returns nothing | waiting |
/// | waiting | `respond` | gone |
/// | waiting | `begin` | open |
/// | open | `write…` | open |
/// | open | `finish` | gone |
/// | prepared | its time comes | the next piece is sent; after the last one it is gone |
/// | any | `drop`, the client goes away | gone |
struct PlainHTTPServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// The next piece of a prepared answer is due.
        case answer(ExchangeID)

        var description: String {
            switch self {
            case .answer(let id): String(id.number)
            }
        }
    }

    /// A request that is not wholly answered.
    private struct Pending: Sendable {
        enum State: Sendable {
            case waiting
            case asked
            case open
            /// How many pieces were sent; nil before the head.
            case prepared(Answer, sent: Int?)
        }

        let number: Int64
        let request: Request
        var state = State.waiting
    }

    /// At most this many requests wait; further ones get 503. Defined here.
    static let requestLimit = 10_000

    /// At most this many answers are prepared; defined here.
    static let answerLimit = 1_000

    private var answers: [Answer]
    private let handler: ScriptFunction?
    private var pending: [ExchangeID: Pending] = [:]
    private var calls: [ScriptCallID: ExchangeID] = [:]
    private var lastNumber: Int64 = 0

    /// Creates a server that nobody has asked anything.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        self.answers = []
        for answer in configuration.options["answers"]?.array ?? [] {
            self.answers.append(try Answer(answer.object ?? [:]))
        }
        guard self.answers.count <= Self.answerLimit else {
            throw ConfigurationError("a server takes at most \(Self.answerLimit) answers")
        }
        self.handler = configuration.options["handler"]?.integer.map { ScriptFunction($0) }
    }

    var properties: JSONObject {
        ["requests": .integer(self.lastNumber), "pending": .integer(Int64(self.pending.count))]
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let id, let request): self.take(request, id, in: &step)
        case .requestAbandoned(let id):
            guard let pending = self.forget(id, in: &step) else { return }
            step.ask(.emit(party: PlainHTTPSystem.party, ChatEvent(.abandoned, ["request": .integer(pending.number)])))
        case .timerFired(.answer(let id)): self.goOn(id, in: &step)
        case .scriptReturned(let call, let result): self.returned(call, result, in: &step)
        case .upgradeRequested(let connection, _):
            let refusal = Response(text: "This server speaks plain HTTP only.\n", status: .notImplemented)
            step.ask(.refuse(connection, refusal))
        case .linkOpened, .received, .closed: break
        }
    }

    private mutating func take(_ request: Request, _ id: ExchangeID, in step: inout Step) {
        guard self.pending.count < Self.requestLimit else {
            step.ask(.respond(id, Response(text: "Too many requests wait.\n", status: .serviceUnavailable)))
            return
        }
        self.lastNumber += 1
        self.pending[id] = Pending(number: self.lastNumber, request: request)
        let fields = RequestFields.fields(request, number: self.lastNumber)
        step.ask(
            .emit(party: PlainHTTPSystem.party, ChatEvent(.request, fields, raw: fields["json"] ?? fields["body"])))
        if let index = self.answers.firstIndex(where: { $0.fits(request.head, body: request.body) }) {
            if let uses = self.answers[index].uses { self.answers[index].uses = uses - 1 }
            self.prepare(self.answers[index], for: id, in: &step)
        } else if let handler = self.handler {
            self.pending[id]?.state = .asked
            let call = ScriptCallID(id.number)
            self.calls[call] = id
            step.ask(.callScript(call, handler, [.object(fields)]))
        }
    }

    private mutating func returned(
        _ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        guard let id = self.calls.removeValue(forKey: call), self.pending[id] != nil else { return }
        let refusal: String
        switch result {
        case .success(.null):
            self.pending[id]?.state = .waiting
            return
        case .success(let value):
            do throws(ConfigurationError) {
                guard let members = value.object else {
                    throw ConfigurationError("the handler returns a table such as { json = … }, or nil")
                }
                self.prepare(try Answer(members), for: id, in: &step)
                return
            } catch {
                refusal = error.message
            }
        case .failure(let failure): refusal = failure.message
        }
        self.respond(
            id, Response(text: "The script gave no answer: \(refusal)\n", status: .internalServerError), in: &step)
    }

    // MARK: Prepared answers

    private mutating func prepare(_ answer: Answer, for id: ExchangeID, in step: inout Step) {
        self.pending[id]?.state = .prepared(answer, sent: nil)
        guard answer.delay > .zero else {
            self.goOn(id, in: &step)
            return
        }
        step.ask(.setTimer(.answer(id), answer.delay))
    }

    /// Sends what is due now, and sets the timer for what follows.
    private mutating func goOn(_ id: ExchangeID, in step: inout Step) {
        guard case .prepared(let answer, let sentBefore)? = self.pending[id]?.state else { return }
        if sentBefore == nil, answer.isPlain, case .whole(let body) = answer.content {
            let head = HTTPResponse(status: answer.status, headerFields: answer.headers)
            self.respond(id, Response(head, body: body), in: &step)
            return
        }
        var sent = sentBefore ?? 0
        // Whoever drops the connection at once has not even sent a head.
        if sentBefore == nil, answer.dropsAfter != 0 { step.ask(.begin(id, answer.head)) }
        while true {
            if let most = answer.dropsAfter, sent >= most {
                step.ask(.drop(id))
                self.forget(id, in: &step)
                return
            }
            guard sent < answer.pieces.count else {
                step.ask(.end(id))
                self.forget(id, in: &step)
                return
            }
            step.ask(.write(id, answer.pieces[sent]))
            sent += 1
            let isOver = sent == answer.pieces.count && answer.dropsAfter.map { sent < $0 } ?? true
            guard answer.gap == .zero || isOver else {
                self.pending[id]?.state = .prepared(answer, sent: sent)
                step.ask(.setTimer(.answer(id), answer.gap))
                return
            }
        }
    }

    private mutating func respond(_ id: ExchangeID, _ response: Response, in step: inout Step) {
        step.ask(.respond(id, response))
        self.forget(id, in: &step)
    }

    @discardableResult
    private mutating func forget(_ id: ExchangeID, in step: inout Step) -> Pending? {
        guard let pending = self.pending.removeValue(forKey: id) else { return nil }
        if case .prepared = pending.state { step.ask(.cancelTimer(.answer(id))) }
        return pending
    }

    // MARK: Commands

    static func commands(of party: String?) -> CommandSet<ServerCommand> {
        party == nil ? ServerVocabulary.commands : ServerVocabulary.peerCommands
    }

    mutating func perform(_ command: ServerCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        do throws(ConfigurationError) {
            switch command {
            case .prepare(let answer):
                guard self.answers.count < Self.answerLimit else {
                    return .refused("a server takes at most \(Self.answerLimit) answers")
                }
                self.answers.insert(try Answer(answer), at: 0)
            case .peer(let command, let wanted):
                guard let id = self.oldest(wanted) else {
                    return .refused(
                        wanted.map { "the request \($0) does not wait for the peer" }
                            ?? "\(command.method) needs a request that waits for the peer; expect \"request\" first")
                }
                try self.perform(command, on: id, in: &step)
            }
        } catch {
            return .refused(error.message)
        }
        return .done(.null)
    }

    /// The request that a command is about: the one that it names, or the oldest one that waits for the peer.
    private func oldest(_ wanted: Int64?) -> ExchangeID? {
        self.pending.filter { _, pending in
            switch pending.state {
            case .waiting, .open: wanted == nil || wanted == pending.number
            case .asked, .prepared: false
            }
        }.min { $0.value.number < $1.value.number }?.key
    }

    private mutating func perform(
        _ command: ServerCommand.Peer, on id: ExchangeID, in step: inout Step
    ) throws(ConfigurationError) {
        var isOpen = false
        if case .open? = self.pending[id]?.state { isOpen = true }
        switch command {
        case .drop:
            step.ask(.drop(id))
            self.forget(id, in: &step)
        case .respond(let members):
            self.prepare(try Self.newAnswer(members, isOpen: isOpen), for: id, in: &step)
        case .begin(let members):
            let answer = try Self.newAnswer(members, isOpen: isOpen)
            self.pending[id]?.state = .open
            var head = answer.head
            head.headerFields[.contentLength] = members["length"]?.integer.map { String($0) }
            step.ask(.begin(id, head))
        case .write, .writeEvent, .writeLine, .finish:
            guard isOpen else {
                throw ConfigurationError("\(command.method) needs an answer that has begun; call begin")
            }
            if let bytes = command.bytes {
                step.ask(.write(id, bytes))
            } else {
                step.ask(.end(id))
                self.forget(id, in: &step)
            }
        }
    }

    /// Reads an answer to a request, unless one has begun.
    private static func newAnswer(_ members: JSONObject, isOpen: Bool) throws(ConfigurationError) -> Answer {
        guard !isOpen else { throw ConfigurationError("the answer has begun already; go on with write or finish") }
        var members = members
        members["to"] = nil
        return try Answer(members)
    }
}

extension ServerCommand.Peer {
    /// The piece of a body that is written; nil if none is.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .write(let text): Array(text.utf8)
        case .writeEvent(let event): EventText.event(event)
        case .writeLine(let value): EventText.line(value)
        case .respond, .begin, .finish, .drop: nil
        }
    }
}
