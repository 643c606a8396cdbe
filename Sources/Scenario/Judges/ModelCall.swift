import HTTPTypes
import JSON
import Machines
import NIOCore
import Transport

/// One question to an endpoint: as many requests as it has votes, all at the same time.
///
/// Confined to the event loop on which it begins; it lives until the last answer is there or the first is none.
final class ModelCall {
    /// What came of a question.
    struct Reply: Sendable {
        let answer: ModelAnswer
        let answeredBy: String
        var cost: ModelCost
    }

    private let endpoint: ModelEndpoint
    private let worker: Worker
    private let client: HTTPClient
    private var completion: (@Sendable (Result<Reply, ModelFailure>) -> Void)?
    private var replies: [Reply?]

    private init(
        _ endpoint: ModelEndpoint, count: Int, on loop: any EventLoop,
        completion: @escaping @Sendable (Result<Reply, ModelFailure>) -> Void
    ) {
        self.endpoint = endpoint
        self.worker = Worker(loop: loop)
        let network = SocketNetwork(eventLoop: loop)
        network.scope = self.worker
        self.client = HTTPClient(label: endpoint.place, network: network, scheduler: self.worker)
        self.completion = completion
        self.replies = Array(repeating: nil, count: count)
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
        completion: @escaping @Sendable (Result<Reply, ModelFailure>) -> Void
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
        guard self.completion != nil else { return }
        do throws(ModelFailure) {
            self.replies[index] = try self.reply(result, to: question)
            let replies = self.replies.compactMap(\.self)
            if replies.count == self.replies.count { self.end(.success(try JudgeVotes.joined(replies))) }
        } catch {
            self.end(.failure(ModelFailure("\(self.endpoint.place) at \(self.endpoint.url): \(error.message)")))
        }
    }

    private func reply(
        _ result: Result<Response, TransportFailure>, to question: ModelQuestion
    ) throws(ModelFailure) -> Reply {
        let response: Response
        switch result {
        case .failure(let failure): throw ModelFailure("no answer: \(failure.message)")
        case .success(let answer): response = answer
        }
        guard response.head.status.kind == .successful else {
            let text = String(decoding: response.body.prefix(200), as: UTF8.self)
            throw ModelFailure("it answers \(response.head.status): \(text)")
        }
        guard let body = (try? JSONReader.read(response.body))?.object else {
            throw ModelFailure("its answer is no JSON object")
        }
        return Reply(
            answer: try question.answer(in: body),
            answeredBy: body["model"]?.string ?? self.endpoint.model,
            cost: ModelCost(of: body["usage"], at: self.endpoint.prices))
    }

    private func end(_ result: Result<Reply, ModelFailure>) {
        guard let completion = self.completion else { return }
        self.completion = nil
        // The client is on the stack that tells of it.
        _ = self.worker.schedule(after: .zero) { self.client.close() }
        completion(result)
    }
}
