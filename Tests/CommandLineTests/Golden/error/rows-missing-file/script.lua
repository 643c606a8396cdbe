scenario("no file", { rows = "orders.csv" }, function() end)
