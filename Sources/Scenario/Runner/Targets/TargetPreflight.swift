import Machines
import NIOCore
import Transport

/// The look at a target before a run begins: where nobody answers, no scenario is begun.
public struct TargetPreflight {
    /// How long a target may take to accept the connection that tries it.
    private static let trialLimit = Duration.seconds(5)

    private let destination: ExecutionSettings.Destination

    /// Creates a look at a destination.
    public init(of destination: ExecutionSettings.Destination) {
        self.destination = destination
    }

    /// The case of a target at which nobody answers; nil if somebody does.
    ///
    /// - Parameters:
    ///   - file: The file by which the run can be played again.
    ///   - interruption: Ends the look before somebody answers.
    func deadTarget(replayedBy file: String, unless interruption: Interruption) async -> OutsideCase? {
        guard let reason = await self.unreachability(unless: interruption) else { return nil }
        return OutsideCase(unreachable: self.destination.name, because: reason, replayedBy: file)
    }

    /// Tries whether anybody answers at the target; says nothing to who does.
    ///
    /// A control port tells itself what is wrong with it, and a URL that is none is the business of the clients.
    ///
    /// - Parameter interruption: Ends the look before somebody answers, with nil.
    /// - Returns: Why nobody can be reached, or nil.
    public func unreachability(unless interruption: Interruption) async -> String? {
        // What stands behind a proxy is not reached by a connection of one's own.
        guard case .named(_, let target) = self.destination, target.control == nil, target.access.proxies == .none,
            let address = try? TargetAddress(origin: target.url, acceptsLinks: true)
        else { return nil }
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let promise = eventLoop.makePromise(of: TransportFailure?.self)
        eventLoop.execute {
            let worker = Worker(loop: eventLoop)
            var isWaiting = true
            let end = { (failure: TransportFailure?) in
                guard isWaiting else { return }
                isWaiting = false
                promise.succeed(failure)
            }
            ConnectionTrial.begin(
                address, trust: target.trust, on: SocketNetwork(eventLoop: eventLoop), worker, limit: Self.trialLimit,
                completion: end)
            interruption.whenRequested(on: worker, while: { isWaiting }) { end(nil) }
        }
        // The promise is always kept: the trial has a time limit.
        let failure = try? await promise.futureResult.get()
        await loop.shutDown()
        return failure?.message
    }
}
