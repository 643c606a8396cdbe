-- Rows from every source, and ways to say the same; each is a test whose name stays when rows move.
scenario("from a table", { rows = { { name = "two", n = 2 }, { n = 3, text = "drei" } } }, function(t, row)
    expect(t.row.n, row.n)
    log.info(t.name)
end)
scenario("from CSV", { rows = "orders.csv", row_key = "order" }, function(_, row) log.info(row.order .. ": " .. row.text) end)
scenario("from JSON", { rows = "orders.json" }, function(_, row) expect(row.items[1], match.type "string") end)

local greetings = { "Hello", "Good morning", "Hi" }
scenario("all", { rows = utterances.all(greetings) }, function(_, row) log.info(row) end)
scenario("the first", { rows = utterances.first(greetings) }, function(_, row) log.info(row) end)
scenario("a sample", { rows = utterances.sample(2, greetings) }, function(_, row) log.info(row) end)
scenario("pairwise", {
    rows = utterances.pairwise { greeting = greetings, language = { "en", "de" }, device = { "phone", "desk" } },
}, function(_, row) log.info(row.greeting .. " " .. row.language .. " " .. row.device) end)
