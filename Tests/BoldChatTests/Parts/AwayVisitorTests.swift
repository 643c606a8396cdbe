import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Visitors of the simulated account who stay away")
struct AwayVisitorTests {
    /// Whether the account gives the visitor up after a time, as the actions leave its timer.
    private func isGivenUp(_ actions: [ServerAction], of key: String) -> Bool? {
        var isSet: Bool?
        for action in actions {
            switch action {
            case .perform(.setTimer(.gone(key), _)): isSet = true
            case .perform(.cancelTimer(.gone(key))): isSet = false
            default: break
            }
        }
        return isSet
    }

    /// The methods that polls were answered with, in order.
    private func told(_ actions: [ServerAction]) -> [String] {
        actions.flatMap { action -> [String] in
            guard case .perform(.respond(_, let response)) = action,
                let frames = try? JSONReader.read(response.body).array
            else { return [] }
            return frames.compactMap { frame in
                guard case .call(let call) = OSSFrame(frame) else { return nil }
                return call.method
            }
        }
    }

    @Test("a visitor whose poll is answered at once is away until the next one")
    func firstPoll() throws {
        var world = try ServerPartFixture()
        world.feedDesk(.chatWaiting(world.key))
        #expect(
            self.isGivenUp(world.feedStream(.polled(ExchangeID(1), of: world.key, after: 0)), of: world.key) == true)
        #expect(
            self.isGivenUp(world.feedStream(.polled(ExchangeID(2), of: world.key, after: 0)), of: world.key) == false)
        _ = world.feedStream(.event("addMessage", [:], of: world.key))
        #expect(
            self.isGivenUp(world.feedStream(.polled(ExchangeID(3), of: world.key, after: 0)), of: world.key) == true)
    }

    @Test("a visitor whose poll a signal has answered is away until the next one", arguments: ["reset", "closed"])
    func signal(name: String) throws {
        var world = try ServerPartFixture()
        world.feedDesk(.chatWaiting(world.key))
        world.feedStream(.polled(ExchangeID(1), of: world.key, after: 0))
        world.feedStream(.polled(ExchangeID(2), of: world.key, after: 0))
        #expect(self.isGivenUp(world.feedStream(.signal("reconnect", [:], of: world.key)), of: world.key) == true)
        world.feedStream(.standing(name, of: world.key))
        let again = world.feedStream(.polled(ExchangeID(3), of: world.key, after: 0))
        #expect(self.told(again) == [name])
        #expect(self.isGivenUp(again, of: world.key) == true)
    }

    @Test("a client that begins anew is told that its chat is closed, and is reset once")
    func closedWhileReset() throws {
        var world = try ServerPartFixture()
        world.feedDesk(.chatWaiting(world.key))
        world.feedStream(.polled(ExchangeID(1), of: world.key, after: 0))
        world.feedStream(.standing("reset", of: world.key))
        world.feedStream(.restarted([], of: world.key))
        #expect(self.told(world.feedStream(.polled(ExchangeID(2), of: world.key, after: 0))) == [])
        world.feedStream(.standing("closed", of: world.key))
        world.feedStream(.standing("reset", of: world.key))
        world.feedStream(.restarted([], of: world.key))
        #expect(self.told(world.feedStream(.polled(ExchangeID(3), of: world.key, after: 0))) == ["closed"])
    }
}
