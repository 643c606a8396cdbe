-- Where one rule ends and the next begins: what a strict server refuses, what a client takes and what it leaves.
local oracle = require "oracle"
local connected = require("beginnings").connected

-- What the server's strictness says of one answer of its skill.
local function refused(title, answer, reason)
    scenario("a strict server sends no " .. title, { tags = { "strict" } }, function(t)
        local user, desk = connected(t, nil, { faults = { strict = true }, skill = function() return answer end })
        user:say "Hello"
        user:expect("error", { code = "SkillError", message = match.contains(reason) })
        expect(user:events "message", {})
        desk:say "Still here"
        user:expect("message", { text = "Still here" })
    end)
end

refused("attachment of no kind", { type = "attachment", attachment = { url = "https://a.example/b" } }, "attachment needs a type")
refused("attachment without an address", { type = "attachment", attachment = { type = "image" } }, "attachment needs a type")
for _, missing in ipairs { "latitude", "longitude" } do
    local location = { latitude = 1, longitude = 2 }
    location[missing] = nil
    refused("location without its " .. missing, { type = "location", location = location }, "needs latitude and longitude")
end

scenario("what a skill says in parts is one turn until the part that ends it", { tags = { "turns" } }, function(t)
    local user = connected(t, nil, {
        skill = function()
            return { { text = "One", end_of_turn = false }, { text = "Two", end_of_turn = false }, { text = "Three" } }
        end,
    })
    user:say "Count"
    user:expect(seq {
        event("message", { text = "One", end_of_turn = false }), event("message", { text = "Two", end_of_turn = false }),
        event("message", { text = "Three", end_of_turn = true }),
    })
    expect(user.typing, false)
end)

scenario("a script may add members to the envelope of an answer", { tags = { "payloads" } }, function(t)
    local user = connected(t, nil, {
        skill = function() return { text = "Hi", envelope = { msgId = "mine", note = "kept" } } end,
    })
    user:say "Hello"
    local answer = user:expect("message", { text = "Hi" })
    expect(answer.raw, { msgId = "mine", note = "kept" })
end)

local again = "a text whose beginning comes once more is a new text"
scenario("a running text may begin again under its name, but no late piece brings it back", {
    tags = { "stream" }, faults = { duplicate = again, reorder = again, delay = "a text is given up that stands still too long" },
}, function(t)
    local user, desk = connected(t)
    local function piece(state, text)
        desk:say { type = "textStream", text = text, streamState = state, streamId = "s", end_of_turn = state == "end" }
    end
    piece("start", "One ")
    piece("end", "day")
    user:expect("message", { text = "One day" })
    piece("running", " later")
    user:expect_silence("1s", any { "message", "message_updated" })
    piece("start", "Anew ")
    user:expect("message_updated", { text = "Anew ", state = "start" })
    piece("running", "and ")
    piece("end", "on")
    user:expect("message", { text = "Anew and on" })
    expect(user.messages, 2)
end)

scenario("a whole message, a payload and a text are three ways to send", {
    tags = { "payloads" }, faults = { delay = "what comes late is not there when it is counted" },
}, function(t)
    local user, desk = connected(t)
    user:send "one"
    user:send { type = "text", text = "two" }
    user:send { messagePayload = { type = "text", text = "three" } }
    user:send { text = "four" } -- neither a type nor a profile
    user:expect("error", { code = "ProfileInvalid" })
    wait "200ms"
    local texts = {}
    for _, frame in ipairs(desk:received(user)) do
        if frame.messagePayload then texts[#texts + 1] = frame.messagePayload.text end
    end
    expect(texts, { "one", "two", "three" })
end)

scenario("a message may take news of the user along, and is a message all the same", {
    tags = { "payloads" },
}, function(t)
    local function greet(_, session) return "Hello " .. session.profile.givenName end
    local user, desk = connected(t, nil, { skill = greet })
    user:send { profile = { givenName = "Ada" }, messagePayload = { type = "text", text = "Hi" } }
    user:expect("message_sent", { text = "Hi" })
    user:expect("message", { text = "Hello Ada" })
    expect({ user.messages, desk:received(user)[1].profile }, { 2, { givenName = "Ada" } })
    user:send { profile = { givenName = "Bob" }, messagePayload = { type = "text", text = "" } }
    user:expect("error", { code = "MessageInvalid" })
    expect(desk:profile(user), { givenName = "Ada" })
end)

scenario("a client sends nothing that has no rule", { tags = { "payloads" } }, function(t)
    local user, desk = connected(t)
    user:send { type = "dance", text = "Hello" }
    user:expect("error", { code = "MessageInvalid", message = match.contains "dance" })
    wait "200ms"
    expect(user:events "message_sent", {})
    for _, frame in ipairs(desk:received(user)) do expect(frame.messagePayload, nil) end
    user:say "Hello"
    user:expect("message_sent", { text = "Hello" })
end)

scenario("a skill answers in one way", { clock = "virtual", tags = { "turns" } }, function(t)
    local ways = { echo = true, states = { start = { say = "Hi" } }, skill = function() return "Hi" end }
    for _, pair in ipairs { { "skill", "states" }, { "skill", "echo" }, { "states", "echo" } } do
        local done, why = pcall(t.server, t, oracle, { [pair[1]] = ways[pair[1]], [pair[2]] = ways[pair[2]] })
        expect(done, false)
        expect(tostring(why), match.contains(pair[1] .. " and " .. pair[2] .. " exclude each other"))
    end
    local user = connected(t, nil, { echo = false, skill = ways.skill })
    user:say "Hello"
    user:expect("message", { text = "Hi" })
end)

-- What a script cannot mean, and why.
local function mistaken(why, act, ...)
    local done, problem = pcall(act, ...)
    expect({ done, tostring(problem) }, { false, match.contains(why) })
end

scenario("what says nothing, or nothing that there is, is refused", { tags = { "mistakes" } }, function(t)
    local user, desk = connected(t)
    for _, case in ipairs {
        { 5, "a text, a payload, or a list of them, not 5" }, { true, "a text, a payload, or a list of them" },
        { {}, "needs something to say" }, { { messages = {} }, "needs something to say" },
        { { mesages = "Hello" }, 'no member "mesages"; did you mean "messages"?' },
        { { messages = "Bye", end_session = true }, "belong to what a skill returns" },
        { { type = "txt", text = "Hello" }, 'no payload of type "txt"; did you mean "text"?' },
        { { type = "card", layout = "diagonal", cards = { { title = "a" } } }, "the payload.layout is one of" },
        { { type = "attachment", attachment = { type = "nosuch", url = "https://a.example/b" } }, "attachment.type is one of" },
        { { type = "location", location = { latitude = 1000, longitude = 1 } }, "from -90 to 90" },
        { { text = "a", actions = { { type = "postbak", label = "b" } } }, 'did you mean "postback"?' },
    } do
        mistaken(case[2], desk.say, desk, case[1])
    end
    mistaken("needs something to say", desk.pre_chat, desk, {})
    mistaken("one payload of type editForm", desk.pre_chat, desk, "Who are you?")
    mistaken("from 200 to 599", desk.fault, desk, "upload_status", 99)
    mistaken("from 200 to 599", desk.fault, desk, "poll_status", 99)
    mistaken("is one of", desk.hear, desk, { error = "nosuch" })
    user:expect_silence("200ms", "message")
end)

for _, said in ipairs { 5, true, { mesages = "Hello" } } do
    scenario("a skill that returns " .. json.encode(said) .. " is broken", { tags = { "mistakes" } }, function(t)
        local user = connected(t, nil, { skill = function() return said end })
        user:say "Hello"
        user:expect("error", { code = "SkillError", message = match.contains "The skill broke" })
    end)
end

scenario("what is said after the end of the session is refused", { tags = { "mistakes", "endings" } }, function(t)
    local user, desk = connected(t)
    desk:end_session()
    mistaken("has ended", desk.end_session, desk)
    mistaken("has ended", desk.say, desk, "Still here?")
    user:expect("ended", { reason = "server" })
    mistaken("has ended", desk.say, desk, "Still here?")
    user:connect()
    user:expect "connected"
    desk:say "Welcome back"
    user:expect("message", { text = "Welcome back" })
end)

scenario("an agent hands back to a state that there is", { tags = { "mistakes", "agents" } }, function(t)
    local desk = t:server(oracle, { states = { start = { say = "Hi" }, over = { say = "Over" } } })
    local user, bob = t:actor(oracle), desk:agent "Bob"
    user:connect()
    user:expect "connected"
    bob:accept(user)
    mistaken('no state "ovr"; did you mean "over"?', bob.leave, bob, "Bye", "ovr")
    mistaken("from 1 on, not -4", bob.delay, bob, "Wait", -4)
    bob:leave("Bye", "over")
    user:expect("message", { text = "Bye" })
end)

scenario("a setting with two names is given once", { tags = { "mistakes" } }, function(t)
    t:server(oracle)
    mistaken("are names of one setting", t.actor, t, oracle, { typing_status_timeout = "20s", typing_indicator_timeout = "30s" })
end)
