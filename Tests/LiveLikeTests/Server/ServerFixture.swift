import HTTPTypes
import JSON
import Machines

@testable import LiveLike

/// What walks through the parts of the simulated service are made of.
enum ServerFixture {
    static let moment = Self.moment(0)

    /// A moment so many seconds after the start.
    static func moment(_ seconds: Int64) -> ServiceMoment {
        ServiceMoment(
            now: .start + .seconds(seconds), token: TimeToken(ticks: 1 + seconds * 10_000_000),
            base: "http://live.test/api/v1")
    }

    static func options(_ options: JSONObject = [:]) throws -> ServerOptions { try ServerOptions(options) }

    static func profile(_ id: String, blocks: [String] = []) -> ServerProfile {
        ServerProfile(
            id: id, token: "token of \(id)", nickname: id, createdAt: "", isProducer: false,
            blocks: blocks.map { ServerProfile.Block(profile: $0, resource: ["id": "block"]) })
    }

    static func room(_ id: String = "lobby", _ fields: JSONObject = [:]) -> ServerRoom {
        ServerRoom(id: id, fields, creator: nil, createdAt: "")
    }

    /// A request of the profile `p` to the message carrier.
    static func call(
        _ path: String, _ method: HTTPRequest.Method = .get, body: JSONValue? = nil, exchange: UInt64 = 1,
        at seconds: Int64 = 0
    ) -> PubNubPart.Input {
        let request = Request(
            HTTPRequest(method: method, scheme: "http", authority: "live.test", path: path),
            body: body.map { JSONWriter.write($0) } ?? [])
        return .called(
            PubNubRequest(
                exchange: ExchangeID(exchange), target: RequestTarget(request), request: request, profile: "p",
                moment: Self.moment(seconds)))
    }
}
