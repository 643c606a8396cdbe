import JSON
import Machines
import Transport

/// A client machine on the network of its scenario, as what stands behind an actor.
final class ClientBackend: ActorBackend {
    private let driver: ClientDriver

    /// Counts the answers to its server, those of the machine and those that functions of the script send; nil in real
    /// time, where nothing stands still.
    let answers: AnswerLivelockGuard?

    init(_ driver: ClientDriver, answers: AnswerLivelockGuard? = nil) {
        self.driver = driver
        self.answers = answers
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

    var nextTimer: Instant? { self.driver.nextTimer }

    var isQuiet: Bool { self.driver.isQuiet }
    var means: WakeupSources.Means { self.driver.isQuiet ? .commands : .work }
    var actsByItself: Bool { false }
    var ending: Ending? { self.driver.ending }
    var losses: Ending.Losses? { self.driver.losses }

    func forgetLosses() { self.driver.forgetLosses() }
    func tearDown() { self.driver.tearDown() }
    func close() { self.driver.close() }
}
