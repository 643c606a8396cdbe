-- A chat over MQTT with options of its own: a system that extends "mqtt", and gives its `connect` what all of its
-- clients have.
local mqtt = require "mqtt"
local connect = mqtt.commands.connect

local Shop = system { extends = mqtt, name = "shop", title = "Shop chat", client = "visitor" }
Shop.commands.connect = { parameters = { "settings: table?" }, function(me, settings)
    return connect(me, settings or { client_id = "ada", topic = "shop", qos = 1 })
end }

scenario("clients of an extended chat have the options that it gives them", { tags = { "mqtt" } }, function(t)
    local peer, ada = t:server(Shop):peer "Sam", t:actor(Shop)
    ada:connect()
    expect(ada.client_id, "ada")
    ada:say "Hello"
    peer:expect("message", { text = "Hello", topic = "shop", qos = 1 })
    ada:expect("message_sent", { text = "Hello" })
end)

scenario("what an actor is given goes before what its system gives", { tags = { "mqtt" } }, function(t)
    local peer, bea = t:server(Shop):peer "Sam", t:actor(Shop, { client_id = "bea" })
    bea:connect()
    expect(bea.client_id, "bea")
    bea:say "Hello"
    peer:expect("message", { text = "Hello", topic = "shop" })
    bea:expect "message_sent"
end)

scenario("an option that there is not is refused", { tags = { "mqtt", "mistakes" } }, function(t)
    t:server(Shop)
    local ada = t:actor(Shop)
    local done, why = pcall(ada.connect, ada, { client = "ada" })
    expect({ done, tostring(why) }, { false, match.contains 'connect takes no option "client"' })
end)

scenario("an option of another type is refused", { tags = { "mqtt", "mistakes" } }, function(t)
    t:server(Shop)
    local ada = t:actor(Shop)
    local cases = { qos = { 1.5, "an integer" }, transport = { "udp", "websocket or tcp" }, will = { 1, "a table" } }
    for name, case in pairs(cases) do
        local done, why = pcall(ada.connect, ada, { [name] = case[1] })
        expect({ done, tostring(why) }, { false, match.contains(('option "%s" as %s, and not'):format(name, case[2])) })
    end
end)
