import JSON
import LuaRuntime
import Testing

@Suite("Limits")
struct LimitTests {
    static let few = LuaLimits(instructionsPerResume: 200_000, instructionsTotal: 1_000_000)

    @Test(
        "A script that does not end is stopped, wherever it loops",
        arguments: [
            "while true do end",
            "pcall(function() while true do end end) note 'alive'",
            "while true do pcall(function() while true do end end) end",
            "xpcall(function() while true do end end, function() while true do end end) note 'alive'",
            "local c = coroutine.wrap(function() while true do end end) pcall(c) note 'alive'",
            "local c = coroutine.create(function() while true do end end) coroutine.resume(c) note 'alive'",
            "while true do coroutine.wrap(function() local x = 1 end)() end",
            "table.sort({3, 2, 1}, function() while true do end end) note 'alive'",
            "pcall(table.sort, {3, 2, 1}, function() while true do end end) note 'alive'",
            "('x'):gsub('x', function() while true do end end)",
            "pcall(string.gsub, 'x', 'x', function() while true do end end) note 'alive'",
            "local t = setmetatable({}, {__index = function() while true do end end}) return t.x",
            "local t <close> = setmetatable({}, {__close = function() while true do end end})",
            "load(function() while true do end end) note 'alive'",
            "goto a ::b:: goto a ::a:: goto b",
            "local function f() return f() end f()",
            "for _ = 1, 100 do pcall(coroutine.wrap(function() pcall(function() while true do end end) end)) end",
            "while true do pairs({}) end",
            "local a = ('a'):rep(200) while true do a:find(('a*'):rep(20) .. 'b') end",
        ])
    func runaway(source: String) throws {
        let fixture = try LuaFixture(limits: Self.few)
        let error = try fixture.failure(source)
        #expect(error.kind == .instructions, "\(error)")
        #expect(error.message.contains("200000 instructions"))
        #expect(error.position?.file == "script.lua")
        #expect(fixture.notes.isEmpty, "nothing of the script runs after it was stopped")
        // The state remains of use.
        fixture.environment.instructionsLeft = 1_000_000
        #expect(try fixture.run("return 1 + 1") == [2])
    }

    @Test("Garbage is collected by its share of the heap, or by an amount that is allowed in any case")
    func garbage() throws {
        func peak(_ limits: LuaLimits) throws -> Int {
            let fixture = try LuaFixture(limits: limits)
            fixture.state.collect()
            let least = fixture.state.memoryInUse
            let coroutine = try fixture.start("while true do for i = 1, 1000 do local t = { i } end wait() end")
            var peak = 0
            for _ in 0..<400 {
                guard case .suspended = fixture.state.resume(coroutine) else { break }
                peak = max(peak, fixture.state.memoryInUse - least)
            }
            return peak
        }
        let few = LuaLimits(instructionsTotal: nil, collectionThreshold: 200)
        let many = LuaLimits(instructionsTotal: nil, collectionThreshold: 200, garbageBytes: 4 * 1_048_576)
        let (small, large) = (try peak(few), try peak(many))
        // Lua lets a heap grow tenfold at most, whatever is allowed.
        #expect(small < 1_000_000 && large > 3 * small && large < 5 * 1_048_576, "\(small) and \(large) bytes")
    }

    @Test("The budget starts anew at each wait")
    func perResume() throws {
        let fixture = try LuaFixture(limits: LuaLimits(instructionsPerResume: 200_000, instructionsTotal: nil))
        #expect(try fixture.run("for _ = 1, 20 do for _ = 1, 20000 do end wait() end return 'done'") == ["done"])
    }

    @Test("The total ends a script that waits in between, and can be raised for a teardown")
    func total() throws {
        let fixture = try LuaFixture(limits: LuaLimits(instructionsPerResume: 400_000, instructionsTotal: 1_000_000))
        let error = try fixture.failure("while true do for _ = 1, 100000 do end wait() end")
        #expect(error.kind == .instructions)
        #expect(error.message.hasSuffix("1000000 instructions in total: let it do less"), "\(error)")
        #expect(try fixture.failure("for _ = 1, 10000 do end").kind == .instructions)
        fixture.environment.instructionsLeft = 100_000
        #expect(try fixture.run("for _ = 1, 10000 do end return 1") == [1])
    }

    @Test("Each environment has its own total")
    func totalPerEnvironment() throws {
        let fixture = try LuaFixture(limits: Self.few)
        fixture.environment.instructionsLeft = 0
        let other = try fixture.state.makeEnvironment()
        let main = try fixture.state.load("for _ = 1, 10000 do end return 1", name: "@o.lua", in: other)
        #expect(try fixture.state.call(main).first?.json() == 1)
        #expect(other.instructionsLeft < 1_000_000)
    }

    @Test("Without limits nothing is counted")
    func uncounted() throws {
        let fixture = try LuaFixture(limits: .uncounted)
        #expect(try fixture.run("local n = 0 for _ = 1, 3000000 do n = n + 1 end return n") == [3_000_000])
        #expect(fixture.environment.instructionsLeft == .max)
    }

    @Test(
        "A search that would take for ever is given up, counted or not",
        arguments: [LuaLimits.uncounted, LuaLimits.standard])
    func patternBomb(limits: LuaLimits) throws {
        let fixture = try LuaFixture(limits: limits)
        for call in ["find", "match", "gsub", "gmatch"] {
            let suffix = call == "gsub" ? ", ''" : ""
            let source =
                "local s = ('a'):rep(3000) local f = string.\(call)(s, ('a-'):rep(30) .. 'b'\(suffix)) "
                + (call == "gmatch" ? "f()" : "")
            #expect(throws: LuaError.self) { try fixture.run(source) }
        }
    }

    @Test("Comparing a long capture again and again counts, however many steps one comparison is")
    func longCapture() throws {
        let fixture = try LuaFixture(limits: LuaLimits(instructionsPerResume: 3_000_000, instructionsTotal: 10_000_000))
        // Each attempt takes 1,024 steps, of which 1,022 at once: none of them ends on a multiple of 1,024.
        let error = try fixture.failure(
            """
            local held = ('a'):rep(1021 * 1024 + 499) .. 'b'
            return string.match(held .. ('a'):rep(#held + 3000), '^(a*b)a-%1')
            """)
        #expect(error.kind == .instructions)
    }

    @Test(
        "Loops in C that a script can lengthen are bounded",
        arguments: [
            "table.insert(setmetatable({}, {__len = function() return 1 << 53 end}), 1, 0)",
            "table.remove(setmetatable({}, {__len = function() return 1 << 53 end}), 1)",
            "table.move({}, 1, 1 << 53, 2)",
            "table.move({}, math.mininteger, math.maxinteger, 2)",
            "table.concat({}, '', 1, 1 << 60)",
            "table.sort(setmetatable({}, {__len = function() return 1 << 30 end, __index = rawlen}))",
            "table.unpack({}, 1, 1 << 30)",
            "('x'):rep(1 << 40)", "('xx'):rep(1 << 62, 'y')", "string.rep('', 1 << 62, 'z')",
        ])
    func loopsInC(source: String) throws {
        #expect(try LuaFixture(limits: .uncounted).failure(source).kind == .runtime)
    }

    @Test("An empty string is repeated without a loop")
    func emptyRepetition() throws {
        #expect(try LuaFixture().run("return (''):rep(1 << 62)") == [""])
    }

    @Test(
        "The memory limit ends as an error that a script can catch",
        arguments: [
            "local s = 'x' while true do s = s .. s end",
            "local t = {} for i = 1, math.huge do t[i] = {} end",
            "local t = {} for i = 1, math.huge do t[i] = ('x'):rep(10000) .. i end",
            "local t = {} for i = 1, math.huge do t[i] = coroutine.create(function() end) end",
            "local t = {} for i = 1, math.huge do t[i] = big() end",
        ])
    func memory(source: String) throws {
        var limits = LuaLimits.standard
        limits.memoryBytes = 2_000_000
        let fixture = try LuaFixture(limits: limits)
        fixture.define("big") { (call) throws(HostError) in
            call.push(String(repeating: "y", count: 100_000))
            return .returns
        }
        let error = try fixture.failure(source)
        #expect(error.kind == .memory, "\(error)")
        #expect(error.message.hasPrefix("memory limit of 2 MB exceeded"))
        let caught = try fixture.run("local ok, e = pcall(function() \(source) end) return ok, e")
        #expect(caught[0] == false)
        #expect(caught[1].string?.hasPrefix("memory limit of 2 MB exceeded") == true)
        #expect(fixture.state.memoryInUse < 2_500_000)
        #expect(try fixture.run("return 'alive'") == ["alive"])
    }

    @Test("Threads of a script that has filled its memory with them are closed without a collection for each")
    func closingWithoutMemory() throws {
        let limit = 2_000_000
        let fixture = try LuaFixture(limits: LuaLimits(memoryBytes: limit))
        let function = try fixture.state.load("wait()", name: "@script.lua", in: fixture.environment)
        var coroutines: [LuaCoroutine] = []
        func fill() throws {
            while fixture.state.memoryInUse < limit { coroutines.append(try fixture.state.spawn(function)) }
        }
        try fill()
        fixture.state.collect()
        try fill()
        let full = fixture.state.memoryInUse
        for coroutine in coroutines.prefix(100) { fixture.state.cancel(coroutine) }
        // Each has let go of what of its stack it has no use for any more. One that cannot has collected in vain.
        #expect(fixture.state.memoryInUse < full - 20_000, "\(full - fixture.state.memoryInUse)")
    }

    @Test("A host function may exceed the memory limit for the moment; the error follows it")
    func memoryInHost() throws {
        var limits = LuaLimits.standard
        limits.memoryBytes = 1_000_000
        let fixture = try LuaFixture(limits: limits)
        let count = Life.Count()
        fixture.define("huge") { (call) throws(HostError) in
            let life = Life(count)
            call.push([UInt8](repeating: 65, count: 5_000_000))
            withExtendedLifetime(life) {}
            return .returns
        }
        #expect(try fixture.failure("huge()").kind == .memory)
        #expect(try fixture.run("return (pcall(huge))") == [false])
        #expect(count.value == 0)
    }

    @Test("Calls that nest without end are an error")
    func nesting() throws {
        let fixture = try LuaFixture()
        // Which of the two limits comes first depends on the memory that a call takes.
        let deep = try fixture.failure("local function f() return 1 + f() end f()")
        #expect(deep.kind == .memory || deep.message.contains("stack overflow"))
        #expect(
            try fixture.failure("local t = {} t.__index = function(t, k) return t[k] end setmetatable(t, t) return t.x")
                .message.contains("stack overflow"))
        fixture.define("again", parameters: ["function"]) { (call) throws(HostError) in
            do { try call.state.call(try call.function(1)) } catch let error as LuaError {
                throw HostError(error)
            } catch {
                throw HostError("unexpected", kind: "error")
            }
            return .returns
        }
        #expect(try fixture.failure("local function f() again(f) end f()").message.contains("overflow"))
    }

    @Test("A script whose stack is full can be resumed and called back")
    func fullStack() throws {
        let fixture = try LuaFixture(limits: LuaLimits(memoryBytes: nil))
        fixture.define("many") { (call) throws(HostError) in
            for number in 0..<100 { call.push(Int64(number)) }
            return .returns
        }
        let deep =
            "local function f(n) if n > 0 then return 1 + f(n - 1) end return %@ end local best = 0 "
            + "for n = 150000, 400000, 25000 do if not pcall(f, n) then break end best = n end return best > 0"
        for action in ["select('#', wait())", "select('#', many())", "#tostring({})"] {
            let source = deep.split(separator: "%@", maxSplits: 1).joined(separator: action)
            let coroutine = try fixture.start(source)
            var outcome = fixture.state.resume(coroutine)
            while case .suspended = outcome {
                outcome = fixture.state.resume(coroutine, with: .success(.integer(1)))
            }
            guard case .finished = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }
}
