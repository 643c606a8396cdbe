import Testing

@testable import Scenario

@Suite("Names of actors")
struct ActorNamesTests {
    @Test("Each is given once, with the next free number behind it where it is wanted again")
    func numbers() {
        var names = ActorNames()
        let given = ["bot", "bot", "bot 3", "bot", "bot", "agent", "bot 2"].map { names.take($0) }
        #expect(given == ["bot", "bot 2", "bot 3", "bot 4", "bot 5", "agent", "bot 2 2"])
    }

    @Test("A hundred thousand actors of one name find theirs without a search among all")
    func many() {
        var names = ActorNames()
        var given: Set<String> = []
        for _ in 0..<100_000 { given.insert(names.take("visitor")) }
        #expect(given.count == 100_000)
    }
}
