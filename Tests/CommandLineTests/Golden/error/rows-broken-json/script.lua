scenario("no JSON", { rows = "orders.json" }, function() end)
