import JSON
import Machines

/// One cookie (RFC 6265 section 5.3).
struct Cookie: Hashable {
    let name: String
    let value: String
    let domain: String

    /// Whether it goes to its domain alone, and not to those below it.
    let isHostOnly: Bool
    let path: String

    /// Nil for one that lasts as long as the client.
    let expires: Instant?
    let isSecure: Bool
    let isHTTPOnly: Bool

    /// `Strict`, `Lax` or `None`, if the server said it.
    let sameSite: String?

    /// Which one it is of those that the client was given.
    var number: UInt64 = 0

    /// Second labels under which countries give out names, so that `co.uk` is no domain that a cookie can be set for.
    ///
    /// The whole list of public suffixes changes weekly; these and single labels are what servers get wrong.
    private static let sharedLabels: Set<Substring> = [
        "ac", "co", "com", "edu", "go", "gob", "gov", "mil", "ne", "net", "nom", "or", "org", "sch",
    ]

    /// Reads a `Set-Cookie` header as section 5.2 says, which forgives much.
    ///
    /// - Returns: Nil if the cookie may not be set from there.
    init?(_ text: String, from place: CookiePlace, now: Instant, epochMilliseconds: Int64) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let (name, value) = Self.pair(pair), !name.isEmpty,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        var domain: String?
        var path: String?
        var expires: Instant?
        var age: Instant?
        var isSecure = false
        var isHTTPOnly = false
        var sameSite: String?
        for part in parts.dropFirst() {
            let (attribute, value) = Self.pair(part) ?? (Self.trimmed(part), "")
            switch attribute.lowercased() {
            case "domain": domain = value.isEmpty ? domain : value.drop(while: { $0 == "." }).lowercased()
            case "path": path = value.hasPrefix("/") ? value : nil
            case "expires": expires = Self.date(value, epochMilliseconds) ?? expires
            case "max-age": age = Self.age(value, now) ?? age
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "samesite": sameSite = ["strict": "Strict", "lax": "Lax", "none": "None"][value.lowercased()]
            default: break
            }
        }
        guard place.isSecure || !isSecure, sameSite != "None" || isSecure else { return nil }
        // A name of the host itself sets the domain; one that is public, or of somebody else, may not be set.
        if let wanted = domain, wanted != place.host {
            guard place.host.hasSuffix("." + wanted), !Self.isPublic(wanted), !Self.isAddress(place.host) else {
                return nil
            }
        }
        let lowered = name.lowercased()
        if lowered.hasPrefix("__secure-") && !isSecure { return nil }
        if lowered.hasPrefix("__host-") && (!isSecure || domain != nil || path != "/") { return nil }
        self.name = name
        self.value = value
        self.isHostOnly = domain == nil || Self.isPublic(place.host)
        self.domain = domain ?? place.host
        self.path = path ?? place.defaultPath
        self.expires = age ?? expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// Whether another cookie replaces it.
    func isSame(as other: Cookie) -> Bool {
        self.name == other.name && self.domain == other.domain && self.path == other.path
    }

    func hasExpired(at now: Instant) -> Bool { self.expires.map { $0 <= now } ?? false }

    /// Whether it goes with a request.
    func belongs(to place: CookiePlace) -> Bool {
        guard !self.isSecure || place.isSecure else { return false }
        guard place.host == self.domain || !self.isHostOnly && place.host.hasSuffix("." + self.domain) else {
            return false
        }
        guard place.path.hasPrefix(self.path) else { return false }
        return self.path.hasSuffix("/") || place.path.utf8.count == self.path.utf8.count
            || place.path.utf8.dropFirst(self.path.utf8.count).first == UInt8(ascii: "/")
    }

    /// As scripts see it.
    func json(now: Instant) -> JSONValue {
        var cookie: JSONObject = [
            "name": .string(self.name), "value": .string(self.value), "domain": .string(self.domain),
            "path": .string(self.path), "secure": .bool(self.isSecure), "http_only": .bool(self.isHTTPOnly),
        ]
        cookie["same_site"] = self.sameSite.map { .string($0) }
        cookie["expires_in"] = self.expires.map { .double(($0 - now).scriptSeconds) }
        return .object(cookie)
    }

    // MARK: Reading

    private static func pair(_ text: Substring) -> (String, String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        return (Self.trimmed(text[..<equals]), Self.trimmed(text[text.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let begun = text.drop(while: isSpace)
        guard let last = begun.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(begun[...last])
    }

    private static func age(_ text: String, _ now: Instant) -> Instant? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        guard !text.hasPrefix("-"), let seconds = Int64(digits) else {
            // Zero and less have passed; more than a number holds never will.
            return Instant(nanoseconds: text.hasPrefix("-") ? .min : .max)
        }
        return seconds == 0 ? Instant(nanoseconds: .min) : now + .seconds(min(seconds, 3_155_760_000))
    }

    private static func date(_ text: String, _ epochMilliseconds: Int64) -> Instant? {
        // By this year two digits are of the century that section 5.1.1 says: 70 to 99 of the last one.
        guard let at = HTTPDate.epochMilliseconds(text, year: 2019) else { return nil }
        let (since, overflow) = at.subtractingReportingOverflow(epochMilliseconds)
        guard !overflow else { return nil }
        let (nanoseconds, isTooMuch) = since.multipliedReportingOverflow(by: 1_000_000)
        return Instant(nanoseconds: isTooMuch ? (since < 0 ? .min : .max) : nanoseconds)
    }

    private static func isPublic(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count == 1
            || labels.count == 2 && labels[1].utf8.count == 2 && Self.sharedLabels.contains(labels[0])
    }

    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
    }
}
