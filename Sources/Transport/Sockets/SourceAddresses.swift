public import Machines
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The own addresses that connections leave from.
///
/// A connection is told from others by both of its addresses and ports, so one own address reaches one server no more
/// often than the system has ports to give; several reach it so many times as often.
public struct SourceAddresses: Hashable, Sendable {
    /// The addresses, each once, in the order in which they were written.
    public let list: [String]

    /// The most addresses that a text may stand for, defined here.
    public static let most = 65_536

    /// Reads addresses, separated by commas.
    ///
    /// An item is an address (`127.0.0.2`, `fd00::2`), a range with both of its ends (`127.0.0.2-127.0.0.9`), or a
    /// block (`127.0.0.0/28`, RFC 4632 section 3.1). A block stands for its hosts: the first and the last address of
    /// one that has more than two are those of the network and of all of its hosts.
    ///
    /// - Throws: ``TransportFailure`` that says which item is wrong and what to write.
    public init(text: String) throws(TransportFailure) {
        var list: [String] = []
        var seen: Set<String> = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = item.filter { $0 != " " }
            for address in try Self.addresses(item) where seen.insert(address).inserted { list.append(address) }
            guard list.count <= Self.most else { throw Self.failure("\(text) are more than \(Self.most) addresses") }
        }
        guard Set(list.map { $0.contains(":") }).count == 1 else {
            throw Self.failure("\(text) are addresses of both kinds, IPv4 and IPv6; name those of the server's kind")
        }
        self.list = list
    }

    /// Checks that this machine has all of the addresses; nothing is connected and no port is taken.
    ///
    /// - Throws: ``TransportFailure`` with those that it does not have.
    public func check() throws(TransportFailure) {
        let foreign = self.list.filter { !Self.isOwn($0) }
        guard let first = foreign.first else { return }
        let others = foreign.count > 1 ? " and \(foreign.count - 1) more of them" : ""
        throw Self.failure(
            "\(first)\(others) cannot be bound on this machine; name addresses that it has, as `ip address` lists them, or "
                + "those of 127.0.0.0/8 for a server on this machine")
    }

    private static func failure(_ message: String) -> TransportFailure { TransportFailure(.cannotConnect, message) }

    private static func addresses(_ item: String) throws(TransportFailure) -> [String] {
        let advice = "write 127.0.0.2, 127.0.0.2-127.0.0.9 or 127.0.0.0/28, with commas between several"
        let range: ClosedRange<UInt32>
        if let bar = item.firstIndex(of: "-") {
            guard let low = Self.number(item[..<bar]), let high = Self.number(item[item.index(after: bar)...]),
                low <= high
            else { throw Self.failure("“\(item.prefix(60))” is no range of IPv4 addresses; \(advice)") }
            range = low...high
        } else if let slash = item.firstIndex(of: "/") {
            guard let base = Self.number(item[..<slash]), let bits = Int(item[item.index(after: slash)...]),
                0...32 ~= bits
            else { throw Self.failure("“\(item.prefix(60))” is no block of IPv4 addresses; \(advice)") }
            let mask = bits == 0 ? 0 : UInt32.max << UInt32(32 - bits)
            let (first, last) = (base & mask, base | ~mask)
            range = bits < 31 ? first + 1...last - 1 : first...last
        } else {
            guard let address = try? SocketAddress(ipAddress: item, port: 0), let name = address.ipAddress else {
                throw Self.failure("“\(item.prefix(60))” is no address; \(advice)")
            }
            return [name]
        }
        guard range.count <= Self.most else {
            throw Self.failure("\(item) are \(range.count) addresses; name at most \(Self.most)")
        }
        return range.map { "\($0 >> 24).\($0 >> 16 & 255).\($0 >> 8 & 255).\($0 & 255)" }
    }

    private static func number(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard 1...3 ~= part.utf8.count, part.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let byte = UInt8(part)
            else { return nil }
            number = number << 8 | UInt32(byte)
        }
        return number
    }

    private static func isOwn(_ address: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: address, port: 0) else { return false }
        #if canImport(Glibc)
            let type = CInt(SOCK_DGRAM.rawValue)
        #else
            let type = SOCK_DGRAM
        #endif
        // A socket for datagrams: its port is not one of those that connections take.
        let descriptor = socket(address.protocol.rawValue, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return address.withSockAddr { bind(descriptor, $0, socklen_t($1)) == 0 }
    }
}
