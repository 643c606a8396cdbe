-- After hooks run after a failure and after a time-out, and to-be-closed variables are closed.
after_each(function() print "torn down" end)

local function resource(name)
    return setmetatable({}, { __close = function() print("closed " .. name) end })
end

scenario("after a failure", function()
    local file <close> = resource "file"
    expect(1, 2)
end)

scenario("after a time-out", { timeout = "1s" }, function()
    local file <close> = resource "file"
    wait "2s"
end)

scenario("after a failed check", function() check(1, 2) end)

group("a hook that fails", function()
    before_each(function() expect(1, 2) end)
    scenario("keeps the body from running", function() print "never runs" end)
end)
