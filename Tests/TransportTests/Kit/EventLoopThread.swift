import NIOCore
import NIOPosix

/// Makes the calling thread an event loop for the time of a test.
enum EventLoopThread {
    /// Runs a test on the loop.
    ///
    /// - Parameter body: Called on the loop with the loop and what ends it.
    static func play(_ body: @escaping (any EventLoop, _ finish: @escaping () -> Void) throws -> Void) throws {
        var failure: (any Error)?
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let finish = { eventLoop.shutdownGracefully { _ in } }
            do {
                try body(eventLoop, finish)
            } catch {
                failure = error
                finish()
            }
        }
        if let failure { throw failure }
    }
}
