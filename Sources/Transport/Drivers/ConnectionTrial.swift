import HTTPTypes
public import Machines

/// Tries whether anybody answers at a URL: connects, says nothing and hangs up.
public final class ConnectionTrial: ByteStreamDelegate, TimeLimited {
    private var stream: (any ByteStream)?
    var timeout: ScheduledID?
    let scheduler: any Scheduler
    private var completion: ((TransportFailure?) -> Void)?

    private init(_ scheduler: any Scheduler, completion: @escaping (TransportFailure?) -> Void) {
        self.scheduler = scheduler
        self.completion = completion
    }

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - trust: Whom an encrypted connection trusts.
    ///   - network: The network to use.
    ///   - scheduler: Counts the time.
    ///   - limit: How long it may take.
    ///   - completion: Called once, with what went wrong, or nil if somebody answers, even if the encryption fails:
    ///     of that the clients are to hear.
    public static func begin(
        _ address: TargetAddress, trust: TrustPolicy, on network: any Network, _ scheduler: any Scheduler,
        limit: Duration, completion: @escaping (TransportFailure?) -> Void
    ) {
        let head = HTTPRequest(
            method: .get, scheme: address.scheme, authority: address.authority, path: address.path)
        let destination: Destination
        do throws(TransportFailure) {
            destination = try Destination(head, ClientDriverConfiguration(trust: trust))
        } catch {
            return completion(error)
        }
        let trial = ConnectionTrial(scheduler, completion: completion)
        trial.setTimeout(limit) { _ in
            trial.end(
                TransportFailure(.timedOut, "no connection with \(destination.endpoint) within \(limit.scriptText)"))
        }
        trial.stream = network.connect(to: destination.endpoint, security: destination.security, delegate: trial)
    }

    private func end(_ failure: TransportFailure?) {
        self.cancelTimeout()
        let (stream, completion) = (self.stream, self.completion)
        self.stream = nil
        self.completion = nil
        stream?.close()
        completion?(failure)
    }

    // MARK: ByteStreamDelegate

    public func streamOpened() { self.end(nil) }
    public func streamReceived(_ bytes: Span<UInt8>) {}
    public func streamReachedEnd() {}
    public func streamClosed(_ failure: TransportFailure?) { self.end(failure?.code == .tlsFailed ? nil : failure) }
}
