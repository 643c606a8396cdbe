scenario("greeting", function() end)
group("a group", function() scenario("greeting", function() end) end)
scenario("greeting", function() end)
