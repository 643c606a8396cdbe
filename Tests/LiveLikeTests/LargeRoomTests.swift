import JSON
import Machines
import NIOCore
import Testing
import Transport

@testable import LiveLike

@Suite("A room of many members")
struct LargeRoomTests {
    @Test("In a room of 1,000 members each of 100 messages reaches every member exactly once and in order")
    func thousandMembers() throws {
        let world = try TestWorld()
        world.keepsEvents = false
        var heard = [Int](repeating: 0, count: 1_000)
        var mistakes = 0
        world.onEvent = { member, event in
            guard event.kind == .message, event.fields["mine"] == false else { return }
            if event.fields["text"]?.string != "m\(heard[member])" { mistakes += 1 }
            heard[member] += 1
        }
        for _ in 0..<1_000 {
            let member = try world.add()
            world.command(member, "connect", ["room": "lobby"])
        }
        world.run(for: .seconds(1))
        #expect(world.serverProperties["subscribers"] == 1_000)
        for number in 0..<100 {
            world.serve("say", ["text": .string("m\(number)")], by: "Mo")
            world.run(for: .milliseconds(100))
        }
        #expect(heard == [Int](repeating: 100, count: 1_000))
        #expect(mistakes == 0)
        #expect(world.serverProperties["subscribers"] == 1_000)
    }

    @Test(
        "Over real sockets each of 100 messages reaches every member of 1,000 exactly once and in order",
        .enabled(if: FileLimit.raise() >= 8_192, "the system allows too few open files"))
    func socketRoom() async throws {
        let loop = SocketLoop()
        let promise = loop.eventLoop.makePromise(of: SocketRoom.Outcome.self)
        loop.eventLoop.execute {
            do {
                let room = try SocketRoom(
                    members: 1_000, messages: 100, limit: .seconds(300), eventLoop: loop.eventLoop,
                    finish: { promise.succeed($0) })
                try room.begin()
            } catch {
                promise.fail(error)
            }
        }
        let outcome = try await promise.futureResult.get()
        await loop.shutDown()
        #expect(outcome.subscribers == 1_000)
        #expect(outcome.heard == [Int](repeating: 100, count: 1_000))
        #expect(outcome.mistakes == 0)
        #expect(outcome.troubles == [])
    }

    @Test("A fan-out costs the server one answer per member, encoded once")
    func fanOut() throws {
        var pubNub = PubNubChannels(epochMilliseconds: 0)
        let members: UInt64 = 500
        for number in 0..<members {
            let waiter = PubNubChannels.Waiter(
                channels: ["control", "room", "profile.\(number)"], profileID: "\(number)", hidesFiltered: true,
                due: Instant(nanoseconds: 1_000_000_000))
            #expect(pubNub.subscribe(ExchangeID(number), waiter, after: TimeToken(ticks: 1), at: .start) == nil)
        }
        let published = pubNub.publish(Publication(["event": "x"], on: "room"), key: "k", at: .start)
        #expect(published.answers == (0..<members).map { ExchangeID($0) })
        #expect(pubNub.waitingCount == 0)
        let again = pubNub.publish(Publication(["event": "y"], on: "control"), key: "k", at: .start)
        #expect(again.answers.isEmpty)
    }

    @Test("What others alone may see takes nothing from an answer, and no token skips what a client may see")
    func hiddenAmongMany() throws {
        var pubNub = PubNubChannels(epochMilliseconds: 0)
        for number in 0..<450 {
            var publication = Publication(["number": .integer(Int64(number))], on: number % 2 == 0 ? "a" : "b")
            // The first are all for somebody else, as many as an answer carries and more.
            if number < 250 || number % 3 == 0 { publication.visibleOnlyTo = "another" }
            _ = pubNub.publish(publication, key: "k", at: .start)
        }
        var token = TimeToken(ticks: 1)
        var seen: [Int] = []
        for exchange in 0..<10 as Range<UInt64> {
            let waiter = PubNubChannels.Waiter(
                channels: ["a", "b"], profileID: "me", hidesFiltered: false, due: Instant(nanoseconds: 1_000_000_000))
            guard let answer = pubNub.subscribe(ExchangeID(exchange), waiter, after: token, at: .start) else { break }
            let body = try JSONReader.read(answer.body)
            let numbers = (body["m"]?.array ?? []).compactMap { $0["d"]?["number"]?.integer }
            #expect(numbers.count <= PubNubChannels.answerLimit)
            seen += numbers.map { Int($0) }
            token = try #require(body["t"]?["t"]?.string.flatMap(Int64.init).map { TimeToken(ticks: $0) })
        }
        #expect(seen == (250..<450).filter { $0 % 3 != 0 })
    }

    @Test("Members who come and go leave nothing behind in the carrier")
    func comingAndGoing() {
        var pubNub = PubNubChannels(epochMilliseconds: 0)
        for number in 0..<20_000 as Range<UInt64> {
            let waiter = PubNubChannels.Waiter(
                channels: ["room"], profileID: nil, hidesFiltered: false, due: Instant(nanoseconds: Int64(number)))
            _ = pubNub.subscribe(ExchangeID(number), waiter, after: TimeToken(ticks: 1), at: .start)
            pubNub.abandon(ExchangeID(number))
        }
        #expect(pubNub.waitingCount == 0)
        #expect(pubNub.nextDue == nil)
    }

    @Test("One who waits long keeps nothing of those who come and go meanwhile")
    func oneStays() {
        var pubNub = PubNubChannels(epochMilliseconds: 0)
        for number in 0..<20_000 as Range<UInt64> {
            let waiter = PubNubChannels.Waiter(
                channels: ["room"], profileID: nil, hidesFiltered: false, due: Instant(nanoseconds: Int64(number + 1)))
            _ = pubNub.subscribe(ExchangeID(number), waiter, after: TimeToken(ticks: 1), at: .start)
            if number % 1_000 != 0 { pubNub.abandon(ExchangeID(number)) }
        }
        #expect(pubNub.waitingCount == 20)
        #expect(pubNub.dueOrder.count <= 65)
        #expect(pubNub.nextDue == Instant(nanoseconds: 1))
        let due = pubNub.takeDue(at: Instant(nanoseconds: 10_001))
        #expect(due.answers == stride(from: 0, through: 10_000, by: 1_000).map { ExchangeID($0) })
        #expect(pubNub.nextDue == Instant(nanoseconds: 11_001))
    }
}
