import HTTPTypes
import Machines

/// The URLs that resources of the service name.
extension WebAddress {
    /// Returns this URL with more parameters in its query; those without a value are left out.
    func with(_ parameters: [(String, String?)]) -> WebAddress {
        let pairs = parameters.compactMap { pair in pair.1.map { (pair.0, $0) } }
        guard !pairs.isEmpty else { return self }
        let separator = self.path.contains("?") ? "&" : "?"
        return self.at(path: self.path + separator + FormEncoding.encode(pairs))
    }

    /// Returns a template with its `{name}` filled in, or nil if the result is no URL.
    static func filled(_ template: String?, _ name: String, with value: String) -> WebAddress? {
        guard let template, let place = template.firstRange(of: "{\(name)}") else { return nil }
        return WebAddress(
            template[..<place.lowerBound] + FormEncoding.percentEncode(value) + template[place.upperBound...])
    }

    /// The head of a request to this URL.
    func request(_ method: HTTPRequest.Method, token: String?) -> HTTPRequest {
        var fields: HTTPFields = [.accept: "application/json", .userAgent: "EngagementSDK/2.0 headless"]
        if let token { fields[.authorization] = "Bearer \(token)" }
        return self.request(method, headerFields: fields)
    }
}
