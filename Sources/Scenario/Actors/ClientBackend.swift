import JSON
import Machines
import Transport

/// A client machine on the network of its scenario, as what stands behind an actor.
final class ClientBackend: ActorBackend {
    private let driver: ClientDriver

    init(_ driver: ClientDriver) {
        self.driver = driver
    }

    func perform(_ command: Command) -> CommandReply { .now(self.driver.perform(command)) }

    var identity: JSONObject { self.driver.identity }
    var properties: JSONObject { self.driver.properties }
    var cookies: JSONValue { self.driver.cookies }
    var screenLines: [ScreenLine] { self.driver.screenLines }
    var absences: [EventKind: String] { self.driver.absences }
    var pending: [String] { self.driver.pending }
    var unfinished: [UnfinishedMessage] { self.driver.unfinished }
    var unreachable: String? { self.driver.unreachable?.message }

    /// Whether the answers to its server are counted, as they are in virtual time.
    var countsAnswers: Bool { self.driver.onAnswer != nil }

    /// Takes note that a function of the script answers its server.
    func countAnswer() { self.driver.onAnswer?() }

    var nextTimer: Instant? { self.driver.nextTimer }

    var isQuiet: Bool { self.driver.isQuiet }
    var means: WakeupSource.Means { self.driver.isQuiet ? .commands : .work }
    var actsByItself: Bool { false }
    var ending: Ending? { self.driver.ending }

    func tearDown() { self.driver.tearDown() }
    func close() { self.driver.close() }
}
