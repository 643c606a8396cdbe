import HTTPTypes
import Machines

/// What a client does with an answer that may be a redirect (RFC 9110 section 15.4, as browsers have it).
///
/// | status | method | → method | body |
/// |---|---|---|---|
/// | 301, 302 | POST | GET | left out |
/// | 301, 302 | any other | the same | kept |
/// | 303 | HEAD | HEAD | left out |
/// | 303 | any other | GET | left out |
/// | 307, 308 | any | the same | kept |
///
/// Another origin is not told credentials that were meant for the first.
enum Redirect: Equatable {
    /// The answer is no redirect, or leads nowhere.
    case none
    /// The request that follows.
    case follow(Request)
    /// The redirect is not followed, for a reason.
    case refused(TransportFailure)

    /// Looks at an answer.
    ///
    /// - Parameters:
    ///   - response: Its head.
    ///   - request: What it answers.
    ///   - visited: The URLs that were asked for so far, that of the request last.
    ///   - hosts: Which hosts may be reached; only the request's own and this machine unless given.
    static func after(
        _ response: HTTPResponse, to request: Request, visited: [String], hosts: AllowedHosts?
    ) -> Redirect {
        let limit = request.handling.redirectLimit
        guard limit > 0, [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headerFields[.location]
        else { return .none }
        let head = request.head
        guard let place = WebAddress(of: head),
            let next = place.following(location)
        else {
            return .refused(
                TransportFailure(
                    .redirectRefused,
                    "the server redirects to “\(location.prefix(200))”, which is not the URL of an HTTP server",
                    status: response.status.code))
        }
        guard visited.count <= limit else {
            let isLoop = visited.dropLast().contains("\(next)")
            return .refused(
                TransportFailure(
                    .redirectRefused,
                    "the server redirects \(isLoop ? "in a loop" : "on and on"): after \(limit) redirects \(visited.last ?? "") "
                        + "leads to \(next)", status: response.status.code))
        }
        let host = AllowedHosts.host(of: next.authority)
        guard (hosts ?? AllowedHosts(origin: "\(place)")).allows(host) else {
            return .refused(
                TransportFailure(
                    .hostRefused, "the server redirects: " + AllowedHosts.refusal(of: host),
                    status: response.status.code))
        }
        return .follow(Self.request(next, after: request, response.status.code, from: place))
    }

    private static func request(
        _ next: WebAddress, after request: Request, _ status: Int, from place: WebAddress
    ) -> Request {
        var result = request
        let method = request.head.method
        let becomesGet = status == 303 && method != .head || (status == 301 || status == 302) && method == .post
        result.head.scheme = next.scheme
        result.head.authority = next.authority
        result.head.path = next.path
        if becomesGet { result.head.method = .get }
        if becomesGet || status == 303 {
            result.body = []
            for name in [HTTPField.Name.contentType, .contentEncoding, .contentLanguage, .contentLocation] {
                result.head.headerFields[name] = nil
            }
        }
        if (next.scheme, next.authority.lowercased()) != (place.scheme, place.authority.lowercased()) {
            for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization] {
                result.head.headerFields[name] = nil
            }
            result.handling.grant = nil
        }
        return result
    }
}
