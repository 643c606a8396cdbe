-- While somebody works on one scenario.
scenario("in work", { only = true }, function() end)
scenario("at rest", function() error "not played" end)
