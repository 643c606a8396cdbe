scenario("two of a name", { rows = { { name = "a", n = 1 }, { name = "b", n = 2 }, { name = "a", n = 3 } } }, function() end)
