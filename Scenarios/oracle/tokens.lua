-- Tokens of a channel with authentication; what becomes of bad ones stands in connection.lua as well.
local oracle = require "oracle"

scenario("a channel with authentication takes the token of the application", {
    tags = { "smoke", "token" },
}, function(t)
    local desk = t:server(oracle, { authentication = true, echo = true })
    local user = t:actor(oracle, {
        user_id = "ada", token_provider = function() return desk:make_token { userId = "ada" } end,
    })
    user:connect()
    user:expect("connected", { user_id = "ada" })
    user:say "It is me"
    user:expect("message", { text = "It is me" })
end)

scenario("a token may go in the header of the handshake", { tags = { "token" } }, function(t)
    t:server(oracle, { authentication = true, echo = true })
    local user = t:actor(oracle, { user_id = "ada", token_fixture = {}, auth_transport = "header" })
    user:connect()
    user:expect "connected"
    user:say "It is me"
    user:expect("message", { text = "It is me" })
end)
