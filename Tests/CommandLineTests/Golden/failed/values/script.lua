-- expect stops, check collects, assert is a failure and no error.
scenario("expect", function()
    expect({ name = "Ada", age = 36, tags = { "a", "b" } }, { name = "Bob", age = match.between(1, 9), tags = { "a", "c" } })
end)

scenario("expect with a message", function() expect(2 + 2, 5, "arithmetic holds") end)

scenario("checks collect and the rest runs", function(t)
    expect(check(1, 2), false)
    check(false, true, "the second thing")
    check("abc", match.regex "x+")
    expect(check(true), true)
    print "still here"
    t:fail "and this stops it"
end)

scenario("assert", function() assert(1 == 2, "one is not two") end)

scenario("assert without words", function() assert(nil) end)

scenario("exact text is anchored", function() expect("this morning", "this") end)

scenario("a regex is anchored", function() expect("order 12", match.regex "\\d+") end)

scenario("a pattern is anchored", function() expect("order 12", match.pattern "%d+") end)

scenario("fuzzy has a limit", function() expect("Hello World", match.fuzzy("Goodbye Moon", 0.8)) end)

scenario("absent and any", function() expect({ a = 1 }, { a = match.absent, b = match.any }) end)

scenario("a list of the wrong length", function() expect({ 1, 2 }, { 1, 2, 3 }) end)

scenario("a test of the script", function()
    expect(4, match.where(function(number) return number % 2 == 1 end, "an odd number"))
end)
