import HTTPTypes
import JSON
import Machines

/// One call of the service's REST interface.
struct ServiceCall: Sendable {
    /// The page size where a call does not say, and the largest one (vendor's API reference; the cap is defined here).
    static let defaultPageSize = 20
    static let largestPageSize = 100

    let target: RequestTarget
    /// The parts of the path after `/api/v1`.
    let segments: [String]
    let request: Request
    /// Who asks, if the call has a valid token.
    let profile: ServerProfile?
    let moment: ServiceMoment

    /// The part of the path after the resource: which of them is meant, if one is.
    var name: String? { self.segments.dropFirst().first }

    /// The body as an object; empty if it is none.
    var body: JSONObject { RequestTarget.body(of: self.request) }

    /// The page size that the call asks for, held within the limits.
    var pageSize: Int {
        min(max(Int(self.target.query["page_size"] ?? "") ?? Self.defaultPageSize, 1), Self.largestPageSize)
    }

    /// Returns the page of a list that the call asks for, with the URLs of its neighbours.
    func page(of items: [JSONValue], base: String) -> ServiceAnswer {
        let number = max(Int(self.target.query["page"] ?? "") ?? 1, 1)
        let size = self.pageSize
        let (start, overflow) = (number - 1).multipliedReportingOverflow(by: size)
        guard !overflow, start <= items.count else { return .error(404, "Invalid page.") }
        func url(_ number: Int) -> JSONValue {
            let path = self.segments.map(FormEncoding.percentEncode).joined(separator: "/")
            return .string("\(base)/\(path)/?page=\(number)&page_size=\(size)")
        }
        return ServiceAnswer([
            "count": .integer(Int64(items.count)), "next": start + size < items.count ? url(number + 1) : .null,
            "previous": number > 1 ? url(number - 1) : .null,
            "results": .array(Array(items.dropFirst(start).prefix(size))),
        ])
    }
}
