-- Scripts that would never end, or eat all memory, are stopped.
scenario("a loop", function() while true do end end)

scenario("a loop inside pcall", function()
    while true do pcall(function() while true do end end) end
end)

scenario("memory", function()
    local list = {}
    while true do list[#list + 1] = ("x"):rep(1024 * 1024) .. #list end
end)

scenario("the next one still runs", function() print "well" end)
