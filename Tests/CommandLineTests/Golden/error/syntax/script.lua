scenario("never loaded", function(t)
    local visitor = t:actor(
end)
