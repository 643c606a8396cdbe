import HTTPTypes

/// What the fields of a head say about where its body ends and whether the connection stays.
struct HTTPFraming: Sendable {
    /// The value of `Content-Length`.
    private(set) var contentLength: Int?
    /// Whether `Transfer-Encoding` stands there, and if so whether it is `chunked` alone.
    private(set) var transferCoding: TransferCoding?
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false
    private(set) var hostCount = 0
    private(set) var host: String?

    enum TransferCoding {
        case chunked
        case other
    }

    /// Takes in one field that matters.
    ///
    /// Repeated or combined lengths are refused even where they agree (RFC 9110 section 8.6 leaves the choice): only
    /// one reading of a message's end may be possible.
    mutating func note(_ value: String, _ meaning: HTTPFieldNames.Meaning) throws(HTTPSyntaxError) {
        switch meaning {
        case .contentLength:
            guard self.contentLength == nil else { throw HTTPSyntaxError("Content-Length is given twice") }
            let digits = value.utf8
            guard 1...18 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(value) else {
                throw HTTPSyntaxError("Content-Length is not a plain number (RFC 9110 section 8.6)")
            }
            self.contentLength = length
        case .transferEncoding:
            guard self.transferCoding == nil else { throw HTTPSyntaxError("Transfer-Encoding is given twice") }
            self.transferCoding = value.lowercased() == "chunked" ? .chunked : .other
        case .connection:
            for token in value.split(separator: ",") {
                switch token.trimmingHTTPSpace.lowercased() {
                case "close": self.saysClose = true
                case "keep-alive": self.saysKeepAlive = true
                default: break
                }
            }
        case .host:
            self.hostCount += 1
            self.host = value
        case .ordinary: break
        }
    }

    /// Refuses a head whose end could be read in two ways.
    func check() throws(HTTPSyntaxError) {
        guard self.transferCoding == nil || self.contentLength == nil else {
            throw HTTPSyntaxError("the head has both Content-Length and Transfer-Encoding (RFC 9112 section 6.1)")
        }
        guard self.transferCoding != .other else {
            throw HTTPSyntaxError("only the transfer coding chunked is supported", status: .notImplemented)
        }
    }

    /// Whether the connection stays for another message.
    func keepsAlive(isVersion11: Bool) -> Bool {
        isVersion11 ? !self.saysClose : self.saysKeepAlive && !self.saysClose
    }
}

extension Substring {
    /// The text without spaces and tabs at both ends.
    var trimmingHTTPSpace: Substring {
        var rest = self
        while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.utf8.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return rest
    }
}
