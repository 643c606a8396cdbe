import HTTPTypes
import JSON
import Machines

/// Makes the HTTP requests of the client.
enum ClientRequests {
    /// The vendor demands the words `BoldChatAPI/1.0` of clients; the rest is defined here.
    static let userAgent = "BoldChatAPI/1.0 (Repartee; CPU Headless OS 1_0 like MAC OS X) repartee/1.0 (320x480)"

    /// Returns the request of a REST method.
    static func call(
        _ method: String, _ parameters: [(String, String)], to origin: WebAddress, key: AccessKey
    ) -> Request {
        let auth = FormEncoding.percentEncode(key.authorization)
        let account = FormEncoding.percentEncode(key.accountID)
        let address = origin.at(path: "/aid/\(account)/rest/json/v1/\(method)?auth=\(auth)")
        var head = Self.head(.post, address, key: key)
        head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return Request(head, body: Array(FormEncoding.encode(parameters).utf8))
    }

    /// Returns a poll of the event stream, without a body.
    static func poll(_ address: WebAddress, key: AccessKey, usingGet: Bool) -> Request {
        // The vendor's client waits for a poll as long as the server holds it; a day stands for no limit.
        Request(Self.head(usingGet ? .get : .post, address, key: key), timeLimit: .seconds(86_400))
    }

    /// Returns the head of the handshake of the event stream.
    static func socket(_ address: WebAddress, key: AccessKey) -> HTTPRequest {
        address.webSocket(headerFields: [
            .userAgent: Self.userAgent, .authorization: "Basic " + key.authorization,
        ])
    }

    private static func head(_ method: HTTPRequest.Method, _ address: WebAddress, key: AccessKey) -> HTTPRequest {
        address.request(
            method,
            headerFields: [
                .userAgent: Self.userAgent, .authorization: "Basic " + key.authorization, .accept: "application/json",
            ])
    }

    /// Returns parameters as form pairs: texts as they are, everything else as JSON text.
    static func pairs(_ members: JSONObject) -> [(String, String)] {
        members.map { ($0.0, $0.1.string ?? $0.1.description) }
    }

    /// Returns form values as the text of the `Data` parameter.
    static func data(_ values: [(key: String, value: String)]) -> String {
        JSONValue.object(JSONObject(values.map { ($0.key, .string($0.value)) })).description
    }
}
