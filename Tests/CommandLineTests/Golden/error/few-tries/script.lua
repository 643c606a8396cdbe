scenario("cannot pass", { passes = { at_least = 0.9, at_most_tries = 10 } }, function() expect(1, 1) end)
