import HTTPTypes
import JSON
import Machines

/// One request to the message carrier's HTTP interface.
struct PubNubRequest: Sendable {
    let exchange: ExchangeID
    let target: RequestTarget
    let request: Request
    /// Who asks, if the request has a valid token.
    let profile: String?
    let moment: ServiceMoment

    /// An error in the form of the message carrier.
    static func error(_ status: Int, _ message: String) -> ServiceAction {
        .answer(
            ServiceAnswer(
                ["status": .integer(Int64(status)), "error": true, "error_message": .string(message)],
                status: .init(code: status)))
    }

    /// The answer to whoever may not use a channel.
    static func forbidden(_ channel: String) -> ServiceAction {
        .answer(
            ServiceAnswer(
                [
                    "message": "Forbidden", "payload": ["channels": [.string(channel)]], "error": true,
                    "service": "Access Manager", "status": 403,
                ], status: .forbidden))
    }

    /// The answer to a publish that is not taken.
    static func unpublished(_ status: Int, _ reason: String, _ moment: ServiceMoment) -> ServiceAction {
        .answer(ServiceAnswer([0, .string(reason), .string(moment.token.text)], status: .init(code: status)))
    }
}
