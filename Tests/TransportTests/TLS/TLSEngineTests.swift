import ByteDivisions
import Certificates
import Machines
import NIOCore
import Testing

@testable import Transport

@Suite("An end of TLS without a connection")
struct TLSEngineTests {
    /// A client and a server that pass each other's bytes on, in pieces.
    private struct Pair {
        let client: TLSEngine
        let server: TLSEngine
        let pieces: Int

        init(
            _ trust: TrustPolicy = TrustPolicy(authorityFiles: [Certificates.file]), host: String = "localhost",
            speaking: ConnectionSecurity.ApplicationProtocol = .http, session: TLSSession? = nil, pieces: Int = .max
        ) throws {
            self.client = TLSEngine(try .client(trust, speaking: speaking), .client(host: host, session: session))
            self.server = TLSEngine(try .server(Certificates.identity), .server)
            self.pieces = pieces
        }

        init(client: TLSEngine, server: TLSEngine) {
            self.client = client
            self.server = server
            self.pieces = .max
        }

        /// Moves what one end has to say to the other; returns whether there was anything.
        @discardableResult
        func move(from one: TLSEngine, to other: TLSEngine, then act: () throws -> Void = {}) rethrows -> Bool {
            guard let bytes = one.takeOutgoing(ByteBufferAllocator()) else { return false }
            var rest = Array(bytes.readableBytesView)[...]
            while !rest.isEmpty {
                rest.prefix(self.pieces).withUnsafeBytes { other.receive($0) }
                rest = rest.dropFirst(self.pieces)
                try act()
            }
            return true
        }

        /// Plays the handshake.
        func shakeHands() throws {
            var (clientIsDone, serverIsDone) = (try self.client.shakeHands(), false)
            for _ in 0..<10 {
                try self.move(from: self.client, to: self.server) { serverIsDone = try self.server.shakeHands() }
                try self.move(from: self.server, to: self.client) { clientIsDone = try self.client.shakeHands() }
            }
            #expect(clientIsDone && serverIsDone)
        }

        /// Sends bytes from one end to the other and returns what is read there.
        func send(_ bytes: [UInt8], from one: TLSEngine, to other: TLSEngine) throws -> [UInt8] {
            var result: Result<Void, TLSError> = .success(())
            bytes.withUnsafeBytes { bytes in result = Result { () throws(TLSError) in try one.write(bytes) } }
            try result.get()
            var buffer = ByteBuffer()
            try self.move(from: one, to: other) { _ = try other.read(into: &buffer) }
            return Array(buffer.readableBytesView)
        }
    }

    @Test("carries bytes both ways, however they are cut, and says when they end", arguments: [1, 7, 1000, Int.max])
    func conversation(pieces: Int) throws {
        let pair = try Pair(pieces: pieces)
        try pair.shakeHands()
        #expect(pair.client.agreedProtocol == "http/1.1")
        let long = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(try pair.send(Array("Hello".utf8), from: pair.client, to: pair.server) == Array("Hello".utf8))
        #expect(try pair.send(long, from: pair.server, to: pair.client) == long)
        pair.client.end()
        var buffer = ByteBuffer()
        var last = TLSEngine.Reading.nothing
        try pair.move(from: pair.client, to: pair.server) { last = try pair.server.read(into: &buffer) }
        #expect(last == .end && buffer.readableBytes == 0)
        // The other direction goes on.
        #expect(try pair.send([1, 2], from: pair.server, to: pair.client) == [1, 2])
    }

    @Test(
        "accepts the certificate of a trusted authority for its names and addresses, and no other",
        arguments: [
            ("localhost", TrustPolicy(authorityFiles: [Certificates.file]), nil),
            ("127.0.0.1", TrustPolicy(authorityFiles: [Certificates.file]), nil),
            ("example.com", TrustPolicy(authorityFiles: [Certificates.file]), "hostname mismatch"),
            ("127.0.0.2", TrustPolicy(authorityFiles: [Certificates.file]), "IP address mismatch"),
            ("localhost", TrustPolicy(), "self-signed certificate"),
            ("example.com", TrustPolicy(verification: .none), nil),
        ])
    func verification(host: String, trust: TrustPolicy, complaint: String?) throws {
        let pair = try Pair(trust, host: host)
        if let complaint {
            let error = #expect(throws: TLSError.self) { try pair.shakeHands() }
            #expect(error?.description.contains(complaint) == true, "\(String(describing: error))")
        } else {
            try pair.shakeHands()
        }
    }

    @Test("resumes a session that the server gave, with the server's agreement")
    func resumption() throws {
        let (clients, servers) = (
            try TLSContext.client(TrustPolicy(authorityFiles: [Certificates.file]), speaking: .http),
            try TLSContext.server(Certificates.identity)
        )
        func talk(_ session: TLSSession?, with servers: TLSContext) throws -> (isResumed: Bool, last: TLSSession?) {
            let pair = Pair(
                client: TLSEngine(clients, .client(host: "localhost", session: session)),
                server: TLSEngine(servers, .server))
            var last: TLSSession?
            pair.client.onSession = { last = $0 }
            try pair.shakeHands()
            // By TLS 1.3 sessions come beside the first bytes.
            #expect(try pair.send([1], from: pair.server, to: pair.client) == [1])
            return (pair.client.isResumed, last)
        }
        let first = try talk(nil, with: servers)
        #expect(!first.isResumed)
        let session = try #require(first.last)
        #expect(try talk(session, with: servers).isResumed)
        #expect(try !talk(nil, with: servers).isResumed)
        // A server that does not know it has a full handshake.
        #expect(try !talk(session, with: TLSContext.server(Certificates.identity)).isResumed)
    }

    @Test("takes what is no TLS, or damaged, for an error")
    func hostile() throws {
        var random = RandomSource(seed: 5)
        for round in 0..<300 {
            let pair = try Pair()
            _ = try pair.client.shakeHands()
            let isDamage = round % 2 == 0
            if isDamage {
                try pair.move(from: pair.client, to: pair.server)
                _ = try pair.server.shakeHands()
            }
            var bytes =
                isDamage
                ? Array(
                    pair.server.takeOutgoing(ByteBufferAllocator())?.readableBytesView ?? ByteBuffer().readableBytesView
                )
                : (0..<Int.random(in: 1...2000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            bytes.withUnsafeBytes { pair.client.receive($0) }
            // Damage may also leave it waiting for more; it never completes.
            let isOver = (try? pair.client.shakeHands()) ?? false
            #expect(!isOver)
        }
    }

    private static let authority =
        "in repartee.lua, ca = \"FILE\" of a target trusts an authority of its own, and verify = false any certificate"

    @Test(
        "What is wrong with a certificate says what to do about that",
        arguments: [
            // The codes of X.509 for another name, another address, two times and two unknown authorities.
            (62, "reach the server by a name that its certificate has"),
            (64, "reach the server by a name that its certificate has"),
            (9, "the server needs a certificate that is valid now"),
            (10, "the server needs a certificate that is valid now"),
            (18, Self.authority),
            (20, Self.authority),
        ])
    func remedy(code: Int, remedy: String) {
        // What an earlier call on this thread has left is not of this one.
        _ = TLSError.last()
        let failure = SocketFailures.failure(
            TLSError.last(verification: code), connectedTo: Endpoint(host: "chat.test", port: 443))
        #expect(failure.code == .tlsFailed && failure.message.hasSuffix("; \(remedy)"), "\(failure.message)")
    }
}
