-- Data-driven scenarios: each row is a test of its own, with a name that stays when rows move.
local websocket = require "websocket"

-- A desk that answers a question by a table.
local function desk(t, answers)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    visitor:expect "connected"
    peer:expect "connected"
    spawn(function()
        local question = peer:expect("frame", {}, { within = "1m" }).text
        peer:send(answers[question] or "Pardon?")
    end)
    return visitor
end

scenario("a question from a CSV file", { rows = "orders.csv" }, function(t, row)
    local visitor = desk(t, { [row.question] = row.answer })
    visitor:send(row.question)
    visitor:expect("frame", { text = row.answer })
    expect(tonumber(row.number), match.between(4711, 4713))
    expect(t.row, row)
end)

scenario("a greeting from a JSON file", { rows = "languages.json", row_key = "code" }, function(t, row)
    local visitor = desk(t, { [row.hello] = row.polite and "Nice to meet you" or "What do you want?" })
    visitor:send(row.hello)
    visitor:expect("frame", { text = row.polite and match.contains "Nice" or match.contains "want" })
end)

scenario("an amount from a table", {
    rows = {
        { name = "small", amount = 1, limit = 10 },
        { name = "large", amount = 9, limit = 10 },
    },
}, function(_, row)
    expect(row.amount, match.between(0, row.limit))
end)

scenario("rows without a name are named by what is in them", { rows = { { city = "Paris" }, { city = "Rome" } } },
    function(t, row)
        expect(t.name, "rows without a name are named by what is in them [" .. row.city .. "]")
    end)

scenario("one of several ways to say hello", { rows = utterances.read "greetings.txt" }, function(t, hello)
    local visitor = desk(t, { [hello] = "Hello, visitor" })
    visitor:send(hello)
    visitor:expect("frame", { text = "Hello, visitor" })
end)

local ways = {
    ask = { "Where is my order?", "Has it left?", "Track it" },
    language = { "en", "de", "fr" },
    thank = { "Thanks", "Thank you" },
}

scenario("the first of each list", { rows = utterances.first(ways) }, function(_, row)
    expect(row, match.equals { ask = "Where is my order?", language = "en", thank = "Thanks" })
end)

scenario("a sample that the seed of the run chooses", { rows = utterances.sample(4, ways) }, function(_, row)
    expect(ways.ask, match.has(row.ask))
end)

scenario("any two utterances meet", { rows = utterances.pairwise(ways) }, function(_, row)
    expect(ways.language, match.has(row.language))
end)

scenario("how many rows there are", function()
    expect(#utterances.all(ways), 18)
    expect(#utterances.first(ways), 1)
    expect(#utterances.sample(4, ways), 4)
    expect(#utterances.sample(100, ways), 18)
    expect(#utterances.pairwise(ways), match.between(9, 12))
end)
