-- The Test Anything Protocol on standard output.
scenario("passes", function() log.info "well" end)
scenario("is off", { skip = "until May # no, June" }, function() end)
scenario("is known", { expected_failure = "bug 7" }, function() expect(1, 2) end)
scenario("comes late", { retries = 9 }, function() expect(random.integer(1, 3), 1) end)
