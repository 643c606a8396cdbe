import JSON
import LuaRuntime
import Testing

@Suite("Suspension")
struct SuspensionTests {
    @Test("A host function waits and returns what it is resumed with", arguments: Conditions.allCases)
    func waits(conditions: Conditions) throws {
        let fixture = try LuaFixture(conditions)
        let coroutine = try fixture.start("return wait('x'), wait()")
        guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
        #expect(coroutine.status == .suspended)
        guard case .suspended = fixture.state.resume(coroutine, with: .success(.string("a"))) else {
            throw Unexpected()
        }
        let last = fixture.state.resume(coroutine, with: .success(.json(["k": [1, .null]])))
        guard case .finished(let values) = last else { throw Unexpected() }
        #expect(try values.map { try $0.json() } == ["a", ["k": [1, .null]]])
        #expect(coroutine.status == .ended)
    }

    @Test(
        "Waiting works wherever Lua can suspend", arguments: Conditions.allCases,
        [
            ("return (pcall(wait))", true),
            ("return select(2, pcall(wait))", 7),
            ("return select(2, xpcall(wait, error))", 7),
            ("local c = coroutine.wrap(function() return wait() end) return c()", 7),
            ("local c = coroutine.create(wait) return select(2, coroutine.resume(c))", 7),
            (
                "local c = coroutine.wrap(function() local d = coroutine.wrap(function() return wait() + 1 end)"
                    + " return d() + wait() end) return c()", 15
            ),
            (
                "local c = coroutine.wrap(function() coroutine.yield(wait()) coroutine.yield(wait() + 1) end)"
                    + " return c() + c()", 15
            ),
            (
                "local n = 0 for x in function(_, i) i = (i or 0) + 1 if i < 3 then wait() return i end end do n = n + x end"
                    + " return n", 3
            ),
            ("local t = setmetatable({}, {__index = function() return wait() end}) return t.x", 7),
            ("local t = setmetatable({}, {__add = function() return wait() end}) return t + 1", 7),
            ("local t = setmetatable({}, {__call = wait}) return t()", 7),
            ("local r do local c <close> = setmetatable({}, {__close = function() r = wait() end}) end return r", 7),
            (
                "local n = 0 for k, v in pairs(setmetatable({}, {__pairs = function() return wait and next, {wait()} end}))"
                    + " do n = n + v end return n", 7
            ),
            ("local c = coroutine.wrap(function() local ok, x = pcall(wait) coroutine.yield(x) end) return c()", 7),
        ] as [(String, JSONValue)])
    func places(conditions: Conditions, place: (String, JSONValue)) throws {
        #expect(try LuaFixture(conditions).run(place.0) == [place.1])
    }

    @Test("A fault that ends a wait is raised where the script called", arguments: Conditions.allCases)
    func raises(conditions: Conditions) throws {
        let fixture = try LuaFixture(conditions)
        for source in [
            "local ok, e = pcall(wait) return ok, e.message, e.kind, e.line",
            "local c = coroutine.wrap(function() local ok, e = pcall(wait) return ok, e.message, e.kind, e.line end) return c()",
            "local c = coroutine.create(wait) local ok, e = coroutine.resume(c) return ok, e.message, e.kind, 1",
        ] {
            let coroutine = try fixture.start(source)
            guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
            let outcome = fixture.state.resume(coroutine, with: .failure(HostError("too late", kind: "timeout")))
            guard case .finished(let values) = outcome else { throw Unexpected() }
            #expect(try values.map { try $0.json() } == [false, "too late", "timeout", 1])
        }
    }

    @Test(
        "Where Lua cannot suspend, the error says so and names what is in the way",
        arguments: [
            ("table.sort({3, 2, 1}, function(a, b) wait() return a < b end)", "inside a table.sort comparator"),
            ("('x'):gsub('x', wait)", "inside a string.gsub callback"),
            ("tostring(setmetatable({}, {__tostring = function() wait() return '' end}))", "that tostring calls"),
            ("error((select(2, load(function() wait() end))))", "that load calls"),
            (
                "table.sort({2, 1}, function(a, b) return coroutine.wrap(function() wait() return a < b end)() end)",
                "inside a table.sort comparator"
            ),
            (
                "local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() wait() end})"
                    + " coroutine.yield() end) coroutine.resume(c) error((select(2, coroutine.close(c))))",
                "while a coroutine is being closed"
            ),
            ("require 'm'", "while require loads a module"),
            ("call(function() wait() end)", "inside a function that the engine calls"),
        ])
    func refusals(source: String, place: String) throws {
        let fixture = try LuaFixture()
        fixture.state.moduleSearcher = { (_, _) throws(HostError) in .source("wait()", name: "@m.lua") }
        fixture.define("call") { (call) throws(HostError) in
            do throws(LuaError) { try call.state.call(try! call.function(1)) } catch { throw HostError(error) }
            return .returns
        }
        let error = try fixture.failure(source)
        #expect(error.message.contains("wait cannot wait"), "\(error)")
        #expect(error.message.contains(place), "\(error)")
        #expect(error.fault?.kind == "suspend")
    }

    @Test("A coroutine of the script that waits cannot be resumed or closed by another")
    func foreignResume() throws {
        let fixture = try LuaFixture()
        let waiting = try fixture.start("c = coroutine.create(wait) coroutine.resume(c) return 'done'")
        guard case .suspended = fixture.state.resume(waiting) else { throw Unexpected() }
        #expect(try fixture.failure("coroutine.resume(c, 1)").message.contains("waits in a function of the engine"))
        #expect(try fixture.failure("coroutine.close(c)").message.contains("waits in a function of the engine"))
        guard case .finished = fixture.state.resume(waiting) else { throw Unexpected() }
    }

    @Test("A script cannot resume or close a thread that the engine runs")
    func engineThreads() throws {
        let fixture = try LuaFixture()
        let waiting = try fixture.start("t = coroutine.running() wait() return 'done'")
        guard case .suspended = fixture.state.resume(waiting) else { throw Unexpected() }
        for function in ["resume", "close"] {
            #expect(try fixture.failure("coroutine.\(function)(t)").message.contains("thread that the engine runs"))
        }
        guard case .finished = fixture.state.resume(waiting) else { throw Unexpected() }
    }

    @Test("A script cannot yield to the engine")
    func yieldOutside() throws {
        let fixture = try LuaFixture()
        #expect(try fixture.failure("coroutine.yield(1)").message == "attempt to yield from outside a coroutine")
        #expect(try fixture.run("return coroutine.isyieldable(), (select(2, coroutine.running()))") == [false, true])
        #expect(try fixture.run("return coroutine.wrap(function() return coroutine.isyieldable() end)()") == [true])
    }

    @Test("Coroutines of a script behave as in Lua")
    func userCoroutines() throws {
        let fixture = try LuaFixture()
        let results = try fixture.run(
            """
            local c = coroutine.create(function(a, b)
                local x, y = coroutine.yield(a + b, 'first')
                error({ code = x + y })
            end)
            local r = { coroutine.resume(c, 1, 2) }
            local s = coroutine.status(c)
            local ok, e = coroutine.resume(c, 3, 4)
            local dead, why = coroutine.resume(c)
            return r[1], r[2], r[3], s, ok, e.code, coroutine.status(c), dead, why
            """)
        #expect(
            results == [true, 3, "first", "suspended", false, 7, "dead", false, "cannot resume dead coroutine"])
        #expect(
            try fixture.run("local ok, e = pcall(coroutine.wrap(function() error 'x' end)) return ok, e")
                == [false, "script.lua:1: x"])
    }

    @Test("The environment of the script is known inside its coroutines")
    func identity() throws {
        let fixture = try LuaFixture()
        var seen: [ObjectIdentifier] = []
        fixture.define("who") { (call) throws(HostError) in
            if let environment = call.environment { seen.append(ObjectIdentifier(environment)) }
            return .returns
        }
        let coroutine = try fixture.start("who() coroutine.wrap(function() who() wait() who() end)() who()")
        guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
        _ = fixture.state.resume(coroutine)
        #expect(seen == Array(repeating: ObjectIdentifier(fixture.environment), count: 4))
    }

    @Test("Threads are used again after the end of a coroutine, unless the script got hold of them")
    func pooling() throws {
        let fixture = try LuaFixture()
        _ = try fixture.run("return 1")
        let memory = fixture.state.memoryInUse
        for _ in 0..<1000 { _ = try fixture.run("wait() return 1") }
        fixture.state.collect()
        #expect(fixture.state.memoryInUse < memory + 20_000)
        _ = try fixture.run("held = coroutine.running()")
        #expect(try fixture.run("return held ~= coroutine.running(), coroutine.status(held)") == [true, "dead"])
    }

    @Test("An ended coroutine is not resumed")
    func ended() throws {
        let fixture = try LuaFixture()
        let coroutine = try fixture.start("return 1")
        _ = fixture.state.resume(coroutine)
        guard case .failed(let error) = fixture.state.resume(coroutine) else { throw Unexpected() }
        #expect(error.kind == .closed)
        #expect(error.message == "the coroutine has ended")
    }

    @Test("The engine calls functions of a script and gets their results")
    func calls() throws {
        let fixture = try LuaFixture()
        guard
            case .reference(let add) = try fixture.state.call(
                try fixture.state.load(
                    "return function(a, b) return a + b, { a } end", name: "@f.lua", in: fixture.environment)
            ).first
        else { throw Unexpected() }
        let results = try fixture.state.call(add, [.integer(2), .number(0.5)])
        #expect(try results.map { try $0.json() } == [2.5, [2]])
        let error = try #require(throws: LuaError.self) { try fixture.state.call(add, [.nil, .nil]) }
        #expect(error.position == LuaPosition(file: "f.lua", line: 1))
    }
}

struct Unexpected: Error {}
