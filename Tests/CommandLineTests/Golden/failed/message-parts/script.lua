-- What failures say about buttons, cards, forms and tables.
local message = {
    actions = { { label = "Yes" }, { label = "No" } },
    cards = { { title = "Funghi", price = 9 } },
    form = { title = "You", fields = { { key = "email", required = false } } },
    headings = { "Pizza", "Price" },
    rows = { { "Funghi", 9 } },
}
scenario("a button", function() expect(message, match.button "Maybe") end)
scenario("buttons", function() expect(message, match.buttons { "No", "Yes" }) end)
scenario("a card", function() expect(message, match.card { title = "Funghi", price = 10 }) end)
scenario("a form", function() expect(message, match.form { fields = { email = { required = true }, name = match.any } }) end)
scenario("a table", function() expect(message, match.table { count = 2, rows = { { Pizza = "Calzone" } } }) end)
scenario("a misspelt member", function() expect(message, match.card { prize = 9 }) end)
scenario("a misspelt field", function() expect(message, match.form { fields = { emial = match.any } }) end)
scenario("a misspelt heading", function() expect(message, match.table { rows = { { Piza = "Funghi" } } }) end)
scenario("none", function() expect({ text = "hi" }, match.card { title = "Funghi" }) end)
