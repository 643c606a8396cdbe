-- A failure inside of steps.
scenario("in the inner one", function()
    step("outer", function()
        step("inner", function() expect("blue", "green") end)
        print "never runs"
    end)
end)
