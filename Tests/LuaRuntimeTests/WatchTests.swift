import Foundation
import JSON
import LuaRuntime
import Synchronization
import Testing

@Suite("Time in scripts")
struct WatchTests {
    /// Loops of which each turn is one function of C or of the host: no instruction is counted in it.
    private static let loops = [
        "local s = ('x'):rep(16000000) while true do s:upper() end",
        "local s = ('x'):rep(16000000) while true do s:reverse() end",
        "local s = ('x'):rep(16000000) while true do s:sub(2) end",
        "local s = ('x'):rep(16000000) while true do utf8.len(s) end",
        "local s = ('1'):rep(16000000) while true do tonumber(s) end",
        "local s = ('x'):rep(1000000) while true do ('%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s'):format(s,s,s,s,s,s,s,s,s,s,s,s,s,s,s) end",
        "local t = setmetatable({}, { __len = function() return 10000000 end, __index = rawlen }) table.sort(t)",
        "local t = {} for i = 1, 500000 do t[i] = i end while true do echo(t) end",
        "while true do select('#', table.unpack({}, 1, 200000)) end",
        "local s = ('x'):rep(16000000) while true do s:byte(1000000, 1200000) end",
        "local s = ('x'):rep(16000000) while true do utf8.offset(s, 16000000) end",
        "local f = ('%Y'):rep(1000000) while true do os.date(f) end",
    ]

    @Test("A loop of functions in C is paid for by what they work on, and ends with its line", arguments: Self.loops)
    func paid(source: String) throws {
        let fixture = try LuaFixture()
        let error = try fixture.failure(source)
        #expect(error.kind == .instructions, "\(error)")
        #expect(error.message.contains("50000000 instructions"))
        #expect(error.position == LuaPosition(file: "script.lua", line: 1))
    }

    @Test(
        "Another thread stops a script that counts too little for its time",
        arguments: [
            "local a = ('\\0'):rep(16000000) local b = a .. 'x' while true do local _ = a < b end",
            "local a = ('x'):rep(16000000) local b = ('x'):rep(16000000) while true do local _ = a == b end",
            "local function f(...) return f(1, ...) end f()",
            "local t, x = {}, 1.0 for i = 1, 4000000 do t[x] = 1 x = x + 0x1p-52 end",
            "while true do echo(1) end",
            "while true do xpcall(error, function() while true do end end) end",
        ])
    func stopped(source: String) async throws {
        let fixture = try LuaFixture(limits: LuaLimits(instructionsPerResume: .max, instructionsTotal: .max))
        let stopper = Stopper(fixture.state.watch)
        let error = try fixture.failure(source)
        stopper.end()
        #expect(error.kind == .instructions, "\(error)")
        #expect(error.message == "that was long enough")
        #expect(error.position == LuaPosition(file: "script.lua", line: 1))
        // What is stopped is one turn; the next is none of its business.
        #expect(try fixture.run("return 1 + 1") == [2])
    }

    @Test("A cleanup has a time of its own after its script was stopped")
    func cleanup() throws {
        let fixture = try LuaFixture(limits: LuaLimits(instructionsPerResume: .max, instructionsTotal: .max))
        let stopper = Stopper(fixture.state.watch)
        _ = try fixture.failure(
            "local x <close> = setmetatable({}, { __close = function() note 'closed' end }) while true do echo(1) end")
        stopper.end()
        #expect(fixture.notes == ["closed"])
    }

    @Test("Every turn has a number of its own, and there is none between turns")
    func turns() throws {
        let fixture = try LuaFixture()
        var turns: [UInt64?] = []
        fixture.define("look") { [unowned fixture] _ throws(HostError) in
            turns.append(fixture.state.watch.turn)
            return .returns
        }
        #expect(fixture.state.watch.turn == nil)
        _ = try fixture.run("look() look() wait() look()")
        #expect(fixture.state.watch.turn == nil)
        let seen = try #require(turns as? [UInt64])
        #expect(seen.count == 3 && seen[0] == seen[1] && seen[1] < seen[2])
    }

    @Test(
        "A message handler runs when an error comes, and not when its script is stopped",
        arguments: [
            "while true do xpcall(error, function() while true do end end) end",
            "table.sort({2, 1}, function() xpcall(function() while true do end end, function() while true do end end) end)",
            "table.sort({2, 1}, function() xpcall(function() while true do end end, function() note 'alive' end) end)",
            "table.sort({2, 1}, function() xpcall(error, function() while true do end end) end)",
        ])
    func handlers(source: String) throws {
        let fixture = try LuaFixture(limits: LimitTests.few)
        let error = try fixture.failure(source)
        #expect(error.kind == .instructions, "\(error)")
        #expect(error.position?.line == 1)
        #expect(fixture.notes.isEmpty)
        fixture.environment.instructionsLeft = 1_000_000
        #expect(try fixture.run("return xpcall(error, function(m) return m .. '!' end, 'a')") == [false, "a!"])
        #expect(
            try fixture.run("return xpcall(function(...) return ... end, error, 1, nil, 3)") == [true, 1, .null, 3])
    }

    @Test("Long texts cost by what is looked at, not by their length")
    func longTexts() throws {
        let fixture = try LuaFixture()
        // A walk along a text of two megabytes, character by character.
        let walked = try fixture.run(
            """
            local s, n = ('x'):rep(2000000), 0
            for i = 1, 200000 do if s:sub(i, i) == 'x' and s:byte(i) == 120 and s:find('x', i, true) == i then n = n + 1 end end
            return n
            """)
        #expect(walked == [200_000])
    }
}

/// Stops what a state does, over and over, from a thread of its own, until it is told to end.
private final class Stopper: Sendable {
    private let isDone = Atomic(false)

    init(_ watch: LuaWatch) {
        Thread.detachNewThread { [self] in
            var last: UInt64?
            while !self.isDone.load(ordering: .relaxed) {
                usleep(300_000)
                if let turn = watch.turn, turn == last { watch.stop(turn, because: "that was long enough") }
                last = watch.turn
            }
        }
    }

    func end() { self.isDone.store(true, ordering: .relaxed) }
}
