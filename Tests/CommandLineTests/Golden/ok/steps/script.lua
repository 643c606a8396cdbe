-- Steps name parts of a scenario, return what their body returns, and nest.
scenario("two steps, one inside the other", function()
    local result = step("outer", function()
        wait "1s"
        return step("inner", { timeout = "2s" }, function()
            wait "1s"
            return 42
        end)
    end)
    expect(result, 42)
    expect(now(), match.near(2, 0.001))
end)
