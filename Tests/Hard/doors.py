"""Scripts that must not pass, and scripts that must not go on for ever."""

from concurrent.futures import ThreadPoolExecutor

from tool import Folder

# What must not pass, by the exit code that it has: 1 a failure, 3 an error of the script.
FALSE_PASSES = [
    ("a function that is compared", "expect(print, 1)", 3),
    ("a function within a table that is compared", "expect({ a = now }, { a = 1 })", 3),
    ("a check of a function", "check(now)", 3),
    ("a misspelt constant", 'connected(t):expect("frame", { text = EXPECTED_TXET })', 3),
    ("a misspelt global that is called", "exepct(1, 2)", 3),
    ("a misspelt member of a library", "expect({ a = 1 }, { a = match.intger })", 3),
    ("a silence of no time", "connected(t):expect_silence '0s'", 3),
    ("a text that contains nothing", 'expect("x", match.contains "")', 3),
    ("a thread that fails", "spawn(function() wait '1s' expect(1, 2) end)", 1),
    ("a thread that never began", "spawn(function() error 'boom' end)", 3),
    ("a thread that does not end", "spawn(function() while true do wait '1s' end end)", 1),
    ("a failure within pcall", "pcall(function() t:fail 'no' end)", 1),
    ("an expectation within pcall", "pcall(expect, 1, 2)", 1),
    ("an expectation within xpcall", "xpcall(function() expect(1, 2) end, function() end)", 1),
    ("an expectation within a coroutine", "coroutine.resume(coroutine.create(function() expect(1, 2) end))", 1),
    ("a failed step within pcall", "pcall(step, 'a', function() expect(1, 2) end)", 1),
    ("a failed thread joined within pcall", "local h = spawn(function() expect(1, 2) end) pcall(join, h)", 1),
    ("a silence that nothing can break", "local s = t:server(websocket) s:peer('peer'):expect_silence '1s'", 3),
    ("never at a peer that hears something", """
        local s = t:server(websocket) s:peer("peer"):never() local c = t:actor(websocket)
        c:connect() c:expect "connected" c:send "x" wait "1s\"""", 1),
    ("silence of a peer by another name", """
        local s = t:server(websocket) local bot = s:peer "bot" local c = t:actor(websocket)
        c:connect() c:expect "connected" spawn(function() c:send "x" end) bot:expect_silence("1s", "frame")""", 1),
    ("a condition and a text", 'expect(1 < 2, "open")', 1),
    ("is_not of what is not there", "expect({ a = 1 }, { a = 1, b = match.is_not 'x' })", 1),
    ("a day that there is not", 'date.epoch "2026-02-31"', 3),
    ("a misspelt class of characters", 'expect("a", match.regex "[[:alhpa:]]")', 3),
    ("a misspelt option", "t:actor(websocket, { pth = '/' })", 3),
    ("a misspelt event", "connected(t):expect 'fraem'", 3),
    ("a misspelt field", "connected(t):expect('frame', { txet = 'a' })", 3),
    ("an event that nobody expected", "local c = connected(t) c:send 'x' wait '1s'", 1),
    ("an event that cannot come any more", "local c = connected(t) c:close() c:expect('frame', {}, { within = '1h' })", 1),
    ("nothing that was asserted, where that is forbidden", "wait '1s'", 1),
]

# Runs of which nothing is left that could have failed: what they are, the script, the command, the exit code.
EMPTY_RUNS = [
    ("a filter that matches nothing", 'scenario("a", function() expect(1, 1) end)', "test a.lua --filter b", 5),
    ("a tag that nothing has", 'scenario("a", function() expect(1, 1) end)', "test a.lua --tag b", 5),
    ("a file without a scenario", "local nothing", "test a.lua", 5),
    ("everything is skipped", 'scenario("a", function(t) t:skip "no" end)', "test a.lua", 5),
    ("a function that fails after the scenario passed", """
        scenario("a", function(t) t:defer(function() expect(1, 2) end) expect(1, 1) end)""", "test a.lua", 1),
    ("a run that ends before a load user does", """
        workload { executor = "shared_iterations", users = 1, iterations = 1, max_duration = "1s", graceful_stop = "0s" }
        scenario("a", function() wait "1h" expect(1, 1) end)""", "load a.lua --clock virtual", 1),
    ("a threshold that has no sample", """
        workload { executor = "shared_iterations", users = 1, iterations = 1, thresholds = { "p95(orders) < 1s" } }
        scenario("a", function() if now() > 1 then metric.time("orders", 1) end expect(1, 1) end)""",
     "load a.lua --clock virtual", 1),
    ("a load user who fails", """
        workload { executor = "shared_iterations", users = 1, iterations = 1, thresholds = { "rate(failures) == 0" } }
        scenario("a", function() expect(1, 2) end)""", "load a.lua --clock virtual", 1),
    ("a load test without a workload's scenario", "workload { users = 1, duration = '1s' }", "load a.lua", 3),
]

# What must come to an end, whatever it does, by itself or by the limits.
HANGS = [
    ("a handler of xpcall", "while true do xpcall(error, function() while true do end end) end"),
    ("handlers in handlers", """
        table.sort({ 2, 1 }, function() xpcall(function() while true do end end, function() while true do end end) end)"""),
    ("reversing 16 MB", "local s = ('x'):rep(16000000) while true do s:reverse() end"),
    ("upper case of 16 MB", "local s = ('x'):rep(16000000) while true do s:upper() end"),
    ("sub of 16 MB", "local s = ('x'):rep(16000000) while true do s:sub(2) end"),
    ("utf8.len of 16 MB", "local s = ('x'):rep(16000000) while true do utf8.len(s) end"),
    ("comparing 16 MB", "local a = ('x'):rep(16000000) local b = a .. 'y' while true do local _ = a < b end"),
    ("tonumber of 16 MB", "local s = ('1'):rep(16000000) while true do tonumber(s) end"),
    ("format of many", "local s = ('x'):rep(1000000) while true do ('%s%s%s%s%s'):format(s, s, s, s, s) end"),
    ("keys that collide", "local t, x = {}, 1.0 for i = 1, 4000000 do t[x] = 1 x = x + 0x1p-52 end"),
    ("JSON of many values", "local l = {} for i = 1, 300000 do l[i] = i end while true do json.decode(json.encode(l)) end"),
    ("fuzzy matching", "local s = ('ab'):rep(5000) while true do check(s:reverse(), match.fuzzy(s, 0.01)) end"),
    ("shuffling", "local l = {} for i = 1, 300000 do l[i] = i end while true do random.shuffle(l) end"),
    ("waiting for no time", "while true do wait(0) end"),
    ("waiting for nearly no time", "while true do wait(1e-9) end"),
    ("tail calls with growing arguments", "local function f(...) return f(1, ...) end f()"),
    ("a pattern that goes back", "while true do (('a'):rep(30000)):find(('a*'):rep(30) .. 'b') end"),
    ("an expression that goes back", "while true do check(('a'):rep(20000), match.is_not(match.regex '(a*)*(a|a)*b')) end"),
    ("an expression of nothings", "expect('a', match.regex '((((){2000}){2000}){2000}){2000}')"),
    ("an expression that nests", "expect('a', match.regex(('['):rep(500000)))"),
    ("many log lines", "for i = 1, 1000 do print(('x'):rep(1.5e7)) end"),
    ("much that is sent", "local c = connected(t) for i = 1, 1e6 do c:send(('x'):rep(1000)) end"),
    ("many letters", "for i = 1, 1e6 do mailbox.send('m', ('x'):rep(1e5)) end"),
    ("many soft failures", "for i = 1, 1e6 do check(1, 2) end"),
    ("many threads", "for i = 1, 40000 do spawn(function() wait '1h' end) end"),
    ("many actors", "for i = 1, 5000 do t:actor(websocket) end"),
]

PROJECT = """
return { limits = { busy = "4s", held_memory = 32, scenario = "1m", expectation = "5s" } }
"""

SCRIPT = """
local websocket = require "websocket"
local function connected(t)
    t:server(websocket, { echo = true })
    local c = t:actor(websocket)
    c:connect()
    c:expect "connected"
    return c
end
scenario("door", function(t)
%s
end)
"""

# The limit of a hang: twice `busy`, what starting takes, and much more on a machine that is busy itself.
LONGEST = 60


def passes(tool, door):
    """Whether something passes that must not; the output if so."""
    name, body, code = door
    with Folder({"repartee.lua": PROJECT, "a.lua": SCRIPT % body}) as folder:
        options = ["--forbid-empty"] if "forbidden" in name else []
        ended = tool.run(["test", "a.lua", "--seed", "1", "--reports", "r", *options], folder.path, LONGEST)
        return None if ended.code == code else f"{name}: exit {ended.code}, not {code}\n{ended.output[-600:]}"


def is_empty(tool, run):
    """Whether a run passes in which nothing could fail; the output if so."""
    name, script, command, code = run
    with Folder({"a.lua": script}) as folder:
        ended = tool.run([*command.split(), "--seed", "1", "--reports", "r"], folder.path, LONGEST)
        return None if ended.code == code else f"{name}: exit {ended.code}, not {code}\n{ended.output[-600:]}"


def hangs(tool, door):
    """Whether something goes on, or takes the process with it; the output if so."""
    name, body = door
    with Folder({"repartee.lua": PROJECT, "a.lua": SCRIPT % body}) as folder:
        ended = tool.run(["test", "a.lua", "--seed", "1", "--reports", "r"], folder.path, LONGEST)
        report = folder.read("r/junit.xml") or b""
        if ended.code is None:
            return f"{name}: still running after {LONGEST} s"
        if ended.has_trapped or ended.code not in (0, 1, 3, 4) or b"<testsuites" not in report:
            return f"{name}: exit {ended.code}\n{ended.output[-600:]}"
        return None


def check(tool, table, watch):
    with ThreadPoolExecutor(2) as pool:
        took = watch()
        open_doors = [problem for problem in pool.map(lambda door: passes(tool, door), FALSE_PASSES) if problem]
        open_doors += [problem for problem in pool.map(lambda run: is_empty(tool, run), EMPTY_RUNS) if problem]
        table.add(
            "doors to a false pass", len(FALSE_PASSES) + len(EMPTY_RUNS), len(open_doors), "open", took=took.seconds)
        took = watch()
        running = [problem for problem in pool.map(lambda door: hangs(tool, door), HANGS) if problem]
        table.add("scripts without an end", len(HANGS), len(running), "hangs", took=took.seconds)
    for problem in open_doors + running:
        table.find(problem)
