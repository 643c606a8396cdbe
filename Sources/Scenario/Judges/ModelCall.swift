import HTTPTypes
import JSON
import Machines
import NIOCore
import Transport

/// One question to an endpoint: as many requests as it has votes, all at the same time.
///
/// Confined to the event loop on which it begins; it lives until the last request has ended, for each answer costs,
/// also where another one cannot be used.
final class ModelCall {
    /// An answer that can be used.
    struct Reply: Sendable {
        let answer: ModelAnswer
        let answeredBy: String
    }

    /// What came of a question, or of one of its requests, and what it cost, whatever came of it.
    struct Outcome: Sendable {
        let reply: Result<Reply, ModelFailure>
        let cost: ModelCost
    }

    private let endpoint: ModelEndpoint
    private let worker: Worker
    private let client: HTTPClient
    private let completion: @Sendable (Outcome) -> Void
    private var outcomes: [Outcome?]

    private init(
        _ endpoint: ModelEndpoint, count: Int, on loop: any EventLoop,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        self.endpoint = endpoint
        self.worker = Worker(loop: loop)
        let network = SocketNetwork(eventLoop: loop)
        network.scope = self.worker
        self.client = HTTPClient(label: endpoint.place, network: network, scheduler: self.worker)
        self.completion = completion
        self.outcomes = Array(repeating: nil, count: count)
    }

    /// How many requests a question takes.
    static func count(of question: ModelQuestion, to endpoint: ModelEndpoint) -> Int {
        if case .judged = question { endpoint.votes } else { 1 }
    }

    /// Asks; to be called on the event loop.
    ///
    /// - Parameter completion: Called once, with the answer or why there is none; the time limit of the endpoint sees
    ///   to it.
    static func begin(
        _ question: ModelQuestion, to endpoint: ModelEndpoint, on loop: any EventLoop,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let count = Self.count(of: question, to: endpoint)
        let call = ModelCall(endpoint, count: count, on: loop, completion: completion)
        for index in 0..<count {
            call.client.send(call.request(question, number: index + 1)) { call.take($0, of: question, index) }
        }
    }

    private func request(_ question: ModelQuestion, number: Int) -> Request {
        var fields: HTTPFields = [.contentType: "application/json", .accept: "application/json"]
        if let authorization = self.endpoint.authorization { fields[.authorization] = authorization }
        let address = self.endpoint.address
        let head = HTTPRequest(
            method: .post, scheme: address.scheme, authority: address.authority, path: address.path,
            headerFields: fields)
        let body = JSONWriter.write(.object(question.request(to: self.endpoint.model, number: number)))
        return Request(
            head, body: body, timeLimit: self.endpoint.timeLimit, handling: RequestHandling(redirectLimit: 0))
    }

    private func take(_ result: Result<Response, TransportFailure>, of question: ModelQuestion, _ index: Int) {
        self.outcomes[index] = self.outcome(of: result, question)
        let outcomes = self.outcomes.compactMap(\.self)
        guard outcomes.count == self.outcomes.count else { return }
        // The client is on the stack that tells of it.
        _ = self.worker.schedule(after: .zero) { self.client.close() }
        let reply = Result { () throws(ModelFailure) in
            try JudgeVotes.joined(outcomes.map { (outcome) throws(ModelFailure) in try outcome.reply.get() })
        }
        self.completion(
            Outcome(
                reply: reply.mapError { ModelFailure("\(self.endpoint.place) at \(self.endpoint.url): \($0.message)") },
                cost: outcomes.reduce(into: ModelCost()) { $0.add($1.cost) }))
    }

    private func outcome(of result: Result<Response, TransportFailure>, _ question: ModelQuestion) -> Outcome {
        let response: Response
        switch result {
        case .failure(let failure):
            return Outcome(reply: .failure(ModelFailure("no answer: \(failure.message)")), cost: ModelCost())
        case .success(let answer): response = answer
        }
        let body = (try? JSONReader.read(response.body))?.object
        let cost = ModelCost(of: body?["usage"], at: self.endpoint.prices)
        let reply = Result { () throws(ModelFailure) in
            let reply = try self.reply(response, body, to: question)
            try self.checkUsage(cost)
            return reply
        }
        return Outcome(reply: reply, cost: cost)
    }

    /// Makes sure that an answer tells how many tokens it took, if they are limited: a limit that nothing counts for
    /// would hold nothing back.
    private func checkUsage(_ cost: ModelCost) throws(ModelFailure) {
        let budget = self.endpoint.budget
        guard cost.tokens == 0, let limit = budget.tokens != nil ? "tokens" : budget.cost != nil ? "cost" : nil else {
            return
        }
        throw ModelFailure(
            "its answer tells no usage, so that at_most.\(limit) cannot be kept; leave that out, and say at_most.calls")
    }

    private func reply(
        _ response: Response, _ body: JSONObject?, to question: ModelQuestion
    ) throws(ModelFailure) -> Reply {
        guard response.head.status.kind == .successful else {
            let text = String(decoding: response.body.prefix(200), as: UTF8.self)
            throw ModelFailure("it answers \(response.head.status): \(text)")
        }
        guard let body else { throw ModelFailure("its answer is no JSON object") }
        return Reply(
            answer: try question.answer(in: body), answeredBy: body["model"]?.string ?? self.endpoint.model)
    }
}
