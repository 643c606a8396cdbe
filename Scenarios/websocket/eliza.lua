-- A conversation with a bot that we did not write: ELIZA (libchatbot-eliza-perl) behind websocketd.
-- scripts/eliza starts both and plays this against them.
local websocket = require "websocket"

scenario("ELIZA turns everything into a question", { tags = { "eliza" } }, function(t)
    if not env "ELIZA" then t:skip "needs the bot that scripts/eliza starts" end
    local patient = t:actor(websocket)
    patient:connect()
    patient:expect "connected"

    for _, line in ipairs { "I am sad", "My mother hates me", "I dream of electric sheep" } do
        patient:send(line)
        patient:expect("frame", { text = match.where(function(text) return #text > 3 end, "a reply") }, { within = "5s" })
    end
    patient:send "Are you a computer?"
    patient:expect("frame", { text = match.regex ".*(?i:computer|machine|program|you).*" })

    patient:close()
    patient:expect "disconnected"
end)
