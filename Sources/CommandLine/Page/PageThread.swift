import Machines
import NIOCore
import Transport

/// The thread that serves a page: its event loop, and the port there.
final class PageThread: Sendable {
    private let loop = SocketLoop()
    private let openPort: NIOLoopBoundBox<PagePort?>

    /// Starts a thread without a port.
    init() {
        self.openPort = .makeBoxSendingValue(nil, eventLoop: self.loop.eventLoop)
    }

    /// Where all that a page knows lives.
    var eventLoop: any EventLoop { self.loop.eventLoop }

    /// The port while it is open; to be asked for on the event loop.
    var port: PagePort? { self.openPort.value }

    /// Opens the port.
    ///
    /// - Parameter onQuestion: Gets what is asked for, on the event loop.
    /// - Returns: The URL of the page.
    /// - Throws: ``TransportFailure`` if no port can be had.
    func open(onQuestion: @escaping @Sendable (PageQuestion) -> Void) async throws(TransportFailure) -> String {
        let loop = self.loop.eventLoop
        let outcome = try? await loop.submit { () -> Result<String, TransportFailure> in
            do throws(TransportFailure) {
                let port = try PagePort(on: loop)
                port.onQuestion = onQuestion
                self.openPort.value = port
                return .success(port.url)
            } catch {
                return .failure(error)
            }
        }.get()
        guard let outcome else { throw TransportFailure(.cannotConnect, "the event loop has ended") }
        return try outcome.get()
    }

    /// Closes the port, and ends the thread.
    func close() async {
        _ = try? await self.loop.eventLoop.submit {
            self.openPort.value?.close()
            self.openPort.value = nil
        }.get()
        await self.loop.shutDown()
    }
}
