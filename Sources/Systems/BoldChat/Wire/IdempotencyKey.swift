import HTTPTypes
import Machines

/// What a client sends with a request, and again with every repetition of it, so that the server does it once.
///
/// Calls to a chat are known by the chat's key and their parameters. `createChat` has no key yet, and two visitors may
/// well ask for a chat with the same words, so that the vendor's account makes a second chat when the answer to the
/// first request is lost. Defined here: the field of draft-ietf-httpapi-idempotency-key-header §2.1, which servers that
/// do not know it pass over.
struct IdempotencyKey: Hashable, Sendable {
    private let text: String

    /// A longer text is no key, defined here; a structured string of a UUID has 38 characters.
    private static let lengthLimit = 128

    private static let field = HTTPField.Name("Idempotency-Key")

    /// Creates the key of a call.
    ///
    /// - Parameters:
    ///   - number: The call's number in its client.
    ///   - random: The client's; nothing is drawn from it.
    init(call number: UInt64, of random: RandomSource) {
        var own = random.derived(for: "idempotency \(number)")
        self.text = "\"\(own.uuid())\""
    }

    /// Reads the key of a request, if it has one.
    init?(of request: Request) {
        guard let field = Self.field, let text = request.head.headerFields[field], !text.isEmpty,
            text.utf8.count <= Self.lengthLimit
        else { return nil }
        self.text = text
    }

    /// Puts the key into a request.
    func mark(_ request: inout Request) {
        if let field = Self.field { request.head.headerFields[field] = self.text }
    }
}
