import JSON
import Machines
import NIOCore
import RunRecord
import Synchronization
import Transport

/// Asks models for the scenarios of a run: it looks into the cassette, and asks the endpoint for what is not there.
///
/// There is one for a run, for all its threads. The same question is asked once.
public final class ModelClient: Sendable {
    /// What is done about a question that the cassette does not answer.
    public enum Mode: Hashable, Sendable {
        /// It is an error; the network is not touched.
        case replay
        /// The endpoint is asked.
        case ask
    }

    typealias Completion = @Sendable (Result<ModelAnswer, ModelFailure>) -> Void

    private struct State {
        var cassette: Cassette
        var waiting: [String: [Completion]] = [:]
        var costs: [String: ModelCost] = [:]
        var loop: SocketLoop?
        var isStopped = false
    }

    private let declarations: ModelDeclarations
    private let mode: Mode
    private let state: Mutex<State>

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - project: What declares the models.
    ///   - cassette: The text of the cassette; nil for none.
    ///   - name: The file of the cassette as messages name it.
    /// - Throws: ``ScriptProblem`` if the cassette cannot be read.
    public init(_ project: ProjectConfiguration, cassette: String?, name: String, mode: Mode) throws(ScriptProblem) {
        self.declarations = project.models
        self.mode = mode
        do throws(ModelFailure) {
            self.state = Mutex(State(cassette: try cassette.map(Cassette.init(reading:)) ?? Cassette()))
        } catch { throw ScriptProblem("\(name): \(error.message)") }
    }

    /// The text of the cassette, if answers were added to it.
    public var changedCassette: String? {
        self.state.withLock { $0.cassette.isChanged ? $0.cassette.text : nil }
    }

    /// What was asked of models and what it took, a line for each that was asked; what the cassette answers costs
    /// nothing.
    public var costSummary: String {
        self.state.withLock { state in
            state.costs.sorted { $0.key < $1.key }.map { "asked \($0.key): \($0.value.text)\n" }.joined()
        }
    }

    /// Returns the endpoint of a criterion.
    ///
    /// - Throws: ``UsageError`` if the project declares none.
    func endpoint(of criterion: ModelCriterion) throws(UsageError) -> ModelEndpoint {
        switch criterion.kind {
        case .means:
            guard let endpoint = self.declarations.embeddings else {
                throw UsageError(
                    "match.means needs a model; write embeddings = { url = \"…/v1/embeddings\", model = \"…\" } in "
                        + "repartee.lua")
            }
            return endpoint
        case .judged(let name):
            return try Self.endpoint(name, among: self.declarations.judges, "judge")
        }
    }

    /// Returns the endpoint of a model that writes what personas say.
    ///
    /// - Throws: ``UsageError`` if the project declares none of this name.
    func endpoint(ofPersonasBy name: String) throws(UsageError) -> ModelEndpoint {
        try Self.endpoint(name, among: self.declarations.personas, "persona")
    }

    private static func endpoint(
        _ name: String, among declared: [String: ModelEndpoint], _ kind: String
    ) throws(UsageError) -> ModelEndpoint {
        guard let endpoint = declared[name] else {
            throw UsageError(
                "there is no \(kind) \"\(name)\" in repartee.lua"
                    + TextDistance.hint(name, among: declared.keys.sorted())
                    + "; write \(kind)s = { \(name) = { url = \"…/v1/chat/completions\", model = \"…\" } }")
        }
        return endpoint
    }

    /// Asks a question.
    ///
    /// - Parameter completion: Called once, at once or from another thread.
    func ask(_ question: ModelQuestion, of endpoint: ModelEndpoint, completion: @escaping Completion) {
        let members = question.members(for: endpoint)
        let key = ModelQuestion.key(of: members)
        let known: Result<ModelAnswer, ModelFailure>? = self.state.withLock { state in
            if let answer = state.cassette[members] { return .success(answer) }
            if state.isStopped { return .failure(Self.stopped) }
            if self.mode == .replay {
                let difference = state.cassette.difference(from: members).map { ": \($0)" } ?? ""
                return .failure(
                    ModelFailure(
                        "the cassette has no answer of \(endpoint.place) to this question\(difference); run with "
                            + "--record to ask the model and keep its answer", kind: .unasked))
            }
            if state.waiting[key] != nil {
                state.waiting[key]?.append(completion)
                return nil
            }
            if let missing = endpoint.missingVariable {
                return .failure(ModelFailure("repartee.lua: \(endpoint.place): \(missing)", kind: .unasked))
            }
            if let reason = Self.reserve(ModelCall.count(of: question, to: endpoint), of: endpoint, in: &state) {
                return .failure(reason)
            }
            state.waiting[key] = [completion]
            let loop = state.loop ?? SocketLoop()
            state.loop = loop
            let eventLoop = loop.eventLoop
            eventLoop.execute {
                ModelCall.begin(question, to: endpoint, on: eventLoop) {
                    self.take($0, key: key, members, of: endpoint)
                }
            }
            return nil
        }
        if let known { completion(known) }
    }

    private static let stopped = ModelFailure("the run ended before the model answered", kind: .interrupted)

    /// Takes requests from the budget of an endpoint.
    ///
    /// - Returns: Why not, if it is used up.
    private static func reserve(_ count: Int, of endpoint: ModelEndpoint, in state: inout State) -> ModelFailure? {
        let spent = state.costs[endpoint.place] ?? ModelCost()
        if let most = endpoint.budget.calls, spent.requests + count > most {
            return ModelFailure(
                "the budget of \(endpoint.place) is used up: \(spent.requests) of \(most) requests were sent and the "
                    + "question takes \(count); raise at_most.calls in repartee.lua", kind: .unasked)
        }
        if let most = endpoint.budget.tokens, spent.tokens >= most {
            return ModelFailure(
                "the budget of \(endpoint.place) is used up: its answers took \(spent.tokens) of \(most) tokens; raise "
                    + "at_most.tokens in repartee.lua", kind: .unasked)
        }
        if let most = endpoint.budget.cost, spent.cost >= most {
            return ModelFailure(
                "the budget of \(endpoint.place) is used up: its answers cost \(ModelCost.text(spent.cost)) of "
                    + "\(ModelCost.text(most)); raise at_most.cost in repartee.lua", kind: .unasked)
        }
        state.costs[endpoint.place, default: ModelCost()].requests += count
        return nil
    }

    private func take(
        _ outcome: ModelCall.Outcome, key: String, _ members: JSONObject, of endpoint: ModelEndpoint
    ) {
        let (answer, waiting) = self.state.withLock { state in
            state.costs[endpoint.place, default: ModelCost()].add(outcome.cost)
            let answer = Result { () throws(ModelFailure) in
                let reply = try outcome.reply.get()
                try state.cassette.add(reply.answer, to: members, answeredBy: reply.answeredBy)
                return reply.answer
            }
            return (answer, state.waiting.removeValue(forKey: key) ?? [])
        }
        for completion in waiting { completion(answer) }
    }

    /// Answers nothing any more: who waits is told so.
    public func stop() {
        let waiting = self.state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.flatMap(\.value)
        }
        for completion in waiting { completion(.failure(Self.stopped)) }
    }

    /// Ends what it has under way, and its thread.
    public func close() async {
        self.stop()
        let loop = self.state.withLock { state in
            defer { state.loop = nil }
            return state.loop
        }
        await loop?.shutDown()
    }
}
