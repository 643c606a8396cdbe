-- A bot over HTTP alone whose answers are server-sent events: its token runs out (401), it limits questions (429 with
-- Retry-After), and an answer that broke off is taken up again behind the last event, after the time that `retry` says.
local S = system {
    name = "event_bot", client = "user", options = { user = "string?" },
    server_options = { token_uses = "integer?", limit = "integer?", breaks_off = "boolean?" },
    events = {
        token = { text = "string" }, message = { text = "string" }, message_sent = { text = "string" },
        resumed = { after = "string" }, rate_limited = { retry_after = "number?" },
    },
    noise = { "token", "message_sent", "resumed" },
}

-- The client ----------------------------------------------------------------------------------------------------------

local function refused(me, what, answer)
    local reason = answer.failure and answer.failure.message or "status " .. answer.status
    me:emit("error", { code = "refused", message = what .. " was refused: " .. reason, status = answer.status })
end

-- Sends a request with the token, and once more with a new one where that has run out.
local function ask(me, options)
    for attempt = 1, 2 do
        if not me.token or attempt == 2 then
            local login = me:request { path = "/token", json = { user = me.options.user or "ada" } }
            if not login.ok then return login end
            me.token = login.json.token
        end
        options.token = me.token
        local answer = me:request(options)
        if answer.status ~= 401 or attempt == 2 then return answer end
    end
end

S.commands.say = { sends = "text", function(me, text)
    local answer = ask(me, { path = "/questions", json = { text = text } })
    if answer.status == 429 then
        return me:emit("rate_limited", { retry_after = tonumber(answer.headers["retry-after"]) })
    elseif not answer.ok then
        return refused(me, "the question", answer)
    end
    me:emit("message_sent", { text = text })
    me.question, me.text, me.last, me.pause, me.attempts = answer.json.id, "", nil, 1, 0
    me:after("listen", 0) -- a handler that waits for events lets the command go on
end }

function S.on.timer(me)
    local path = "/answers/" .. me.question
    local answer = ask(me, { path = path, stream = true, headers = { ["Last-Event-ID"] = me.last } })
    if not answer.ok then return refused(me, "the answer", answer) end
    if me.last then me:emit("resumed", { after = me.last }) end
    while true do
        local event, failure = answer:read "event"
        if not event then
            me.last, me.pause = answer.last_event_id or me.last, answer.retry or me.pause
            me.attempts = me.attempts + 1
            if me.attempts < 5 then return me:after("listen", me.pause) end
            local message = failure and failure.message or "the answer ended before its event done"
            return me:emit("error", { code = "broken_off", message = message })
        end
        if event.event == "delta" then
            me.text = me.text .. event.json.text
            me:emit("token", { text = event.json.text }, event.json)
        elseif event.event == "done" then
            me:emit("message", { text = me.text })
            return answer:close()
        end
    end
end

-- The simulated server ------------------------------------------------------------------------------------------------

local words = { "On ", "its ", "way." }

function S.server.started(desk) desk.uses, desk.questions = {}, 0 end

local function may_use(desk, request)
    local token = (request.headers.authorization or ""):match "^Bearer (.+)$"
    local left = token and desk.uses[token] or 0
    if token then desk.uses[token] = left - 1 end
    return left > 0
end

local function answer_in_events(desk, request)
    local next = (tonumber(request.headers["last-event-id"]) or 0) + 1
    request:begin { headers = { ["content-type"] = "text/event-stream" } }
    request:write "retry: 250\n\n"
    for id = next, #words do
        request:write(("id: %d\nevent: delta\ndata: %s\n\n"):format(id, json.encode { text = words[id] }))
        wait "50ms"
        if desk.options.breaks_off and next == 1 and id == 2 then return end
    end
    request:write(("id: %d\nevent: done\ndata: {}\n\n"):format(#words + 1))
end

function S.server.request(desk, request)
    if request.path == "/token" then
        local token = random.hex(16)
        desk.uses[token] = desk.options.token_uses or math.huge
        return { json = { token = token } }
    end
    if not may_use(desk, request) then return 401 end
    if request.path:match "^/answers/" then return answer_in_events(desk, request) end
    desk.questions = desk.questions + 1
    if desk.questions == desk.options.limit then return { status = 429, headers = { ["retry-after"] = "2" } } end
    return { json = { id = tostring(desk.questions) } }
end

-- Scenarios -----------------------------------------------------------------------------------------------------------

scenario("an answer comes token by token", function(t)
    t:server(S)
    local ada = t:actor(S)
    ada:say "Where is my order?"
    ada:expect("token", { text = "On " })
    ada:expect("message", { text = "On its way." })
end)

scenario("a token that has run out is replaced, also in the middle of a conversation", function(t)
    t:server(S, { token_uses = 1 })
    local ada = t:actor(S)
    for _ = 1, 3 do
        ada:say "Where is my order?"
        ada:expect("message", { text = "On its way." })
    end
end)

scenario("who asks too often is told when to come back", {
    faults = { http_429 = "the fault's refusal names no time, and takes the place of the one that does" },
}, function(t)
    t:server(S, { limit = 2 })
    local ada = t:actor(S)
    ada:say "Where is my order?"
    ada:expect "message"
    ada:say "And now?"
    wait(ada:expect("rate_limited", { retry_after = 2 }).retry_after)
    ada:say "And now?"
    ada:expect("message", { text = "On its way." })
end)

local elsewhere = "an answer that breaks off elsewhere goes on from there"
scenario("an answer that breaks off goes on where it was", {
    faults = { cut = elsewhere, truncate = elsewhere, half_close = elsewhere },
}, function(t)
    t:server(S, { breaks_off = true })
    local ada = t:actor(S)
    ada:say "Where is my order?"
    ada:expect(seq { event("token", { text = "its " }), event("resumed", { after = "2" }), event("token", { text = "way." }) })
    ada:expect("message", { text = "On its way." })
end)
