import JSON
import LuaRuntime
import Testing

@Suite("Patterns of strings")
struct PatternTests {
    @Test(
        "Searches find what the reference manual says",
        arguments: [
            ("('hello world'):find('o w')", [5, 7]), ("('hello'):find('l+')", [3, 4]), ("('hello'):find('')", [1, 0]),
            ("('hello'):find('', 10)", [.null]), ("('a.b'):find('.', 1, true)", [2, 2]),
            ("('a+b'):find('+', 1, true)", [2, 2]),
            ("('abc'):find('b', -1)", [.null]), ("('abc'):find('b', -2)", [2, 2]),
            ("('key = value'):match('^(%w+)%s*=%s*(%w+)$')", ["key", "value"]),
            ("('2026-11-21'):match('(%d+)-(%d+)-(%d+)')", ["2026", "11", "21"]), ("('abc'):match('()b()')", [2, 3]),
            ("('THE (quick) fox'):find('%((%a+)%)')", [5, 11, "quick"]), ("('f(a(b)c)d'):match('%b()')", ["(a(b)c)"]),
            ("('THE (quick) fox'):gsub('%f[%a]%a+', 'W')", ["W (W) W", 3]),
            ("('hello world'):gsub('o', '0', 1)", ["hell0 world", 1]),
            ("('abc'):gsub('', '-')", ["-a-b-c-", 4]), ("('abc'):gsub('%w', '%0%0')", ["aabbcc", 3]),
            ("('hello'):gsub('(l)(l)', '%2-%1')", ["hel-lo", 1]),
            ("('$a $b'):gsub('%$(%w+)', { a = 'x' })", ["x $b", 2]),
            ("('abc'):gsub('.', function(c) if c == 'b' then return 1.5 end end)", ["a1.5c", 3]),
            ("('aaa'):gsub('^a', 'b')", ["baa", 1]), ("('[]'):match('[]]')", ["]"]),
            ("('a-z'):match('[a%-z]+')", ["a-z"]),
            ("('x^'):match('[%^x]+')", ["x^"]), ("('abc123'):match('[^%d]+')", ["abc"]), ("('aXb'):match('%u')", ["X"]),
            ("('\"q\" q'):match('([\"q]).-%1')", ["\""]), ("('a\\0b'):match('%z')", [.null]),
            ("('a\\0b'):find('\\0')", [2, 2]),
            ("('aaab'):match('a-b')", ["aaab"]), ("('colour color'):gsub('colou?r', 'x')", ["x x", 2]),
            ("(' trim '):match('^%s*(.-)%s*$')", ["trim"]),
            ("('x'):match('x$')", ["x"]), ("('x$y'):match('x$y')", ["x$y"]),
            ("('a,b,,c'):gsub('[^,]*', '<%0>')", ["<a>,<b>,<>,<c>", 4]),
        ] as [(String, [JSONValue])])
    func searches(expression: String, expected: [JSONValue]) throws {
        #expect(try LuaFixture().run("return \(expression)") == expected)
    }

    @Test("gmatch goes through all matches")
    func gmatch() throws {
        #expect(
            try LuaFixture().run(
                "local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end return t") == [
                    ["a1", "b2"]
                ])
        #expect(try LuaFixture().run("local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end return n") == [4])
        #expect(
            try LuaFixture().run("local t = {} for w in ('one two'):gmatch('%a+', 4) do t[#t + 1] = w end return t")
                == [
                    ["two"]
                ])
    }

    @Test(
        "Malformed patterns are errors",
        arguments: [
            "('x'):find('[a')", "('x'):find('%')", "('x'):find('(')", "('x'):match(')')", "('x'):find('%1')",
            "('x'):find('%b')",
            "('x'):find('%f')", "('x'):gsub('x', '%2')", "('x'):gsub('x', '%')", "('x'):gsub('x', {x = {}})",
            "('x'):gsub('x')", "('x'):find('[%')", "('x'):rep(50):find(('(x'):rep(40))",
            "('x'):rep(10):match(('x?'):rep(1000) .. '(((')",
        ])
    func malformed(expression: String) throws {
        let error = try LuaFixture().failure("return \(expression)")
        #expect(error.kind == .runtime)
    }

    @Test("Random patterns on random texts end, with a result or an error")
    func random() throws {
        let fixture = try LuaFixture()
        let results = try fixture.run(
            """
            local bits = { 'a', 'b', '.', '%a', '%d', '*', '+', '-', '?', '(', ')', '[', ']', '^', '$', '%', '%b', '%f', '()', '%1', 'ab', '\\0' }
            local done = 0
            for _ = 1, 5000 do
                local p, s = {}, {}
                for i = 1, math.random(8) do p[i] = bits[math.random(#bits)] end
                for i = 1, math.random(12) do s[i] = ('ab1 (\\0'):sub(math.random(6)):sub(1, 1) end
                p, s = table.concat(p), table.concat(s)
                pcall(string.find, s, p)
                pcall(string.gsub, s, p, '%0')
                pcall(function() for _ in s:gmatch(p) do end end)
                done = done + 1
            end
            return done
            """)
        #expect(results == [5000])
    }
}
