-- What a run would play.
group("orders", function()
    scenario("is placed", { tags = { "smoke", "orders" } }, function() end)
    scenario("is found", { rows = { { name = "by number" }, { name = "by name" } }, tags = { "orders" } }, function() end)
end)
scenario("is slow", { tags = { "slow" }, retries = 2, expected_failure = "bug 7" }, function() end)
scenario("is off", { skip = "until May" }, function() end)
