public import HTTPTypes

extension HTTPResponse.Status {
    /// The code with its phrase: that of the answer, or else the usual one (RFC 9110 section 15).
    public var text: String {
        let phrase = self.reasonPhrase.isEmpty ? Self.phrase(of: self.code) : self.reasonPhrase
        return phrase.isEmpty ? "\(self.code)" : "\(self.code) \(phrase)"
    }

    private static func phrase(of code: Int) -> String {
        switch code {
        case 200: "OK"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: ""
        }
    }
}
