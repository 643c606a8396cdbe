import HTTPTypes
import Machines

/// A connection through a proxy: asks it for one by CONNECT (RFC 9110 section 9.3.6), and is then as any other.
///
/// | state | event | becomes |
/// |---|---|---|
/// | asking | an answer 2xx | open, or encrypting if that was asked for |
/// | encrypting | the connection is encrypted | open |
/// | asking | another answer, what is no answer, the end | gone; the delegate hears why |
/// | open | anything | is passed on |
final class ProxyTunnel: ByteStream, ByteStreamDelegate {
    private enum State {
        case asking, encrypting, open
    }

    private enum Ending {
        case finish, close
    }

    let peer: Endpoint
    private let proxy: Proxy
    private let security: ConnectionSecurity
    private var delegate: (any ByteStreamDelegate)?
    private var base: (any ByteStream)?
    private var parser = HTTPResponseParser()
    private var state = State.asking

    /// What was written before the connection was open.
    private var waiting: [UInt8] = []

    /// What was asked for while bytes waited, which go first.
    private var ending: Ending?

    /// Creates a tunnel that is not connected yet.
    init(to peer: Endpoint, by proxy: Proxy, security: ConnectionSecurity, delegate: any ByteStreamDelegate) {
        self.peer = peer
        self.proxy = proxy
        self.security = security
        self.delegate = delegate
        // The answer that is wished for has no body, as the one to HEAD.
        self.parser.expect(.head)
    }

    /// Begins to connect.
    func start(on network: any Network, timeLimit: OpeningLimit) {
        self.base = network.connect(
            to: self.proxy.endpoint, security: .plain, timeLimit: timeLimit, delegate: self)
    }

    // MARK: ByteStream

    func write(_ bytes: [UInt8]) {
        if self.state == .open {
            self.base?.write(bytes)
        } else if self.ending == nil {
            self.waiting += bytes
        }
    }

    var agreedProtocol: String? { self.base?.agreedProtocol }
    var openingTimes: OpeningTimes { self.base?.openingTimes ?? OpeningTimes() }

    func finish() {
        if self.waiting.isEmpty { self.base?.finish() } else { self.ending = self.ending ?? .finish }
    }

    func close() {
        if self.waiting.isEmpty { self.base?.close() } else { self.ending = .close }
    }

    func abort() {
        self.delegate = nil
        self.base?.abort()
        self.base = nil
    }

    func encrypt(_ security: ConnectionSecurity, host: String) { self.base?.encrypt(security, host: host) }

    func startTLS(_ side: StartTLSSide) { self.base?.startTLS(side) }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        guard self.state == .asking else { return self.open() }
        var head = "CONNECT \(self.peer) HTTP/1.1\r\nHost: \(self.peer)\r\n"
        if let authorization = self.proxy.authorization { head += "Proxy-Authorization: \(authorization)\r\n" }
        self.base?.write(Array((head + "\r\n").utf8))
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        guard self.state == .asking else {
            self.delegate?.streamReceived(bytes)
            return
        }
        var offset = 0
        do throws(HTTPSyntaxError) {
            guard case .head(let head)? = try self.parser.next(bytes, at: &offset) else { return }
            guard head.status.kind == .successful else {
                let advice =
                    head.status.code == 407 ? "; give it a user and a password: http://user:password@host:port" : ""
                return self.fail("answered \(head.status.text) when it was asked for \(self.peer)\(advice)")
            }
        } catch {
            return self.fail("sent what is no answer of HTTP: \(error.message)")
        }
        let hasMore = offset < bytes.count
        if case .tls = self.security {
            guard !hasMore else { return self.fail("sent bytes before the encryption has begun") }
            self.state = .encrypting
            self.base?.encrypt(self.security, host: self.peer.host)
            return
        }
        self.open()
        // A server that speaks first may have done so already.
        if hasMore { self.delegate?.streamReceived(bytes.extracting(offset..<bytes.count)) }
    }

    private func open() {
        self.state = .open
        let waiting = self.waiting
        self.waiting = []
        if !waiting.isEmpty { self.base?.write(waiting) }
        switch self.ending {
        case .finish?: self.base?.finish()
        case .close?: self.base?.close()
        case nil: break
        }
        self.delegate?.streamOpened()
    }

    func streamReachedEnd() {
        if self.state != .asking { self.delegate?.streamReachedEnd() } else { self.fail("ended the connection") }
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.base = nil
        let delegate = self.delegate
        self.delegate = nil
        if self.state != .asking || failure == nil {
            delegate?.streamClosed(failure)
        } else {
            delegate?.streamClosed(
                TransportFailure(.cannotConnect, "the proxy cannot be reached: \(failure?.message ?? "")"))
        }
    }

    private func fail(_ what: String) {
        let delegate = self.delegate
        self.abort()
        delegate?.streamClosed(TransportFailure(.cannotConnect, "the proxy \(self.proxy.endpoint) \(what)"))
    }
}
