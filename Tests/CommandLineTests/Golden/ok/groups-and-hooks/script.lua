-- Hooks run around each scenario: outer before inner, and back.
local trace = {}
local function note(word) return function() trace[#trace + 1] = word end end

before_each(note "file before")
after_each(function()
    trace[#trace + 1] = "file after"
    print(table.concat(trace, ", "))
end)

group("outer", function()
    before_each(note "outer before")
    after_each(note "outer after")

    group("inner", function()
        before_each(note "inner before")
        after_each(note "inner after")
        scenario("deep", function() trace[#trace + 1] = "deep" end)
    end)

    scenario("shallow", function()
        trace[#trace + 1] = "shallow"
        expect(trace, { "file before", "outer before", "shallow" })
    end)
end)

scenario("alone", function(t)
    expect(trace, { "file before" })
    expect(t.name, "alone")
    expect(t.clock, "virtual")
    expect(t.target, "embedded")
end)
