-- Regression suite: the skill hands over to a person, and the person back to the skill.
local skill = require "skill"

scenario("the button below the carousel leads to a person and back", { tags = { "pizza", "agent" } }, function(t)
    local guest, shop = skill.guest(t)
    local bob = shop:agent "Bob"
    guest:say "pizza"
    guest:expect("message", { type = "card" })
    guest:tap "Help"
    guest:expect("message", { text = "A person will be with you." })
    bob:expect("chat_waiting", { subject = "pizza" })
    bob:accept(guest, "Hi, Bob here.")
    guest:expect("message", { from = "agent", agent = "Bob", text = "Hi, Bob here." })
    guest:say "Is there sushi?"
    bob:expect("message", { text = "Is there sushi?" })
    bob:say "No, only pizza."
    guest:expect("message", { from = "agent", text = "No, only pizza." })
    bob:leave "Bob has left; say pizza to order."
    guest:expect("message", { from = "bot", text = match.contains "say pizza" })
    guest:say "pizza"
    guest:expect("message", { from = "bot", type = "card" })
end)

scenario("the person sees what the guest has said so far", { tags = { "pizza", "agent" } }, function(t)
    local guest, shop = skill.guest(t)
    local bob = shop:agent "Bob"
    guest:say "A person, please"
    guest:expect("message", { text = "A person will be with you." })
    local waiting = bob:expect "chat_waiting"
    expect(waiting.history, match.has { source = "USER", payload = { text = "A person, please" } })
end)

scenario("while a person is there the skill is silent", { tags = { "pizza", "agent" } }, function(t)
    local guest, shop = skill.guest(t)
    local bob = shop:agent "Bob"
    guest:say "A person, please"
    guest:expect("message", { text = "A person will be with you." })
    bob:accept(guest, "Yes?")
    guest:expect("message", { text = "Yes?" })
    guest:say "What is on the menu?"
    bob:expect("message", { text = "What is on the menu?" })
    guest:expect_silence("500ms", "message", { from = "bot" })
end)

scenario("when nobody is there the guest goes on with the skill", {
    tags = { "pizza", "agent", "unavailable" },
}, function(t)
    local guest, shop = skill.guest(t)
    guest:say "A person, please"
    guest:expect("message", { text = "A person will be with you." })
    shop:agent("Bob"):reject "Nobody is there before eleven."
    guest:expect("unavailable", { text = "Nobody is there before eleven." })
    guest:say "pizza"
    guest:expect("message", { type = "card" })
end)
