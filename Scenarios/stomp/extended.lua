-- A chat over STOMP with options of its own: a system that extends "stomp", and gives its `connect` what all of its
-- clients have.
local stomp = require "stomp"
local connect = stomp.commands.connect

local Shop = system { extends = stomp, name = "shop", title = "Shop chat", client = "visitor" }
Shop.commands.connect = { parameters = { "settings: table?" }, function(me, settings)
    return connect(me, settings or { destination = "/topic/shop" })
end }

scenario("clients of an extended chat have the options that it gives them", { tags = { "stomp" } }, function(t)
    local peer, ada = t:server(Shop):peer "Sam", t:actor(Shop)
    ada:connect()
    ada:say "Hello"
    peer:expect("message", { text = "Hello", destination = "/topic/shop" })
    ada:expect("message_sent", { text = "Hello" })
end)

scenario("what an actor is given goes before what its system gives", { tags = { "stomp" } }, function(t)
    local peer, bea = t:server(Shop):peer "Sam", t:actor(Shop, { destination = "/topic/orders" })
    bea:connect()
    bea:say "Hello"
    peer:expect("message", { text = "Hello", destination = "/topic/orders" })
    bea:expect "message_sent"
end)

scenario("an option that there is not is refused", { tags = { "stomp", "mistakes" } }, function(t)
    t:server(Shop)
    local ada = t:actor(Shop)
    local done, why = pcall(ada.connect, ada, { destinaton = "/topic/shop" })
    expect({ done, tostring(why) }, { false, match.contains 'connect takes no option "destinaton"' })
end)

scenario("an option of another type is refused", { tags = { "stomp", "mistakes" } }, function(t)
    t:server(Shop)
    local ada = t:actor(Shop)
    local done, why = pcall(ada.connect, ada, { heartbeat = "5s" })
    expect({ done, tostring(why) }, { false, match.contains 'option "heartbeat" as a number of seconds, and not 5s' })
end)
