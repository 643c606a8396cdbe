scenario("greets", function() end)
