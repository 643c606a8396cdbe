import HTTPTypes
import JSON
import Machines

/// The cookies of one client (RFC 6265).
///
/// A client is one person at one browser window: it has no third parties, so `SameSite` is kept and shown, and hinders
/// nothing. Servers cannot fill it without end: the numbers and lengths that browsers allow hold here, too.
struct CookieJar {
    /// The most bytes of a name and its value together, and of a path.
    private static let longestCookie = 4096
    private static let longestPath = 1024

    /// The most cookies of one domain, and of all; the oldest go first.
    private static let domainLimit = 180
    private static let limit = 1000

    private var cookies: [Cookie] = []
    private var count: UInt64 = 0

    /// Whether there is none.
    var isEmpty: Bool { self.cookies.isEmpty }

    /// Creates an empty jar.
    init() {}

    /// Takes in the cookies that an answer sets.
    ///
    /// - Parameters:
    ///   - fields: The header of the answer; each `Set-Cookie` in it sets one cookie.
    ///   - place: Where the request went.
    ///   - now: The instant of the answer.
    ///   - epochMilliseconds: The wall-clock time at ``Instant/start``, in milliseconds since 1970 UTC.
    mutating func store(_ fields: HTTPFields, from place: CookiePlace, now: Instant, epochMilliseconds: Int64) {
        for text in fields[values: .setCookie] {
            guard text.utf8.count <= Self.longestCookie + 2 * Self.longestPath,
                var cookie = Cookie(text, from: place, now: now, epochMilliseconds: epochMilliseconds),
                cookie.name.utf8.count + cookie.value.utf8.count <= Self.longestCookie,
                cookie.path.utf8.count <= Self.longestPath
            else { continue }
            self.count += 1
            cookie.number = self.count
            if let known = self.cookies.firstIndex(where: { $0.isSame(as: cookie) }) {
                // A cookie that is set anew keeps its place among those that are sent (section 5.3, step 11).
                cookie.number = self.cookies[known].number
                self.cookies.remove(at: known)
            }
            // That is how a server deletes one.
            guard !cookie.hasExpired(at: now) else { continue }
            self.cookies.append(cookie)
            self.shrink(domain: cookie.domain, now: now)
        }
    }

    private mutating func shrink(domain: String, now: Instant) {
        guard self.cookies.count > Self.domainLimit else { return }
        self.cookies.removeAll { $0.hasExpired(at: now) }
        if self.cookies.count(where: { $0.domain == domain }) > Self.domainLimit,
            let oldest = self.cookies.firstIndex(where: { $0.domain == domain })
        {
            self.cookies.remove(at: oldest)
        }
        if self.cookies.count > Self.limit { self.cookies.removeFirst() }
    }

    /// Returns the `Cookie` header of a request, or nil if no cookie belongs to its place.
    func header(for place: CookiePlace, now: Instant) -> String? {
        guard !self.cookies.isEmpty else { return nil }
        let fitting = self.cookies.filter { !$0.hasExpired(at: now) && $0.belongs(to: place) }
        guard !fitting.isEmpty else { return nil }
        // The longest paths come first, then the oldest (section 5.4, step 2).
        return fitting.sorted { left, right in
            left.path.utf8.count == right.path.utf8.count
                ? left.number < right.number : left.path.utf8.count > right.path.utf8.count
        }.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// The cookies that have not expired, as scripts see them.
    func json(now: Instant) -> JSONValue {
        .array(self.cookies.filter { !$0.hasExpired(at: now) }.map { $0.json(now: now) })
    }
}
