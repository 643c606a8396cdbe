-- A label that several buttons have says nothing.
local oracle = require "oracle"

scenario("two cards", function(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    desk:say {
        type = "card", layout = "vertical",
        cards = {
            { title = "Margherita", actions = { { type = "postback", label = "Order", postback = { pizza = "m" } } } },
            { title = "Funghi", actions = { { type = "postback", label = "Order", postback = { pizza = "f" } } } },
        },
    }
    user:expect "message"
    user:tap "Order"
end)
