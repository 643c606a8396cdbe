-- A time-out in join says for what it waits.
scenario("a function that never returns", { timeout = "1s" }, function()
    local slow = spawn(function() wait "1m" end)
    join(slow)
end)
