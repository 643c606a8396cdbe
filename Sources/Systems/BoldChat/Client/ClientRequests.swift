import ChatCore
import HTTPTypes
import JSON

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
        var head = Self.head(
            method: .post, origin, path: "/aid/\(account)/rest/json/v1/\(method)?auth=\(auth)", key: key)
        head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return Request(head, body: Array(FormEncoding.encode(parameters).utf8))
    }

    /// Returns a poll of the event stream, without a body.
    static func poll(_ address: WebAddress, key: AccessKey, usingGet: Bool) -> Request {
        // The vendor's client waits for a poll as long as the server holds it; a day stands for no limit.
        Request(
            Self.head(method: usingGet ? .get : .post, address, path: address.path, key: key),
            timeLimit: .seconds(86_400))
    }

    private static func head(
        method: HTTPRequest.Method, _ address: WebAddress, path: String, key: AccessKey
    ) -> HTTPRequest {
        let scheme = address.scheme == "wss" ? "https" : address.scheme == "ws" ? "http" : address.scheme
        var head = HTTPRequest(method: method, scheme: scheme, authority: address.authority, path: path)
        head.headerFields[.userAgent] = Self.userAgent
        head.headerFields[.authorization] = "Basic " + key.authorization
        head.headerFields[.accept] = "application/json"
        return head
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
