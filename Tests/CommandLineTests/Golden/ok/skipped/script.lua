-- A skipped scenario is neither passed nor failed.
scenario("by its declaration", { skip = "the desk is being rebuilt" }, function() error "never runs" end)

scenario("by itself", function(t)
    t:skip "no desk today"
    error "never runs"
end)

after_each(function() print "torn down" end)
