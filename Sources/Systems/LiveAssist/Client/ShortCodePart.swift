import HTTPTypes
import JSON
import Machines

/// The requests for short codes.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `createAsked`, `redeemAsked` | asked | the request and its time limit |
/// | asked | `answered` | idle | `short_code`; `error` 30101 for a refusal, or for what lacks the code |
/// | asked | `failed`, `timedOut` | idle | `error` 30102 |
struct ShortCodePart: Sendable {
    enum State: String, CaseIterable, Sendable {
        case idle, asked
    }

    /// What happens to short codes.
    enum Input: Sendable {
        /// The correlation id of a session to bind the code to.
        case createAsked(session: String?)
        case redeemAsked(code: String)
        /// An answer, for the code that was redeemed if one was.
        case answered(Response, code: String?)
        case failed(String)
        case timedOut
    }

    /// How long the two requests for a short code may take (vendor's sample code).
    private static let patience = Duration.seconds(4)

    private(set) var state = State.idle

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ origin: Origin, auditName: String) -> [ConsumerAction] {
        switch input {
        case .createAsked(let session):
            var query = auditName.isEmpty ? [] : [("auditName", auditName)]
            // How a known session is bound to a new code is not published; the parameter is defined here.
            if let session { query.append(("cid", session)) }
            let suffix = query.isEmpty ? "" : "?" + FormEncoding.encode(query)
            return self.ask(
                .createCode, Request(origin.request(.put, "/assistserver/shortcode/create" + suffix)))
        case .redeemAsked(let code):
            let query = [("appkey", code)] + (auditName.isEmpty ? [] : [("auditName", auditName)])
            let path = "/assistserver/shortcode/consumer?" + FormEncoding.encode(query)
            return self.ask(.redeemCode(code), Request(origin.request(.get, path)))
        case .answered(let response, let code):
            self.state = .idle
            return [.cancelTimer(.codeLimit), Self.event(response, code)]
        case .failed(let reason):
            self.state = .idle
            return [.cancelTimer(.codeLimit), .fail(.assistTransportFailure, reason)]
        case .timedOut:
            self.state = .idle
            let reason = "the server did not answer for the short code within 4 s"
            return [.cancelCodes, .fail(.assistTransportFailure, reason)]
        }
    }

    private mutating func ask(_ purpose: ConsumerPurpose, _ request: Request) -> [ConsumerAction] {
        self.state = .asked
        return [.ask(purpose, request), .setTimer(.codeLimit, Self.patience)]
    }

    /// Says what a short code is or stands for.
    private static func event(_ response: Response, _ redeemed: String?) -> ConsumerAction {
        do throws(WireComplaint) {
            guard let redeemed else {
                let answer = try ServerAnswer(response, to: "PUT /assistserver/shortcode/create")
                return .emit(.shortCode, "", ["code": .string(try answer.text("shortCode"))], raw: answer.value)
            }
            let answer = try ServerAnswer(response, to: "GET /assistserver/shortcode/consumer")
            let fields: JSONObject = [
                "code": .string(redeemed), "session_token": .string(try answer.token("session-token")),
                "correlation_id": .string(try answer.text("cid")),
            ]
            return .emit(.shortCode, "", fields, raw: answer.value)
        } catch {
            return .fail(.assistSessionCreationFailure, error.text)
        }
    }
}
