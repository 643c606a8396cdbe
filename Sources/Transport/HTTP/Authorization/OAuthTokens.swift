import HTTPTypes
import JSON
import Machines

/// The tokens that a client has been given, and the requests that wait for one.
///
/// | state of a grant | input | → state | then |
/// |---|---|---|---|
/// | none | ``use(_:for:now:)`` | asking | the token is asked for |
/// | asking | ``use(_:for:now:)`` | asking | the exchange waits |
/// | asking | ``answered(_:_:now:)`` with a token | held | all that wait go on |
/// | asking by a refresh token | any other answer | asking | the token is asked for anew |
/// | asking | any other answer | none | all that wait fail |
/// | held | ``use(_:for:now:)`` | held | the exchange goes on |
/// | held, expired | ``use(_:for:now:)`` | asking | the token is refreshed, or asked for anew |
/// | held | ``reject(_:of:)`` | expired | |
struct OAuthTokens {
    /// What an exchange is to do.
    enum Use: Equatable {
        case token(String)
        /// Wait; it goes on when the token is there.
        case wait
        /// Wait, and somebody has to ask.
        case ask(Request)
    }

    /// What comes of an answer.
    enum Outcome {
        /// Another request has to be sent first.
        case ask(Request)
        /// These exchanges go on with the token, or fail.
        case settled([ClientExchange], Result<String, TransportFailure>)
    }

    private struct Token {
        let text: String
        let refresh: String?
        let expires: Instant?
    }

    private enum State {
        case asking([ClientExchange], isRefresh: Bool)
        case held(Token)
        case expired(refresh: String?)
    }

    /// A token is taken for expired so long before it is, because the request takes time to arrive; defined here.
    private static let margin = Duration.seconds(5)

    /// How many grants are remembered; a client has one, rarely two.
    private static let capacity = 64

    private var states: [OAuthGrant: State] = [:]

    /// Says with what an exchange goes on.
    mutating func use(_ grant: OAuthGrant, for exchange: ClientExchange, now: Instant) -> Use {
        switch self.states[grant] {
        case .asking(let waiting, let isRefresh)?:
            self.states[grant] = .asking(waiting + [exchange], isRefresh: isRefresh)
            return .wait
        case .held(let token)? where token.expires.map({ $0 > now }) ?? true: return .token(token.text)
        case .held(let token)?: return self.ask(grant, [exchange], refresh: token.refresh)
        case .expired(let refresh)?: return self.ask(grant, [exchange], refresh: refresh)
        case nil:
            self.makeRoom()
            return self.ask(grant, [exchange], refresh: nil)
        }
    }

    /// Forgets tokens that can be asked for again, so that a script that invents grants fills no memory.
    private mutating func makeRoom() {
        guard self.states.count >= Self.capacity else { return }
        self.states = self.states.filter { if case .asking = $0.value { true } else { false } }
    }

    private mutating func ask(_ grant: OAuthGrant, _ waiting: [ClientExchange], refresh: String?) -> Use {
        self.states[grant] = .asking(waiting, isRefresh: refresh != nil)
        return .ask(grant.request(refresh: refresh))
    }

    /// What must not be seen of the token that is held.
    func secrets(of grant: OAuthGrant) -> [String] {
        guard case .held(let token)? = self.states[grant] else { return [] }
        return [token.text] + (token.refresh.map { [$0] } ?? [])
    }

    /// Takes in that a server did not accept a token.
    mutating func reject(_ text: String, of grant: OAuthGrant) {
        // Another exchange may have a new one already.
        guard case .held(let token)? = self.states[grant], token.text == text else { return }
        self.states[grant] = .expired(refresh: token.refresh)
    }

    /// Forgets an exchange that waits.
    ///
    /// - Returns: Whether it waited for a token.
    mutating func cancel(_ id: ExchangeID) -> Bool {
        var isWaiting = false
        for (grant, state) in self.states {
            guard case .asking(var waiting, let isRefresh) = state else { continue }
            isWaiting = isWaiting || waiting.contains { $0.id == id }
            waiting.removeAll { $0.id == id }
            self.states[grant] = .asking(waiting, isRefresh: isRefresh)
        }
        return isWaiting
    }

    /// Takes in the answer to the request for a token.
    mutating func answered(
        _ grant: OAuthGrant, _ result: Result<Response, TransportFailure>, now: Instant
    ) -> Outcome {
        var waiting: [ClientExchange] = []
        var isRefresh = false
        // A token for which nobody waits is kept all the same.
        if case .asking(let exchanges, let refreshes)? = self.states[grant] {
            (waiting, isRefresh) = (exchanges, refreshes)
        }
        switch Self.token(in: result, now: now) {
        case .success(let token):
            self.states[grant] = .held(token)
            return .settled(waiting, .success(token.text))
        case .failure where isRefresh:
            self.states[grant] = .asking(waiting, isRefresh: false)
            return .ask(grant.request(refresh: nil))
        case .failure(let failure):
            self.states[grant] = nil
            return .settled(waiting, .failure(failure))
        }
    }

    private static func token(
        in result: Result<Response, TransportFailure>, now: Instant
    ) -> Result<Token, TransportFailure> {
        let response: Response
        switch result {
        case .failure(let failure):
            return .failure(TransportFailure(failure.code, "no token was given: \(failure.message)"))
        case .success(let answer): response = answer
        }
        do throws(UnusableAnswer) { return .success(try Self.token(in: response, now: now)) } catch {
            return .failure(
                TransportFailure(
                    .authorizationFailed,
                    "the request for a token was answered with \(response.head.status.text)\(error.problem)",
                    status: response.head.status.code, body: Array(response.body.prefix(Ending.bodyLimit))))
        }
    }

    /// A lifetime in seconds; some desks give it as text.
    private static func seconds(_ value: JSONValue) -> Double? { value.double ?? value.string.flatMap { Double($0) } }

    /// An answer that should give a token and does not.
    private struct UnusableAnswer: Error {
        /// What is wrong, as it goes on behind the status. Nothing of the answer is quoted but what cannot be a token.
        let problem: String
    }

    /// Reads the answer that gives a token (RFC 6749 section 5.1).
    private static func token(in response: Response, now: Instant) throws(UnusableAnswer) -> Token {
        let json = try? JSONReader.read(response.body)
        let reason = (json?["error_description"] ?? json?["error"])?.string.map { ": \($0.prefix(200))" } ?? ""
        guard response.head.status.kind == .successful else { throw UnusableAnswer(problem: reason) }
        guard let json, json.object != nil else {
            let type = response.head.headerFields[.contentType].map { " (\($0.prefix(200)))" } ?? ""
            throw UnusableAnswer(problem: ", whose body is no JSON object\(type)")
        }
        guard let token = json["access_token"] else {
            throw UnusableAnswer(problem: ", without an access_token\(reason)")
        }
        guard let text = token.string, text.isVisibleASCII, !text.isEmpty else {
            throw UnusableAnswer(problem: ", whose access_token is no text of visible characters")
        }
        guard let type = json["token_type"] else {
            throw UnusableAnswer(problem: ", without a token_type, which is to be \"Bearer\"")
        }
        guard type.string?.lowercased() == "bearer" else {
            throw UnusableAnswer(problem: ", whose token_type is \(type.description.prefix(200)), not \"Bearer\"")
        }
        let lifetime = json["expires_in"] ?? .null
        let seconds = Self.seconds(lifetime)
        guard seconds != nil || lifetime.isNull else {
            throw UnusableAnswer(
                problem: ", whose expires_in is no number of seconds: \(lifetime.description.prefix(200))")
        }
        return Token(
            text: text, refresh: json["refresh_token"]?.string,
            expires: seconds.flatMap { Duration(scriptSeconds: $0) }.map { now + $0 + (Duration.zero - Self.margin) })
    }
}
