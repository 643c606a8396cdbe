-- Customers whose turns a model wrote; cassette.jsonl beside repartee.lua has them, so nobody is asked when these are played.
local oracle = require "oracle"

-- The skill of a shop: it asks for the number of an order, and knows two of them.
local orders = { ["4711"] = "It arrives on Monday.", ["4712"] = "It has been lost." }
local function skill(message)
    local number = message.text:match "%d%d%d%d"
    if not number then return { "I can look that up.", "What is the number of the order?" } end
    return orders[number] or "I do not know that order."
end

local function customer(t)
    t:server(oracle, { skill = skill })
    local ada = t:actor(oracle, { name = "Ada" })
    ada:connect()
    ada:expect "connected"
    return ada
end

scenario("a customer who knows the number of the order learns when it arrives", { tags = { "personas" } }, function(t)
    local talk = t:persona(customer(t), {
        by = "customer", goal = "know when the order arrives", facts = { order = "4711", name = "Ada" },
        style = "friendly, one short sentence at a time", gives_up_after = 5,
    })
    expect(talk.outcome, "reached")
    expect(talk.turns, match.between(1, 3))
    expect(talk.got[#talk.got], "It arrives on Monday.")
    expect(table.concat(talk.asked, " "), match.contains "4711")
end)

scenario("a customer who does not know the number gives up, and has been told no date", { tags = { "personas" } }, function(t)
    t:never("message", { text = match.contains "Monday" })
    local talk = t:persona(customer(t), {
        by = "customer", goal = "know when the order arrives", facts = { name = "Ada" },
        style = "impatient, no capitals", gives_up_after = 3,
    })
    expect({ talk.outcome, talk.turns }, { "gave_up", 3 })
    expect(talk.got, match.all_of { match.count(3), match.has(match.contains "number of the order") })
end)
