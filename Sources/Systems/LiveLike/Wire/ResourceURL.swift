import ChatCore
import HTTPTypes

/// An absolute URL that a resource of the service names, split for a request.
struct ResourceURL: Hashable, Sendable {
    let scheme: String
    let authority: String
    /// Path and query; at least `/`.
    let path: String

    /// Reads a URL that a peer sent.
    ///
    /// - Returns: Nil unless the URL is absolute, `http` or `https`, printable ASCII and at most 4,096 bytes long, so
    ///   that nothing in it can end a header line.
    init?(_ text: String) {
        guard text.utf8.count <= 4096, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let colon = text.firstIndex(of: ":"), text[text.index(after: colon)...].hasPrefix("//")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[text.index(colon, offsetBy: 3)...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        self.scheme = scheme
        self.authority = String(rest[..<end])
        let tail = rest[end...].prefix { $0 != "#" }
        self.path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    }

    private init(scheme: String, authority: String, path: String) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
    }

    /// Returns this URL with more parameters in its query; those without a value are left out.
    func with(_ parameters: [(String, String?)]) -> ResourceURL {
        let pairs = parameters.compactMap { pair in pair.1.map { (pair.0, $0) } }
        guard !pairs.isEmpty else { return self }
        let separator = self.path.contains("?") ? "&" : "?"
        return ResourceURL(
            scheme: self.scheme, authority: self.authority, path: self.path + separator + FormEncoding.encode(pairs))
    }

    /// Returns another path of the same origin.
    func at(path: String) -> ResourceURL {
        ResourceURL(scheme: self.scheme, authority: self.authority, path: path)
    }

    /// Returns a template with its `{name}` filled in, or nil if the result is no URL.
    static func filled(_ template: String?, _ name: String, with value: String) -> ResourceURL? {
        guard let template, let place = template.firstRange(of: "{\(name)}") else { return nil }
        return ResourceURL(
            template[..<place.lowerBound] + FormEncoding.percentEncode(value) + template[place.upperBound...])
    }

    /// The head of a request to this URL.
    func request(_ method: HTTPRequest.Method, token: String? = nil) -> HTTPRequest {
        var fields: HTTPFields = [.accept: "application/json", .userAgent: "EngagementSDK/2.0 headless"]
        if let token { fields[.authorization] = "Bearer \(token)" }
        return HTTPRequest(
            method: method, scheme: self.scheme, authority: self.authority, path: self.path, headerFields: fields)
    }
}
