-- A scenario that passes when it is tried again: it is flaky, and the seed of each try is told.
scenario("comes late", { retries = 9 }, function() expect(random.integer(1, 3), 1) end)
scenario("passes at once", function() end)
