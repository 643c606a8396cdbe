import HTTPTypes
import Machines

/// Holds requests until there is a token that is good, and asks once more with a new one after a 401; ``TokenCache``
/// knows when a token expires.
///
/// Messages, polls, uploads and voices all go through here, and so does the first frame of a recording: the vendor's
/// token is used for each request to the server, so each has the same source.
///
/// | a request | input | → the request | actions |
/// |---|---|---|---|
/// | | `asked` without a token | sent | sends it |
/// | | `asked`, the token is good | sent | sends it |
/// | | `asked` otherwise | waiting | asks for a token |
/// | waiting | `tokenCame` | sent | sends it with the token |
/// | waiting | `tokenCame` with none | over | an answer of status 401 |
/// | sent | `answered` 401 for the first time | waiting | forgets the token, asks for another one |
/// | sent | `answered` otherwise | over | the answer |
/// | waiting, sent | `abandoned` | over | |
/// | any | `stopped` | over | |
struct AuthorizationPart: Sendable {
    /// What happens to requests.
    enum Input: Sendable {
        case asked(OracleKeys.Exchange, Request)
        /// A recording must prove whose it is.
        case proofAsked(recording: UInt64)
        /// A token for those that wait; nil if none can be had.
        case tokenCame(String?)
        case answered(OracleKeys.Exchange, Result<Response, TransportFailure>)
        /// The request is canceled, wherever it is.
        case abandoned(OracleKeys.Exchange)
        case stopped
    }

    private struct Sent: Sendable {
        let request: Request
        let isRepeated: Bool
    }

    /// Whether the channel wants tokens at all.
    private let isEnabled: Bool
    private var sent: [OracleKeys.Exchange: Sent] = [:]
    private var waiting: [(exchange: OracleKeys.Exchange, sent: Sent)] = []
    private var recordings: [UInt64] = []

    /// Creates a part without requests.
    init(_ settings: ClientSettings) { self.isEnabled = settings.flag("clientAuthEnabled") }

    /// Takes in what happened.
    ///
    /// - Parameter token: The token that is good now, if there is one.
    mutating func handle(_ input: Input, token: String?) -> [ClientAction] {
        switch input {
        case .asked(let exchange, let request):
            guard request.head.headerFields[.authorization] != nil else { return [.release(exchange, request)] }
            return self.send(exchange, Sent(request: request, isRepeated: false), token)
        case .proofAsked(let recording):
            guard self.isEnabled, token == nil else { return [.beginRecording(recording, token: token)] }
            self.recordings.append(recording)
            return [.askForToken(forgetting: false)]
        case .tokenCame(let token):
            defer { (self.waiting, self.recordings) = ([], []) }
            let requests = self.waiting.flatMap { exchange, sent in
                token.map { self.send(exchange, sent, $0) }
                    ?? [.answered(exchange, .success(Response(error: "There is no token.", .unauthorized)))]
            }
            // A recording without proof is ended by the server.
            return requests + self.recordings.map { .beginRecording($0, token: token ?? "") }
        case .answered(let exchange, let result):
            let former = self.sent.removeValue(forKey: exchange)
            guard let former, !former.isRepeated, (try? result.get())?.head.status == .unauthorized else {
                return [.answered(exchange, result)]
            }
            self.waiting.append((exchange, Sent(request: former.request, isRepeated: true)))
            return [.askForToken(forgetting: true)]
        case .abandoned(let exchange):
            self.sent[exchange] = nil
            self.waiting.removeAll { $0.exchange == exchange }
            return []
        case .stopped:
            (self.sent, self.waiting, self.recordings) = ([:], [], [])
            return []
        }
    }

    private mutating func send(
        _ exchange: OracleKeys.Exchange, _ sent: Sent, _ token: String?
    ) -> [ClientAction] {
        guard let token else {
            self.waiting.append((exchange, sent))
            return [.askForToken(forgetting: false)]
        }
        self.sent[exchange] = sent
        var request = sent.request
        request.head.headerFields[.authorization] = "Bearer \(token)"
        return [.release(exchange, request)]
    }
}
