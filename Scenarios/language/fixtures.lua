-- Fixtures: what scenarios use is made when it is first asked for, and taken down in reverse, whatever happens.
local websocket = require "websocket"

-- For each scenario that uses it; it may be anything, and may use other fixtures.
fixture("server", function(t) return t:server(websocket, { echo = true }) end)

fixture("visitor", { timeout = "5s" }, function(t)
    t:use "server"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    visitor:expect "connected"
    t:defer(function()
        visitor:close()
        visitor:expect "disconnected"
    end)
    return visitor
end)

-- Once for the file, in an execution of its own; plain data, of which each scenario gets a copy.
fixture("account", { scope = "file" }, function(t)
    local run = t:use "tenant"
    t:defer(function() log.info "the account is deleted" end)
    return { id = random.uuid(), tenant = run.name, orders = { 4711, 4712 } }
end)

-- Once for the whole run.
fixture("tenant", { scope = "run" }, function() return { name = "acme" } end)

before_all(function() return { greeting = "hello" } end)
after_all(function() log.info "all scenarios of the file have been played" end)

scenario("a fixture is made when it is asked for", function(t)
    local visitor = t:use "visitor"
    visitor:send(t.shared.greeting)
    visitor:expect("frame", { text = "hello" })
    -- Asked for again, it is the same.
    expect(rawequal(t:use "visitor", visitor))
end)

scenario("a fixture of the file is a copy of plain data", function(t)
    local account = t:use "account"
    expect(account, { tenant = "acme", id = match.uuid, orders = { 4711, 4712 } })
    table.insert(account.orders, 4713)
end)

scenario("what another scenario did to its copy is not seen", function(t)
    expect(t:use("account").orders, { 4711, 4712 })
end)

group("a group", function()
    before_all(function(t)
        t:defer(function() log.info "the group is done" end)
        return { price = 12.5 }
    end)

    scenario("has what its hooks and those of the file returned", function(t)
        expect(t.shared, { greeting = "hello", price = 12.5 })
    end)
end)

scenario("what is deferred runs last first, after the hooks", function(t)
    local order = {}
    t:defer(function() expect(order, { "second", "first" }) end)
    t:defer(function() table.insert(order, "first") end)
    t:defer(function() table.insert(order, "second") end)
end)
