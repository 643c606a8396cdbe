-- A messenger whose bots are called at a webhook and answer by calling the messenger, as those of WhatsApp and Slack:
-- the bot is what is tested. People are clients of the messenger, so rules, transcripts and times to the first answer
-- are about them. Here another simulated server is the bot; `stage` says what puts a real one in its place.
local S = system {
    name = "messenger", title = "Messenger", client = "person",
    options = { number = "string", at = "string?" }, server_options = { secret = "string?" },
    events = {
        message = { text = "string" }, message_sent = { text = "string" }, undelivered = { status = "integer" },
    },
    noise = { "message_sent" },
}

-- People --------------------------------------------------------------------------------------------------------------

function S.commands.connect(me)
    -- Of a messenger that all scenarios share only the address is known.
    local url = me.options.at and me.options.at:gsub("^http", "ws") .. "/phone"
    me.link = me:open { url = url, path = not url and "/phone" or nil, query = { number = me.options.number } }
    me:wait "open"
end
S.commands.say = { sends = "text", function(me, text) me.link:send("text " .. text) end }
function S.commands.forge(me, text) me.link:send("forged " .. text) end
function S.on.text(me, line)
    local kind, text = line:match "^(%a+) (.*)$"
    if kind == "text" then
        me:emit("message", { text = text })
    elseif kind == "sent" then
        me:emit("message_sent", { text = text })
    elseif kind == "undelivered" then
        me:emit("undelivered", { status = tonumber(text) })
    else
        me:emit("error", { code = "protocol", message = "a line of no kind", body = line })
    end
end

-- The messenger -------------------------------------------------------------------------------------------------------

function S.server.started(desk) desk.people = {} end
function S.server.commands.install(desk, url) desk.hook = url end
function S.server.connected(desk, client, request)
    client.person = request.query.number
    desk.people[client.person] = client
end

-- Who wrote may have gone while the bot thought.
local function tell(client, kind, text)
    if not client.is_closing then client:send(kind .. " " .. text) end
end

-- Posts an event to the bot, and once more where that is not accepted.
local function post(desk, client, event, secret)
    local body, answer = json.encode(event), nil
    for _ = 1, 2 do
        answer = desk:request {
            url = desk.hook, path = "/webhook", name = "webhook", timeout = "5s", redirects = 0, body = body,
            headers = {
                ["Content-Type"] = "application/json",
                ["X-Signature"] = hmac.sha256(secret or desk.options.secret or "app", body, "hex"),
            },
        }
        if answer.ok then return end
    end
    tell(client, "undelivered", answer.status or 0)
end

function S.server.text(desk, client, line)
    local kind, text = line:match "^(%a+) (.*)$"
    if not kind then return client:close(1008, "a line of no kind") end
    tell(client, "sent", text)
    local event = { type = "text", from = client.person, text = text }
    post(desk, client, event, kind == "forged" and "somebody else's" or nil)
end

-- The API that the bot calls. It is answered at once; that the text was delivered is posted later.
function S.server.request(desk, request)
    if request.headers.authorization ~= "Bearer tok-81f2-9c40" then return 401 end
    local call = request.json
    local client = type(call) == "table" and desk.people[call.to]
    if request.path ~= "/messages" or not client or type(call.text) ~= "string" then return 400 end
    tell(client, "text", call.text)
    spawn(function() post(desk, client, { type = "delivered", to = call.to, text = call.text }) end)
    return { json = { ok = true } }
end

-- The bot that is tested, where no real one is ------------------------------------------------------------------------

local bot = system {
    name = "echo_bot", client = "nobody", server_options = { api = "string" }, events = { nothing = {} },
}
function bot.server.request(desk, request)
    if request.headers["x-signature"] ~= hmac.sha256("app", request.body, "hex") then return 403 end
    local event = request.json
    if event.type ~= "text" then return 200 end
    spawn(function()
        local answer = desk:request {
            url = desk.options.api, path = "/messages", token = "tok-81f2-9c40",
            json = { to = event.from, text = "You said: " .. event.text },
        }
        if not answer.ok then log.warn "the messenger refused an answer" end
    end)
    return 200
end

-- Scenarios -----------------------------------------------------------------------------------------------------------

-- With a bot of one's own, `repartee test --target http://127.0.0.1:5000 --workers 1`, the first lines are:
--     local messenger = t:server(S, { callback = true, port = 7672 }) -- where the bot calls
--     messenger:install(t.target_url)
local function stage(t)
    local messenger = t:server(S, { callback = true })
    messenger:install(t:server(bot, { callback = true, api = messenger.url }).url)
    return messenger
end

local function person(t, options)
    options.number = "49" .. random.digits(9)
    local person = t:actor(S, options)
    person:connect()
    return person
end

scenario("the bot answers whoever wrote", function(t)
    t:never("message", { text = match.personal_data() })
    local messenger = stage(t)
    local ada, bob = person(t, { name = "ada", server = messenger }), person(t, { name = "bob", server = messenger })
    ada:say "Hello"
    bob:say "Hi"
    ada:expect("message", { text = "You said: Hello" })
    bob:expect("message", { text = "You said: Hi" })
end)

scenario("the bot takes no event that the messenger has not signed", function(t)
    local ada = person(t, { name = "ada", server = stage(t) })
    ada:forge "Hello"
    ada:expect("undelivered", { status = 403 })
    ada:expect_silence("500ms", "message")
end)

-- A bot knows one address of its messenger, so scenarios that play at once share the one that has it. In virtual time
-- each scenario has a time of its own, and there is nothing to share.
group("one messenger for all", function()
    before_all(function(t) return { at = stage(t).url } end)
    for _, text in ipairs { "Hello", "Hi" } do
        scenario("the bot answers " .. text, { clock = "real" }, function(t)
            local ada = person(t, { name = "ada", at = t.shared.at })
            ada:say(text)
            ada:expect("message", { text = "You said: " .. text })
        end)
    end
end)
