import Digests
import Foundation
import Glibc
import Synchronization

/// A server on a loopback port that answers each connection with fixed bytes, whatever it is asked.
final class RawServer: Sendable {
    /// What it does with a connection.
    enum Manner: Sendable {
        /// Reads until the end of the request, then writes this and closes.
        case answers([UInt8])
        /// Reads until the end of the request, then writes these one after the other, with pauses, and closes.
        case answersInPieces([[UInt8]])
        /// Reads until the end of the request, then writes this and keeps the connection.
        case answersAndStays([UInt8])
        /// Reads whole requests, keeps them, and writes this after each.
        case collects([UInt8])
        /// Reads whole requests, keeps them, and writes what this returns of each, all that follows on the connection.
        case replies(@Sendable (String) -> [UInt8])
        /// Accepts and never says anything.
        case isSilent
        /// Accepts and closes at once.
        case hangsUp
        /// Accepts the WebSocket handshake, then writes this and keeps the connection.
        case acceptsWebSocket([UInt8])

        /// Whether a connection is kept when all has been said.
        var staysOpen: Bool {
            switch self {
            case .answersAndStays, .isSilent, .acceptsWebSocket: true
            case .answers, .answersInPieces, .collects, .replies, .hangsUp: false
            }
        }
    }

    let port: Int
    /// What listens; nil once it is told to end, for the number is then soon that of whatever is opened next.
    private let listener: Mutex<Int32?>
    private let connections = Mutex<[Int32]>([])
    private let collected = Mutex<[String]>([])

    /// The requests that were collected.
    var requests: [String] { self.collected.withLock { $0 } }
    private let addresses = Mutex<[String]>([])

    /// The addresses that connections came from, in their order.
    var peers: [String] { self.addresses.withLock { $0 } }

    init(_ manner: Manner) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard listener >= 0, bound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = Mutex(listener)
        self.port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while case let (connection, peer) = Self.accept(listener), connection >= 0 {
                self.addresses.withLock { $0.append(peer) }
                self.connections.withLock { $0.append(connection) }
                Thread.detachNewThread {
                    self.serve(connection, manner)
                    self.awaitEnd(of: connection, manner)
                }
            }
            // Not before: the number would be another server's, and this thread would accept its connections.
            Glibc.close(listener)
        }
    }

    /// Ends everything; a second time there is nothing to end.
    func close() {
        let listener = self.listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        if let listener { shutdown(listener, Int32(SHUT_RDWR)) }
        self.connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    /// Closes a connection once it is over; until then its number is not that of another one.
    private func awaitEnd(of connection: Int32, _ manner: Manner) {
        if manner.staysOpen {
            // Tells only of an end of both directions, which nobody but this server brings about.
            var end = pollfd(fd: connection, events: 0, revents: 0)
            while poll(&end, 1, -1) < 1 {}
        }
        // What nobody has read would make a reset of the end, and take the answer from the client.
        var rest = [UInt8](repeating: 0, count: 4096)
        while read(connection, &rest, rest.count) > 0 {}
        self.connections.withLock { connections in
            connections.removeAll { $0 == connection }
            Glibc.close(connection)
        }
    }

    private static func accept(_ listener: Int32) -> (connection: Int32, peer: String) {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connection = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(listener, $0, &length) }
        }
        return (connection, withUnsafeBytes(of: address.sin_addr.s_addr) { $0.map(String.init).joined(separator: ".") })
    }

    private func serve(_ connection: Int32, _ manner: Manner) {
        switch manner {
        case .isSilent: return
        case .hangsUp: shutdown(connection, Int32(SHUT_RDWR))
        case .collects(let bytes):
            while let request = Self.wholeRequest(connection) {
                self.collected.withLock { $0.append(request) }
                Self.write(bytes, to: connection)
            }
        case .replies(let reply):
            while let request = Self.wholeRequest(connection) {
                self.collected.withLock { $0.append(request) }
                Self.write(reply(request), to: connection)
            }
        case .answers(let bytes):
            _ = Self.request(connection)
            Self.write(bytes, to: connection)
            shutdown(connection, Int32(SHUT_RDWR))
        case .answersInPieces(let pieces):
            _ = Self.request(connection)
            for piece in pieces {
                Self.write(piece, to: connection)
                usleep(20_000)
            }
            shutdown(connection, Int32(SHUT_RDWR))
        case .answersAndStays(let bytes):
            _ = Self.request(connection)
            Self.write(bytes, to: connection)
        case .acceptsWebSocket(let bytes):
            let key = Self.request(connection).split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("sec-websocket-key:") }?
                .split(separator: ":")[1].trimmingCharacters(in: .whitespaces)
            let accepted = Data(Digest.sha1(Array(((key ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
            let answer =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accepted.base64EncodedString())\r\n\r\n"
            Self.write(Array(answer.utf8) + bytes, to: connection)
        }
    }

    private static func request(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.suffix(8192).contains([0x0D, 0x0A, 0x0D, 0x0A]) {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a request with its body, as long as that has a length; nil at the end of the connection.
    private static func wholeRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
            guard read(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        let head = String(decoding: bytes, as: UTF8.self).lowercased()
        let length = head.firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.output.1) } ?? 0
        for _ in 0..<length {
            guard read(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ bytes: [UInt8], to connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
