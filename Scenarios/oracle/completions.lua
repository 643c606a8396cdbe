-- Completions of what the user types, and answers that the user does not want any more.
local oracle = require "oracle"
local connected = require("beginnings").connected

local dishes = { "Pizza Margherita", "Pizza Funghi", "Pasta", "Pizza Diavola", "Pizza Marinara", "Pizza Napoli",
    "Pizza Tonno" }

local function typist(t, options)
    options = options or {}
    if options.enable_autocomplete == nil then options.enable_autocomplete = true end
    return connected(t, options, { suggestions = dishes, echo = true })
end

scenario("from three characters on what is typed is completed, with five words at most", {
    tags = { "completions" },
}, function(t)
    local user, desk = typist(t)
    user:enter_text "Pi"
    user:expect_silence("200ms", "suggestions")
    user:enter_text "Piz"
    user:expect("suggestions", { texts = {
        "Pizza Margherita", "Pizza Funghi", "Pizza Diavola", "Pizza Marinara", "Pizza Napoli",
    } })
    expect(desk:received(), match.has { messagePayload = { type = "suggest", query = "Piz", threshold = 30 } })
end)

scenario("completions are matched to their requests in order", { tags = { "completions" } }, function(t)
    local user = typist(t)
    user:suggest "Funghi"
    user:suggest "Pasta"
    user:expect("suggestions", { texts = { "Pizza Funghi" } })
    user:expect("suggestions", { texts = { "Pasta" } })
end)

for _, row in ipairs {
    { query = "", code = "SuggestionsEmptyRequest" },
    { query = "Pi", code = "SuggestionsInvalidRequest" },
} do
    scenario(("nobody can complete %q"):format(row.query), { tags = { "completions" } }, function(t)
        local user = typist(t)
        user:suggest(row.query)
        user:expect("error", { code = row.code })
    end)
end

scenario("completions that do not come in ten seconds are an error", {
    tags = { "completions", "slow" },
}, function(t)
    local user, desk = typist(t)
    desk:fault "silent"
    user:suggest "Pizza"
    user:expect_silence("9.9s", "error")
    user:expect("error", { code = "SuggestionsTimeout" }, { within = "200ms" })
end)

scenario("without the flag nothing is completed", { tags = { "completions" } }, function(t)
    local user = typist(t, { enable_autocomplete = false })
    user:enter_text "Pizza"
    user:expect_silence("200ms", "suggestions")
    user:suggest "Pizza"
    user:expect("error", { code = "SuggestionsInvalidRequest" })
end)

-- A skill that takes its time for questions.
local function slow(message)
    if message.text == "A long question" then return { text = "A long answer", delay = "2s" } end
    return "A short answer"
end

scenario("an answer that the user has cancelled is not shown", { tags = { "cancel" } }, function(t)
    local desk = t:server(oracle, { skill = slow })
    local user = t:actor(oracle, { enable_cancel_response = true })
    user:connect()
    user:expect "connected"
    user:say "A long question"
    user:expect("typing", { active = true })
    user:cancel_response()
    user:expect("typing", { active = false })
    user:say "A short question"
    user:expect_silence("1.9s", "message", { text = "A short answer" })
    user:expect("message", { text = "A short answer" })
    expect(#user:events "message", 1, "the long answer came and was dropped")
    expect(desk:received(), match.has { requestId = match.glob "wsreq/*-*" })
end)

scenario("an answer that is complete cannot be cancelled, so nothing that comes later is lost", {
    tags = { "cancel" },
}, function(t)
    local desk = t:server(oracle, { skill = slow })
    local user = t:actor(oracle, { enable_cancel_response = true })
    user:connect()
    user:expect "connected"
    user:say "A short question"
    user:expect("message", { text = "A short answer", end_of_turn = true })
    expect(pcall(user.cancel_response, user), false)
    desk:say "By the way"
    user:expect("message", { text = "By the way" })
end)

scenario("cancelling needs its flag", { tags = { "cancel" } }, function(t)
    local desk = t:server(oracle, { skill = slow })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "A short question"
    user:expect("message", { text = "A short answer" })
    local cancelled, why = pcall(user.cancel_response, user)
    expect(cancelled, false)
    expect(tostring(why), match.contains "enable_cancel_response")
    expect(desk:received()[1].requestId, nil, "messages carry no number then")
end)
