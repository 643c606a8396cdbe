/// The hosts that the clients of a target may reach: its own, this machine and those that its settings name.
///
/// Neither a script that somebody was sent nor the answer of a server leads a client anywhere else.
public struct AllowedHosts: Hashable, Sendable {
    private let home: String
    private let friends: [String]

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - origin: The URL of the target.
    ///   - friends: Further hosts, as ``check(_:)`` takes them; `*.example.com` stands for all hosts below that one.
    public init(origin: String, friends: [String] = []) {
        let start = origin.firstRange(of: "://")?.upperBound ?? origin.startIndex
        self.home = Self.host(of: String(origin[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }))
        self.friends = friends.map { $0.lowercased() }
    }

    /// Whether a host may be reached; an IPv6 address may have its brackets.
    public func allows(_ host: String) -> Bool {
        let host = Self.host(of: host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host)
        return host == self.home || Self.isThisMachine(host)
            || self.friends.contains { friend in
                friend.hasPrefix("*.") ? host.hasSuffix(friend.dropFirst()) : host == friend
            }
    }

    /// Why a host is not reached, and what to do about it.
    public static func refusal(of host: String) -> String {
        "\(host) is neither the target's host nor this machine; add it to the target's settings in repartee.lua: "
            + "settings = { hosts = { \"\(host)\" } }"
    }

    /// Refuses what is no host: a URL, or one with a port.
    public static func check(_ friend: String) throws(ConfigurationError) {
        let name = friend.hasPrefix("*.") ? friend.dropFirst(2) : friend[...]
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        guard !name.isEmpty, isBracketed || !name.contains(where: { ":/?#@*[] ".contains($0) }) else {
            throw ConfigurationError(
                "hosts takes names of hosts such as \"chat.example.com\" or \"*.example.com\", without a scheme and "
                    + "a port, not \"\(friend)\"")
        }
    }

    /// Returns the host of an authority in lower case, without its port.
    public static func host(of authority: String) -> String {
        let lowered = authority.lowercased()
        if lowered.hasPrefix("["), let end = lowered.firstIndex(of: "]") { return String(lowered[...end]) }
        return String(Substring(lowered.utf8.prefix { $0 != UInt8(ascii: ":") }))
    }

    /// Whether a host is this machine; in lower case, as from ``host(of:)``.
    public static func isThisMachine(_ host: String) -> Bool {
        guard host != "localhost", host != "[::1]" else { return true }
        let numbers = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(
            Substring.init)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
