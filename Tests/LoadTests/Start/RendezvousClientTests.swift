import HTTPTypes
import Machines
import RunRecord
import Testing

@testable import Load

@Suite("How a shard looks for the one that leads")
struct RendezvousClientTests {
    private static let epoch = EpochTime(nanoseconds: 1_795_262_400_000_000_000)

    private static func client() -> RendezvousClient {
        RendezvousClient(
            RendezvousMember(
                run: "nightly", plan: 7, shard: Shard(index: 2, count: 2), deadline: Self.epoch + .seconds(2)),
            authority: "127.0.0.1:7", token: "0123456789abcdef")
    }

    private static func effects(
        _ client: inout RendezvousClient, _ input: RendezvousClient.Input, after milliseconds: Int = 0
    ) -> [RendezvousClient.Effect] {
        client.handle(input, at: Self.epoch + .milliseconds(milliseconds))
    }

    @Test("It shows its token and says which it is; the word of the one that leads is all that it waits for")
    func word() {
        var client = Self.client()
        #expect(client.wake == nil)
        let opening = Self.effects(&client, .begun)
        guard case .open(let head)? = opening.first, opening.count == 1 else {
            Issue.record("\(opening)")
            return
        }
        #expect(head.authority == "127.0.0.1:7" && head.path == "/rendezvous")
        #expect(head.headerFields[.authorization] == "Bearer 0123456789abcdef")
        #expect(client.wake == Self.epoch + .seconds(2))
        let line = RendezvousLine.ready(Shard(index: 2, count: 2), plan: 7, run: "nightly")
        #expect(Self.effects(&client, .opened, after: 10) == [.transmit(line)])
        let start = Self.epoch + .seconds(1)
        #expect(
            Self.effects(&client, .received(.text(RendezvousLine.start(start).text)), after: 20)
                == [.tell(.agreed(start)), .close])
        // Whatever comes then changes nothing.
        #expect(client.wake == nil)
        for input in [.closed, .waited, .opened, .begun, .received(.text("hello"))] as [RendezvousClient.Input] {
            #expect(Self.effects(&client, input, after: 3000).isEmpty)
        }
    }

    @Test("One that cannot be reached or goes away is tried again in half a second, until the time to wait is over")
    func again() {
        var client = Self.client()
        let opening = Self.effects(&client, .begun)
        #expect(Self.effects(&client, .failed(TransportFailure(.cannotConnect, "nobody is there"))).isEmpty)
        #expect(client.wake == Self.epoch + .milliseconds(500))
        #expect(Self.effects(&client, .waited, after: 499).isEmpty)
        #expect(Self.effects(&client, .waited, after: 500) == opening)
        #expect(Self.effects(&client, .opened, after: 510).count == 1)
        #expect(Self.effects(&client, .closed, after: 1800).isEmpty)
        // Before the pause is over the whole wait is.
        #expect(client.wake == Self.epoch + .seconds(2))
        let end = Self.effects(&client, .waited, after: 2000)
        guard case .tell(.failed(let error))? = end.last else {
            Issue.record("\(end)")
            return
        }
        #expect(end.first == .abort)
        #expect(error.message.contains("waited in vain"))
        #expect(error.message.hasSuffix(" (last: 127.0.0.1:7 closed the connection)"))
        #expect(client.wake == nil)
    }
}
