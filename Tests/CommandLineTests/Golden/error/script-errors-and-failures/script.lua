-- An error beside a failure, a skip and a pass: four outcomes, and the error decides the exit code.
scenario("passes", function() end)
scenario("fails", function() expect(1, 2) end)
scenario("errs", function() error "broken" end)
scenario("is skipped", { skip = true }, function() end)
