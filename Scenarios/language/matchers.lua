-- What can be asked of values: nearly the same text, typed text, parts of messages.
local websocket = require "websocket"

scenario("text that is nearly the same", function()
    expect("Your order has left", match.fuzzy("Your order hat left", 0.9))
    expect("your order, it has LEFT!", match.token_set "Your order has left it")
    expect("Your parcel has left the house", match.word_error_rate("Your order has left the house", 0.2))
    expect("Something else", match.is_not(match.token_set "Your order has left"))
end)

scenario("text of a type", function()
    expect("0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c", match.uuid)
    expect("1,234.50", match.number)
    expect(12.5, match.number)
    expect("12.5", match.is_not(match.integer))
    for _, day in ipairs { "2026-11-21", "21.11.2026", "11/21/2026", "November 21, 2026", "21 Nov 2026" } do
        expect(expect(day, match.capture("day", match.date)).day, "2026-11-21")
    end
    expect("2026-02-30", match.is_not(match.date))
    expect("€ 12.50", match.money)
    expect("1.299,00 EUR", match.money)
    expect("12.50", match.is_not(match.money))
end)

scenario("what a text captures is used later", function(t)
    local server = t:server(websocket)
    local desk = server:peer "peer"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    visitor:expect "connected"
    desk:expect "connected"
    desk:send "Order 4711 ships on 21 November 2026 and costs 1,299.00 EUR."
    local seen = visitor:expect("frame", {
        text = match.template "Order <order:integer> ships on <day:date> and costs <price:money>.",
    }).captures
    expect(seen, match.equals { order = 4711, day = "2026-11-21", price = { amount = 1299.0, currency = "EUR" } })
    visitor:send("Please cancel order " .. seen.order)
    desk:expect("frame", { text = "Please cancel order 4711" })
end)

scenario("parts of a message, whatever its fields are called", function(t)
    local server = t:server(websocket)
    local desk = server:peer "peer"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    visitor:expect "connected"
    desk:expect "connected"
    desk:send_json {
        text = "Choose",
        quick_replies = { "Yes", { title = "No", payload = "no" } },
    }
    visitor:expect("frame", match.buttons { "Yes", "No" })
    desk:send_json {
        cards = {
            { title = "Margherita", description = "Cheese", actions = { { label = "Order", url = "https://a.test/1" } } },
            { title = "Funghi", actions = { { label = "Order" }, { label = "Read more" } } },
        },
    }
    local card = visitor:expect("frame", match.all_of {
        match.card { title = "Funghi", buttons = { "Order", "Read more" } },
        match.card { title = match.capture("first", match.glob "Marg*") },
        match.button { label = "Order", url = match.contains "a.test" },
    })
    expect(card.captures.first, "Margherita")
    desk:send_json {
        form = { title = "Who are you?", fields = { { key = "email", label = "E-mail", required = true }, { key = "name" } } },
    }
    visitor:expect("frame", match.form { title = "Who are you?", fields = { email = { required = true }, name = match.any } })
    desk:send_json { headings = { "Pizza", "Price" }, rows = { { "Margherita", 8 }, { "Funghi", 9.5 } } }
    visitor:expect("frame", match.table {
        headings = { "Pizza", "Price" }, count = 2, rows = { { Pizza = "Funghi", Price = match.near(9, 1) } },
    })
    desk:send_json { order = { items = { { id = 7 }, { id = 9 } } } }
    visitor:expect("frame", { raw = match.path("$.order.items[-1].id", 9) })
end)

scenario("a form and its fields", function(t)
    local boldchat = require "boldchat"
    t:server(boldchat)
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    visitor:expect("pre_chat", match.form { kind = "pre_chat", fields = { email = match.any } })
end)

scenario("a regular expression takes no longer than its length times that of the text", function()
    expect(("a"):rep(5000), match.is_not(match.regex "(a*)*(a*)*b"))
    expect("order 12", match.regex [[(?i)ORDER \d{1,3}]])
end)

scenario("values and JSON in texts fit a schema", { tags = { "language", "schema" } }, function(t)
    local order = match.schema {
        type = "object", required = { "number" }, additionalProperties = false,
        properties = { number = { type = "integer", minimum = 1 }, notes = { type = "object" } },
    }
    expect({ number = 1815, notes = {} }, order)
    expect({ number = 0 }, match.is_not(order))
    expect('{"number":1815}', match.json(order))
    expect('{"numbr":1815}', match.is_not(match.json(order)))
    expect("1815", match.is_not(order))
end)
