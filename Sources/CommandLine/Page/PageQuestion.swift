package import JSON
package import Machines

/// What a window of a page asks for.
package struct PageQuestion: Hashable {
    /// The exchange that is to be answered.
    package let exchange: ExchangeID

    /// The path after the token.
    package let path: String

    /// The version that the window knows, 0 if it does not say.
    package let version: Int

    /// What it sends; nil if it only reads.
    package let body: JSONObject?

    /// Creates a question.
    package init(exchange: ExchangeID, path: String, version: Int = 0, body: JSONObject? = nil) {
        self.exchange = exchange
        self.path = path
        self.version = version
        self.body = body
    }
}
