-- A hook with an error is an error, and the other hooks run.
after_each(function() print "torn down" end)

group("an after hook that fails", function()
    after_each(function() no_such_function() end)
    scenario("is an error and the others run", function() print "body" end)
end)
