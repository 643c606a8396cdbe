scenario("too many fields", { rows = "orders.csv" }, function() end)
