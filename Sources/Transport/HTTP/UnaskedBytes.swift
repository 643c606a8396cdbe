/// What a server has sent on a kept connection behind its last answer, though no request asked for it.
///
/// A client must not take it for the answer to a later request (RFC 9112 section 9.2). Line ends are discarded there. A
/// server that has given up waiting for the next request may say so before it ends the connection, by an answer with
/// 408 (RFC 9110 section 15.5.9): that is an end like any other.
struct UnaskedBytes {
    /// What they come to.
    enum Meaning {
        /// Nothing so far, or what may yet become a farewell.
        case undecided
        /// The server ends the connection.
        case farewell
        /// What no server may send.
        case violation
    }

    private static let farewells = ["HTTP/1.1 408", "HTTP/1.0 408"].map { Array($0.utf8) }

    /// So many of the bytes are kept; far more than is shown, so that no secret in what is shown lacks its end.
    private static let limit = Ending.bodyLimit

    /// The beginning of what was sent, behind line ends.
    private(set) var bytes: [UInt8] = []

    /// Takes in what arrived from a place on.
    mutating func append(_ arrived: Span<UInt8>, from offset: Int) {
        var start = offset
        if self.bytes.isEmpty {
            while start < arrived.count, arrived[start] == 0x0D || arrived[start] == 0x0A { start += 1 }
        }
        self.bytes.append(arrived, start..<min(arrived.count, start + Self.limit - self.bytes.count))
    }

    /// What they come to.
    var meaning: Meaning {
        if Self.farewells.contains(where: { self.bytes.starts(with: $0) }) { return .farewell }
        return Self.farewells.contains { $0.starts(with: self.bytes) } ? .undecided : .violation
    }
}
