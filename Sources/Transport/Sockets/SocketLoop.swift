public import NIOCore
import NIOPosix

/// A thread with an event loop for real sockets.
public struct SocketLoop: Sendable {
    private let group: MultiThreadedEventLoopGroup

    /// Starts the thread.
    public init() {
        self.group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// The loop; worker, network and drivers live on it.
    public var eventLoop: any EventLoop { self.group.next() }

    /// Ends the thread; what is still open is dropped.
    public func shutDown() async {
        // Fails only if called twice or from the loop itself, and nothing depends on the outcome then.
        try? await self.group.shutdownGracefully()
    }
}
