import JSON
import LuaRuntime
import Testing

@Suite("Whether what a function returns goes to a loop")
struct LoopTests {
    /// `read` asks the host whether a loop gets what it returns.
    private static let prelude = """
        local found = {}
        local function read() found[#found + 1] = asked() return nil, "why" end
        local function both() return read() end
        local function one() return (read()) end

        """

    @Test(
        "it does where the loop calls the function itself, or one that returns what it returns",
        arguments: Conditions.allCases,
        [
            ("for _ in read do end", [true]),
            ("for _ in function() return read() end do end", [true]),
            ("for _, _ in function() return both() end do end", [true]),
            ("for i = 1, 2 do for _ in both do end end", [true, true]),
            ("local n = 0 for _ in function() n = n + 1 if n < 3 then return n end return both() end do end", [true]),
            ("coroutine.wrap(function() for _ in both do end end)()", [true]),
            ("for _ in one do end", [false]),
            ("for _ in function() local value, why = both() return value end do end", [false]),
            ("for _ in function() return (select(2, both())) and nil end do end", [false]),
            ("for _ in coroutine.wrap(function() return both() end) do end", [false]),
            ("for _ in ipairs { 1 } do local value, why = both() end", [false]),
            ("for _ in ipairs { 1 } do do local _ = both() end for i = 1, 1 do both() end end", [false, false]),
            ("for _ in ipairs { 1 } do end local value, why = both()", [false]),
            ("for _ in both() or function() end do end", [false]),
            ("for _ = 1, both() or 1 do end", [false]),
            ("while both() do end", [false]),
            ("pcall(both)", [false]),
            ("return both()", [false]),
        ] as [(String, [JSONValue])])
    func loops(conditions: Conditions, use: (String, [JSONValue])) throws {
        let fixture = try LuaFixture(conditions)
        fixture.define("asked") { (call) throws(HostError) in
            call.push(call.returnsToLoop)
            return .returns
        }
        let source = Self.prelude + "local function use() \(use.0) end use() return found"
        #expect(try fixture.run(source) == [.array(use.1)])
    }
}
