-- Each scenario has globals, file locals and libraries of its own.
local counter = 0

local function untouched()
    expect(rawget(_G, "leaked"), nil)
    expect(("x"):rep(3), "xxx")
    expect(string.rep("x", 3), "xxx")
    expect(table.concat({ 1, 2 }, ","), "1,2")
    expect(math.floor(1.5), 1)
    expect(type(match.contains), "function")
end

for round = 1, 2 do
    scenario("round " .. round, function()
        counter = counter + 1
        expect(counter, 1)
        untouched()
        leaked = "from a scenario"
        pcall(function() string.rep = function() return "tampered" end end)
        pcall(function() table.concat = nil end)
        pcall(function() math.floor = nil end)
        pcall(function() match.contains = 1 end)
        pcall(function() getmetatable("").__index = function() return nil end end)
        pcall(function() setmetatable(_G, { __index = function() return "tampered" end }) end)
    end)
end

scenario("round 3", untouched)
