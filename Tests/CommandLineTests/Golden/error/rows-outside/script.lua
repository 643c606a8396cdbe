scenario("not of the project", { rows = "../../../Golden/error/rows-broken-csv/orders.csv" }, function() end)
