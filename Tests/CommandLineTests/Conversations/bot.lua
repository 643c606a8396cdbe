-- A bot over HTTP that breaks in one of fourteen ways; the row names the way.
local http = require "http"

local function delta(text) return { choices = { { index = 0, delta = { content = text } } } } end
local words = { "Your order", " A-1001", " left", " this morning." }
local function stream(change)
    local events = {}
    for place, word in ipairs(words) do events[place] = delta(word) end
    events[#events + 1] = "[DONE]"
    local answer = { events = events, gap = "10ms" }
    change(answer, events)
    return answer
end

local breaks = {
    ["no end of the stream"] = stream(function(_, events) events[#events] = nil end),
    ["too many requests"] = { status = 429, headers = { ["Retry-After"] = "30" }, json = { error = "quota is used up" } },
    ["never an answer"] = { after = "1h", json = {} },
    ["slow first word"] = stream(function(answer) answer.after = "1h" end),
    ["slow words"] = stream(function(answer) answer.gap = "1h" end),
    ["doubled word"] = stream(function(_, events) table.insert(events, 3, delta " A-1001") end),
    ["malformed piece"] = stream(function(_, events) events[3] = '{"choices":[{"delta":{"content":" left' end),
    ["dropped stream"] = stream(function(answer) answer.drop_after = 2 end),
    ["bad JSON"] = { text = '{"choices": [', headers = { ["Content-Type"] = "application/json" } },
    ["error within the stream"] = stream(function(_, events)
        events[3] = { error = { message = "The model is overloaded", code = "overloaded" } }
        for place = #events, 4, -1 do events[place] = nil end
    end),
    ["wrong word in the stream"] = stream(function(_, events) events[2] = delta " A-1O01" end),
    ["wrong text as a whole"] = { json = { { text = "Your order A-1001 left this evening." } } },
    ["internal error"] = { status = 500, text = "worker 7 has no GPU" },
    ["broken gzip"] = {
        text = "this is not gzip",
        headers = { ["Content-Type"] = "application/json", ["Content-Encoding"] = "gzip" },
    },
}

local rows = {}
for name in pairs(breaks) do rows[#rows + 1] = { name = name } end
table.sort(rows, function(a, b) return a.name < b.name end)

scenario("bot", { rows = rows }, function(t, row)
    t:server(http, { answers = { breaks[row.name] } })
    local ada = t:actor(http, { name = "ada", url = "/v1/chat", timeout = "2s", silence = "2s" })
    ada:send { stream = true, messages = { { role = "user", content = "Where is my order?" } } }
    ada:expect("message", { text = "Your order A-1001 left this morning." }, { within = "5s" })
end)
