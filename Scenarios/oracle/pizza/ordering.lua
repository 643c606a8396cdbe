-- Regression suite: a guest orders, button by button.
local skill = require "skill"

-- Has the carousel shown and taps a pizza.
local function choose(guest, name)
    guest:say "What is on the menu?"
    guest:expect("message", { type = "card" })
    guest:tap("Order", { card = name })
    guest:expect("message", { text = "Which size of " .. name .. "?" })
end

for _, pizza in ipairs(skill.pizzas) do
    for _, size in ipairs(skill.sizes) do
        scenario(("a guest orders a %s %s"):format(size, pizza.name), { tags = { "pizza", "regression" } }, function(t)
            local guest = skill.guest(t)
            choose(guest, pizza.name)
            guest:tap(size)
            guest:expect("form").form:fill { street = "Main Street 1" }:submit()
            local receipt = "%s %s for %d euros, Main Street 1 at 18:00."
            guest:expect("message", { text = receipt:format(size, pizza.name, pizza.price + skill.extra[size]) })
            guest:expect("message", { rating = true })
            guest:rate(5)
            guest:expect("message", { text = "Thank you!" })
            guest:expect("ended", { reason = "server" })
        end)
    end
end

scenario("the menu is a carousel with a button for each pizza", { tags = { "pizza", "cards" } }, function(t)
    local guest = skill.guest(t)
    guest:say "Pizza, please"
    local menu = guest:expect("message", { type = "card", layout = "horizontal", header = "What we bake" })
    expect(menu.cards, match.count(#skill.pizzas))
    for index, pizza in ipairs(skill.pizzas) do
        expect(menu.cards[index], { title = pizza.name, description = pizza.about, actions = { { label = "Order" } } })
    end
    expect(menu.global_actions, { { label = "Help" }, { label = "Call us", phone_number = "+1 555 0100" } })
end)

scenario("what a button sends back is what the skill put into it", { tags = { "pizza", "postback" } }, function(t)
    local guest, shop = skill.guest(t)
    choose(guest, "Funghi")
    guest:expect_silence("100ms", "error")
    expect(shop:received(), match.has {
        messagePayload = { type = "postback", postback = { action = "choose", pizza = "Funghi", price = 9 } },
    })
end)

scenario("the cards of an order that goes on cannot be tapped again", { tags = { "pizza", "cards" } }, function(t)
    local guest = skill.guest(t)
    choose(guest, "Funghi")
    expect(pcall(guest.tap, guest, "Order", { card = "Diavola" }), false)
end)

scenario("a guest who keeps old buttons can think again", { tags = { "pizza", "cards" } }, function(t)
    local guest = skill.guest(t, { disable_past_actions = "none" })
    choose(guest, "Funghi")
    guest:tap("Order", { card = "Diavola" })
    guest:expect("message", { text = "Which size of Diavola?" })
    guest:tap "Large"
    guest:expect "form"
end)

scenario("who says something else learns what there is", { tags = { "pizza" } }, function(t)
    local guest = skill.guest(t)
    guest:say "Do you have sushi?"
    guest:expect("message", { text = "I sell pizza.", actions = { { label = "Menu" } } })
    guest:tap "Menu"
    guest:expect("message", { type = "card" })
end)
