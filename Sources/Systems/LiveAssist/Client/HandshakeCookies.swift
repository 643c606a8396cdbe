import HTTPTypes
import Machines

/// The cookies that go with the handshake of the topic WebSocket.
struct HandshakeCookies: Sendable {
    /// At most this many are kept, because a server says them; defined here.
    private static let limit = 50

    private var cookies: [(name: String, value: String)] = []

    /// The value of the header `Cookie`, or nil without cookies.
    var header: String? {
        self.cookies.isEmpty
            ? nil : self.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Keeps the cookies of an answer.
    mutating func keep(from response: Response) {
        for value in response.head.headerFields[values: .setCookie] {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { self.set(String(pair[0]), String(pair[1])) }
        }
    }

    /// Keeps a cookie.
    ///
    /// - Returns: False if its name or value could break a header line, or there are too many.
    @discardableResult
    mutating func set(_ name: String, _ value: String) -> Bool {
        let isSafe = (name + value).utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ";") }
        guard isSafe, !name.isEmpty, name.utf8.count + value.utf8.count <= 4096 else { return false }
        self.cookies.removeAll { $0.name == name }
        guard self.cookies.count < Self.limit else { return false }
        self.cookies.append((name, value))
        return true
    }
}
