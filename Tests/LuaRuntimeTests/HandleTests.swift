import JSON
import Testing

@testable import LuaRuntime

@Suite("Handles")
struct HandleTests {
    final class Account {
        var balance: Int64 = 0
    }

    static func fixture(_ conditions: Conditions = .plain) throws -> (LuaFixture, LuaHandleType) {
        let fixture = try LuaFixture(conditions)
        // The type is known only once it is registered, but its methods need it.
        final class Holder { var type: LuaHandleType? }
        let holder = Holder()
        let deposit = HostFunction("account:deposit", parameters: ["amount"]) { (call) throws(HostError) in
            let account = try call.receiver(of: holder.type!, as: Account.self)
            account.balance += try call.integer(1, in: 1...1000)
            call.pushArgument(0)
            return .returns
        }
        let member = HostFunction("account", parameters: ["member"]) { (call) throws(HostError) in
            let account = try call.receiver(of: holder.type!, as: Account.self)
            switch try call.string(1) {
            case "balance": call.push(account.balance)
            case "opening":
                // What it was when it was first asked for, which never changes.
                call.push(account.balance)
                call.keepMember()
            default: call.pushNil()
            }
            return .returns
        }
        let type = fixture.state.register(
            LuaHandleDeclaration(name: "account", methods: [("deposit", deposit)], member: member) { object in
                "account of \((object as? Account)?.balance ?? 0)"
            })
        holder.type = type
        fixture.define("open") { (call) throws(HostError) in
            call.push(Account(), as: type)
            return .returns
        }
        fixture.define("close", parameters: ["account"]) { (call) throws(HostError) in
            guard case .handle(let object, _) = call.value(1), let account = object as? Account else {
                throw call.argumentFault(1, expected: "an object of type account")
            }
            call.push(account.balance)
            return .returns
        }
        return (fixture, type)
    }

    @Test("Methods, members and text work", arguments: Conditions.allCases)
    func methods(conditions: Conditions) throws {
        let (fixture, _) = try Self.fixture(conditions)
        let results = try fixture.run(
            "local a = open():deposit(5):deposit(6) return a.balance, tostring(a), a.nothing, close(a), ('%s'):format(a),"
                + " 'the ' .. a")
        #expect(results == [11, "account of 11", .null, 11, "account of 11", "the account of 11"])
    }

    @Test("A member that never changes is asked for once", arguments: Conditions.allCases)
    func constantMember(conditions: Conditions) throws {
        let results = try Self.fixture(conditions).0.run(
            """
            local a, b = open():deposit(5), open():deposit(7)
            local first = a.opening
            a:deposit(1)
            return first, a.opening, a.balance, b.opening, a.nothing
            """)
        #expect(results == [5, 5, 6, 7, .null])
    }

    @Test(
        "Misuse is an error that says what to do",
        arguments: [
            ("open().deposit(5)", "write a colon"), ("open():deposit()", "argument 1 (amount) must be an integer"),
            ("open():deposit(0)", "must lie between 1 and 1000"), ("close(12)", "must be an object of type account"),
            ("close(select(2, pcall(close)))", "not an object of type error"),
            ("open().balance = 1", "attempt to index"),
            ("setmetatable(open(), {})", "table expected"), ("local a = open() return #a", "attempt to get length"),
        ])
    func misuse(source: String, message: String) throws {
        #expect(try Self.fixture().0.failure(source).message.contains(message))
    }

    final class Letter: LuaJSONSource {
        var json: JSONValue { ["to": "Ada"] }
    }

    @Test("pairs goes through members, and an object that stands in JSON does so", arguments: Conditions.allCases)
    func members(conditions: Conditions) throws {
        let fixture = try LuaFixture(conditions)
        let type = fixture.state.register(
            LuaHandleDeclaration(
                name: "letter", methods: [], members: { _ in ["b": 2, "a": [1], "c": 3] }))
        fixture.define("letter") { (call) throws(HostError) in
            call.push(Letter(), as: type)
            return .returns
        }
        let results = try fixture.run(
            """
            local text = ""
            for name, value in pairs(letter()) do text = text .. name .. (type(value) == "table" and value[1] or value) end
            return text, echo { letter() }
            """)
        #expect(results == ["a1b2c3", [["to": "Ada"]]])
        #expect(try Self.fixture().0.failure("pairs(open())").message.contains("table expected"))
    }

    @Test("The metatable is out of reach")
    func metatable() throws {
        #expect(try Self.fixture().0.run("return getmetatable(open())") == [false])
    }

    @Test("The same object is the same value each time", arguments: Conditions.allCases)
    func identity(conditions: Conditions) throws {
        let (fixture, type) = try Self.fixture(conditions)
        let account = Account()
        fixture.define("the") { (call) throws(HostError) in
            call.push(account, as: type)
            return .returns
        }
        #expect(
            try fixture.run("local t = {} t[the()] = 1 return the() == the(), t[the()], the() == open()") == [
                true, 1, false,
            ])
        fixture.state.collect()
        #expect(try fixture.run("return the() == the()") == [true])
    }

    @Test("Objects come back from scripts as they went in")
    func values() throws {
        let (fixture, type) = try Self.fixture()
        let account = Account()
        fixture.environment["mine"] = .handle(account, type)
        guard case .handle(let object, let found) = fixture.environment["mine"] else { throw Unexpected() }
        #expect(ObjectIdentifier(object) == ObjectIdentifier(account))
        #expect(found == type)
    }

    /// A fixture whose function `make` makes objects, and how many of these are alive.
    private static func countingFixture() throws -> (LuaFixture, Life.Count) {
        let (fixture, type) = try Self.fixture()
        let count = Life.Count()
        fixture.define("make") { (call) throws(HostError) in
            call.push(Life(count), as: type)
            return .returns
        }
        return (fixture, count)
    }

    @Test("Objects are let go when scripts have forgotten them")
    func release() throws {
        let (fixture, count) = try Self.countingFixture()
        _ = try fixture.run("for _ = 1, 100 do make() end kept = make()")
        fixture.state.collect()
        #expect(count.value == 1)
        _ = try fixture.run("kept = nil")
        fixture.state.collect()
        #expect(count.value == 0)
        #expect(fixture.state.handles.liveCount == 0)
        // Indices are used again; old and new handles do not mix.
        _ = try fixture.run("a = open():deposit(1) b = open():deposit(2)")
        #expect(try fixture.run("return a.balance, b.balance") == [1, 2])
    }

    @Test("Objects of scripts that have ended are let go without a collection, and their handles are of no object then")
    func releaseHeld() throws {
        let (fixture, count) = try Self.countingFixture()
        _ = try fixture.run("shared = make()")
        fixture.state.keepHeldObjects()
        for _ in 0..<3 {
            _ = try fixture.run("kept = make() mine = open():deposit(5)")
            #expect(count.value == 2)
            fixture.state.releaseHeldObjects()
            #expect(count.value == 1)
            #expect(fixture.state.handles.liveCount == 1)
        }
        // The place of an object is used again; what is left of its handle is neither the next object nor ends it.
        _ = try fixture.run("next = open():deposit(7)")
        #expect(throws: LuaError.self) { try fixture.run("return mine.balance") }
        _ = try fixture.run("kept = nil mine = nil")
        fixture.state.collect()
        #expect(try fixture.run("return next.balance") == [7])
        #expect(count.value == 1)
    }

    @Test("What comes to the place of an object that was to stay is let go as all others")
    func releaseInLastingPlace() throws {
        let (fixture, count) = try Self.countingFixture()
        _ = try fixture.run("shared = make()")
        fixture.state.keepHeldObjects()
        _ = try fixture.run("shared = nil")
        fixture.state.collect()
        _ = try fixture.run("kept = make()")
        #expect(count.value == 1)
        fixture.state.releaseHeldObjects()
        #expect(count.value == 0)
    }
}
