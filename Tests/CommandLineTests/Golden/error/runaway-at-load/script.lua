scenario("declared", function() end)
while true do end
