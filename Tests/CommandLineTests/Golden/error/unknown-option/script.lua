scenario("greeting", { tag = { "smoke" }, timeuot = "1s" }, function() end)
