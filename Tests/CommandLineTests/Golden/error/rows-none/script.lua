scenario("never played", { rows = {} }, function() end)
