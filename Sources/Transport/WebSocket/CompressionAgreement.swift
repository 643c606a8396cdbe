import Machines

/// What both sides of a WebSocket have agreed on about compression (RFC 7692 section 7.1), seen from this side.
struct CompressionAgreement: Hashable, Sendable {
    /// Whether the own messages are compressed each by itself.
    var forgetsOwn = false

    /// Whether those of the peer are.
    var forgetsPeers = false

    /// The window of the own messages, as a power of two from 8 to 15.
    var ownWindowBits = 15

    /// What a client asks for: its own window may be made smaller by the server.
    static let offer = "permessage-deflate; client_max_window_bits"

    private static let name = "permessage-deflate"

    /// Creates an agreement on nothing but compression itself.
    init() {}

    /// Reads what a server chose of ``offer``.
    ///
    /// - Parameter value: The header `Sec-WebSocket-Extensions`.
    /// - Returns: Nil if the server chose nothing that can be read so: then the handshake is wrong.
    init?(chosen value: String) {
        let extensions = Self.extensions(value)
        guard extensions.count == 1, let only = extensions.first, only.name == Self.name,
            let parameters = Self.parameters(only.parameters)
        else { return nil }
        for (name, value) in parameters {
            switch (name, value) {
            case ("server_no_context_takeover", nil): self.forgetsPeers = true
            case ("client_no_context_takeover", nil): self.forgetsOwn = true
            case ("server_max_window_bits", let text?):
                guard Self.bits(text) != nil else { return nil }
            case ("client_max_window_bits", let text?):
                guard let bits = Self.bits(text) else { return nil }
                self.ownWindowBits = bits
            default: return nil
            }
        }
    }

    /// Chooses among what a client offers; the first that can be kept.
    ///
    /// The server compresses each message by itself and asks the client for the same: thousands of clients would else
    /// keep a window each, and a message that is lost, doubled or late on purpose would spoil all that follow.
    ///
    /// - Parameter value: The header `Sec-WebSocket-Extensions` of the request.
    /// - Returns: Nil if there is nothing to choose.
    init?(offered value: String) {
        for offer in Self.extensions(value) where offer.name == Self.name {
            guard let parameters = Self.parameters(offer.parameters) else { continue }
            var own = 15
            let isKnown = parameters.allSatisfy { name, value in
                switch (name, value) {
                case ("server_no_context_takeover", nil), ("client_no_context_takeover", nil),
                    ("client_max_window_bits", nil):
                    return true
                case ("client_max_window_bits", let text?): return Self.bits(text) != nil
                case ("server_max_window_bits", let text?):
                    guard let bits = Self.bits(text) else { return false }
                    own = bits
                    return true
                default: return false
                }
            }
            guard isKnown else { continue }
            self.forgetsOwn = true
            self.forgetsPeers = true
            self.ownWindowBits = own
            return
        }
        return nil
    }

    /// The header by which a server says what it chose.
    var answer: String {
        "\(Self.name); server_no_context_takeover; client_no_context_takeover"
            + (self.ownWindowBits < 15 ? "; server_max_window_bits=\(self.ownWindowBits)" : "")
    }

    // MARK: Reading

    private static func extensions(_ value: String) -> [(name: String, parameters: [Substring])] {
        value.utf8.split(separator: UInt8(ascii: ",")).compactMap { text in
            let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
            guard let name = parts.first?.trimmingHTTPSpace, !name.isEmpty else { return nil }
            return (name.lowercased(), Array(parts.dropFirst()))
        }
    }

    /// Returns the parameters by name; nil if one stands there twice.
    private static func parameters(_ texts: [Substring]) -> [String: String?]? {
        var parameters: [String: String?] = [:]
        for text in texts {
            let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map(Substring.init)
            let name = parts.first?.trimmingHTTPSpace.lowercased() ?? ""
            guard parameters[name] == nil else { return nil }
            let value = parts.count > 1 ? String(parts[1].trimmingHTTPSpace).filter { $0 != "\"" } : nil
            parameters.updateValue(value, forKey: name)
        }
        return parameters
    }

    private static func bits(_ text: String) -> Int? {
        guard text.utf8.count <= 2, !text.hasPrefix("0"), let bits = Int(text), 8...15 ~= bits else { return nil }
        return bits
    }
}
