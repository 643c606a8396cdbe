import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("The users of a simulated server")
struct UserBookTests {
    private static func book(_ users: [String], limit: Int = 100) throws -> UserBook {
        var book = UserBook(answeredBy: try Skill([:]))
        book.limit = limit
        for user in users { _ = book.meet(user, at: .start) }
        return book
    }

    private static func handle(_ input: HandoverPart.Input, of user: String, in book: inout UserBook) {
        book.change(user) { _ = $0.handover.handle(input) }
    }

    @Test("are met once, as long as there is room for another one")
    func room() throws {
        var book = try Self.book(["bob", "ada"], limit: 3)
        book.change("bob") { $0.learn(["name": "Bob"]) }
        #expect(book.hasRoom(for: "eve"))
        let isMet = book.meet("eve", at: .start)
        #expect(isMet && !book.hasRoom(for: "sam"))
        let isRefused = !book.meet("sam", at: .start)
        #expect(isRefused)
        let isMetAgain = book.meet("bob", at: .start + .seconds(1))
        #expect(isMetAgain)
        #expect(book["bob"]?.profile == ["name": "Bob"] && book["bob"]?.lastActivity == .start)
        #expect(book["sam"] == nil && book.names == ["ada", "bob", "eve"])
    }

    @Test("of whom nobody knows nothing happens")
    func unknown() throws {
        var book = try Self.book([])
        #expect(book.change("ada") { $0.userID } == nil)
        #expect(book.names == [])
    }

    @Test("are meant by an identity or a name, or because there is only one")
    func meant() throws {
        let one = try Self.book(["ada"])
        let two = try Self.book(["ada", "bob"])
        #expect(one.find(nil) == "ada" && two.find(nil) == nil)
        #expect(two.find("bob") == "bob" && two.find(["user_id": "ada"]) == "ada")
        #expect(one.find("eve") == nil && one.find(["user_id": "eve"]) == nil)
    }

    @Test("wait for an agent or talk to one as their hand-overs have it, the first by name before the others")
    func agents() throws {
        var book = try Self.book(["eve", "bob", "ada"])
        #expect(book.findWaiting(nil) == nil && book.findWaiting("eve") == "eve")
        for user in ["eve", "bob"] { Self.handle(.requested([:], ChatEvent(.chatWaiting)), of: user, in: &book) }
        #expect(book.findWaiting(nil) == "bob")
        Self.handle(.accepted(by: "Sam", greeting: nil), of: "bob", in: &book)
        #expect(book.findWaiting(nil) == "eve" && book.findServed(by: "Sam", nil) == "bob")
        Self.handle(.accepted(by: "Sam", greeting: nil), of: "eve", in: &book)
        #expect(book.findWaiting(nil) == nil)
        #expect(book.findServed(by: "Sam", "eve") == "eve" && book.findServed(by: "Sam", "ada") == "bob")
        #expect(book.findServed(by: "Kim", "eve") == nil)
    }
}
