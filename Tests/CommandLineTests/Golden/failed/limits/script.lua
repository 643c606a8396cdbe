-- Four time limits; each failure says which one it was and what was pending.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, server:peer "peer"
end

scenario("the default of an expectation", function(t)
    local client = connection(t)
    client:expect "frame"
end)

scenario("an expectation's own", function(t)
    local client = connection(t)
    client:expect("frame", { text = "hello" }, { within = "250ms" })
end)

scenario("a step's", function(t)
    local client = connection(t)
    step("greeting", { timeout = "3s" }, function() client:expect("frame", { text = "hello" }, { within = "1m" }) end)
end)

scenario("the scenario's", { timeout = "4s" }, function(t)
    local client = connection(t)
    local beside = spawn(function() wait "1h" end)
    client:maybe("frame", {}, { within = "1m" })
    join(beside)
end)

scenario("join waits for a thread that never ends", { timeout = "4s" }, function()
    join(spawn(function() wait "1h" end))
end)

group("a hook's", function()
    before_each(function() wait "1h" end)
    scenario("before", function() error "never runs" end)
end)

group("an after hook's", function()
    after_each(function() wait "1h" end)
    scenario("after", function() end)
end)
