import JSON
import Machines

@testable import Scenario

/// A server of a scenario that does nothing and counts what is done to it.
final class TestServer: ScenarioServer {
    let system: ChatSystem
    let origin = "http://test.test"
    let properties: JSONObject = ["open": 1]
    let isShared: Bool
    let means = WakeupSources.Means.clients
    var faultOrders = FaultOrders()
    private(set) var closeCount = 0

    init(named name: String, isShared: Bool = false) {
        self.system = ChatSystem(
            name: name, title: name,
            client: ClientDeclaration(methods: [], options: []) { _ in KeyedClientAdapter(ParrotClient()) },
            events: [], noise: [])
        self.isShared = isShared
    }

    func perform(_ command: Command, by party: String?) -> CommandReply { .now(.done(.null)) }
    func attach(_ actor: Actor, as party: String, of kind: String) {}
    func detach(_ party: String) {}
    func close() { self.closeCount += 1 }
}
