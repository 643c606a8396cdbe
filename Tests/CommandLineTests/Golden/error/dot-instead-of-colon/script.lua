-- A method called with a dot would lose its first argument.
scenario("skip", function(t) t.skip "not today" end)
scenario("fail", function(t) t.fail "never" end)
scenario("allow", function(t) t.allow "typing" end)
