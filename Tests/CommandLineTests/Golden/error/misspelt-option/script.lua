scenario("a", { retires = 2 }, function() end)
