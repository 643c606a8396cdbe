scenario("decides by itself", { passes = { at_least = 0.9 } }, function() expect(1, 1) end)
