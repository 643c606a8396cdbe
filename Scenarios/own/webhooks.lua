-- A platform for bots: what visitors write goes to a bot by a webhook, an HTTP request of the platform's own, and what
-- the bot answers goes back to them. Here an HTTP server that the scenarios play is the bot; the URL of a real one does
-- as well.
local http = require "http"

local S = system {
    name = "bot_platform", title = "Bot platform", client = "visitor",
    server_options = { webhook = "string", key = "string?" },
    events = { message = { text = "string" }, message_sent = { text = "string" } }, noise = { "message_sent" },
}

-- The client ----------------------------------------------------------------------------------------------------------

function S.commands.connect(me)
    me.link = me:open { path = "/chat" }
    me:wait "open"
end
S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
function S.on.text(me, text)
    local sent = text:match "^ok (.*)$"
    if sent then me:emit("message_sent", { text = sent }) else me:emit("message", { text = text }) end
end

-- The simulated server ------------------------------------------------------------------------------------------------

-- A handler may wait for the bot: the others go on meanwhile.
function S.server.text(desk, client, text)
    client:send("ok " .. text)
    local body = json.encode { visitor = client.number, text = text }
    local answer = desk:request {
        url = desk.options.webhook, timeout = "5s", body = body,
        headers = {
            ["Content-Type"] = "application/json",
            ["X-Signature"] = hmac.sha256(desk.options.key or "secret", body, "hex"),
        },
    }
    client:send(answer.ok and answer.json.text or "The bot does not answer.")
end

-- Scenarios -----------------------------------------------------------------------------------------------------------

local function stage(t)
    local hooks = t:server(http, { callback = true })
    t:server(S, { webhook = hooks.url .. "/hook", key = "k" })
    local ada = t:actor(S, { name = "ada" })
    ada:connect()
    return hooks:peer "bot", ada
end

scenario("a bot answers by its webhook", function(t)
    local bot, ada = stage(t)
    ada:say "Where is my order?"
    local request = bot:expect("request", {
        method = "POST", path = "/hook", json = { visitor = 1, text = "Where is my order?" },
    })
    expect(request.headers["x-signature"], hmac.sha256("k", request.body, "hex"))
    -- Requests need not be expected, so it is said that there is only this one.
    bot:never "request"
    bot:respond { json = { text = "On its way." } }
    ada:expect("message", { text = "On its way." })
end)

scenario("two questions are asked at once, and answered as the bot likes", function(t)
    local bot, ada = stage(t)
    ada:say "One"
    ada:say "Two"
    local one = bot:expect("request", { json = { text = "One" } })
    local two = bot:expect("request", { json = { text = "Two" } })
    bot:respond({ json = { text = "Second" } }, two.request)
    ada:expect("message", { text = "Second" })
    bot:respond({ json = { text = "First" } }, one.request)
    ada:expect("message", { text = "First" })
end)

scenario("a bot that fails, hangs up or is silent is told to the visitor", {
    rows = { { does = "fails" }, { does = "hangs up" }, { does = "is silent" } },
}, function(t, row)
    local bot, ada = stage(t)
    ada:say "Hello?"
    bot:expect "request"
    if row.does == "fails" then bot:respond { status = 500 } elseif row.does == "hangs up" then bot:drop() end
    ada:expect("message", { text = "The bot does not answer." })
    if row.does == "is silent" then bot:expect "abandoned" end
end)
