import JSON
import Machines
import Transport

/// A client machine on the network of its scenario, as what stands behind an actor.
final class ClientBackend: ActorBackend {
    private let port: ClientPort

    init(_ port: ClientPort) {
        self.port = port
    }

    func perform(_ command: Command) -> CommandReply { .now(self.port.perform(command)) }

    var identity: JSONObject { self.port.identity }
    var properties: JSONObject { self.port.properties }
    var cookies: JSONValue { self.port.cookies }
    var screenLines: [ScreenLine] { self.port.screenLines }
    var pending: [String] { self.port.pending }
    var unreachable: String? { self.port.unreachable?.message }

    /// When the next timer of the machine fires.
    var nextTimer: Instant? { self.port.nextTimer }

    var isQuiet: Bool { self.port.isQuiet }
    var means: Prospect.Means { self.port.isQuiet ? .commands : .work }
    var ending: Ending? { self.port.ending }

    func tearDown() { self.port.tearDown() }
    func close() { self.port.close() }
}
