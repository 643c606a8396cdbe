import JSON
import Machines
import NIOCore
import NIOPosix
import Transport

/// The two ends that the WebSocket conformance suite plays against: a client that echoes, and a server that echoes.
///
/// `conformance-endpoints client HOST:PORT` runs all cases of a fuzzing server; `conformance-endpoints server PORT`
/// serves a fuzzing client until it is ended.
@main
enum ConformanceEndpoints {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.last) {
        case ("client", let authority?) where arguments.count == 2: Self.runClient(authority)
        case ("server", let port?) where arguments.count == 2: Self.runServer(Int(port) ?? 0)
        default: print("usage: conformance-endpoints client HOST:PORT | server PORT")
        }
    }

    private static func runClient(_ authority: String) {
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            var driver: ClientDriver?
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            driver = ClientDriver(
                machine: EchoClient(authority: authority), label: "client",
                network: SocketNetwork(eventLoop: eventLoop), scheduler: scheduler, random: RandomSource(seed: 1),
                callScript: { _, _, _ in },
                emit: { event in
                    print(event.fields["text"]?.string ?? "")
                    guard event.kind == .ended else { return }
                    driver?.close()
                    driver = nil
                    eventLoop.shutdownGracefully { _ in }
                })
            _ = driver?.perform(Command("start"))
        }
    }

    private static func runServer(_ number: Int) {
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            do {
                let network = SocketNetwork(eventLoop: eventLoop)
                let listener = try network.listen(on: Endpoint(host: "127.0.0.1", port: number), identity: nil)
                let driver = ServerDriver(
                    machine: EchoServer(), label: "server", listener: listener,
                    scheduler: EventLoopScheduler(eventLoop: eventLoop), random: RandomSource(seed: 1),
                    callScript: { _, _, _ in }, emit: { _, _ in })
                print("listening on \(driver.endpoint)")
            } catch {
                print(error)
                eventLoop.shutdownGracefully { _ in }
            }
        }
    }
}
