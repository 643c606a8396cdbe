-- Regression suite: guests who lose the network, think for a while, or begin again.
local skill = require "skill"
local messages = require("oracle.beginnings").messages

scenario("an order goes on where it was after the network was gone", { tags = { "pizza", "slow" } }, function(t)
    local guest, shop = skill.guest(t)
    guest:say "menu"
    guest:expect("message", { type = "card" })
    guest:tap("Order", { card = "Funghi" })
    guest:expect("message", { text = "Which size of Funghi?" })
    shop:drop(guest)
    guest:expect "reconnecting"
    guest:expect("reconnected", nil, { within = "6s" })
    guest:tap "Large"
    guest:expect("form").form:fill { street = "Main Street 1" }:submit()
    guest:expect("message", { text = match.contains "Large Funghi for 12 euros" })
    guest:expect("message", { rating = true })
end)

scenario("who orders again begins anew", { tags = { "pizza" } }, function(t)
    local guest = skill.guest(t)
    skill.order(guest, "Diavola", "Large")
    guest:expect("message", { rating = true })
    guest:rate(5)
    guest:expect("message", { text = "Thank you!" })
    guest:expect("ended", { reason = "server" })
    expect(#guest:screen().messages, 0, "the chat forgets what was said")
    guest:connect()
    guest:expect "connected"
    guest:say "Hello"
    guest:expect("message", { text = "I sell pizza." })
end)

scenario("half an hour of thinking costs nothing", { tags = { "pizza" }, clock = "virtual", timeout = "1h" }, function(t)
    local guest = skill.guest(t)
    guest:say "menu"
    guest:expect("message", { type = "card" })
    wait "30m"
    guest:tap("Order", { card = "Margherita" })
    guest:expect("message", { text = "Which size of Margherita?" })
end)

scenario("two guests do not get each other's pizza", { tags = { "pizza" } }, function(t)
    local ada, shop = skill.guest(t, { user_id = "ada", name = "ada" })
    local bob = t:actor(require "oracle", { user_id = "bob", name = "bob" })
    bob:connect()
    bob:expect "connected"
    for _, row in ipairs { { ada, "Funghi" }, { bob, "Diavola" } } do
        row[1]:say "menu"
        row[1]:expect("message", { type = "card" })
        row[1]:tap("Order", { card = row[2] })
        row[1]:expect("message", { text = match.contains(row[2]) })
    end
    ada:tap "Small"
    bob:tap "Large"
    ada:expect("form").form:fill { street = "A Street" }:submit()
    bob:expect("form").form:fill { street = "B Street" }:submit()
    ada:expect("message", { text = "Small Funghi for 9 euros, A Street at 18:00." })
    bob:expect("message", { text = "Large Diavola for 13 euros, B Street at 18:00." })
    ada:expect("message", { rating = true })
    bob:expect("message", { rating = true })
    expect(messages(shop, ada), match.count(#messages(shop, bob)))
end)
