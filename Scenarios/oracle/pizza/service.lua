-- Regression suite: questions around an order, a complaint with a photo, and what guests think of it all.
local skill = require "skill"
local messages = require("oracle.beginnings").messages

scenario("the opening hours are a table of two pages", { tags = { "pizza", "table" } }, function(t)
    local guest = skill.guest(t)
    guest:say "What are your hours?"
    guest:expect("message", {
        type = "table", headings = { "Day", "Open" }, rows = match.count(4),
        pagination = { total = 7, start = 0, has_next = true, has_previous = false },
    })
    guest:tap "Show More"
    guest:expect("message", {
        rows = { { "Friday", "11 to 22" }, { "Saturday", "12 to 24" }, { "Sunday", "12 to 24" } },
        pagination = { has_next = false, has_previous = true },
    })
    expect(pcall(guest.tap, guest, "Show More"), false, "there is no more")
end)

scenario("a complaint is proven by a photo", { tags = { "pizza", "files" } }, function(t)
    local guest = skill.guest(t)
    guest:say "My pizza is cold"
    guest:expect("message", { text = "Please send a photo." })
    guest:upload { name = "pizza.jpg", text = "pixels", from = "camera" }
    guest:expect("attachment_uploaded", { type = "image" })
    guest:expect("message", { text = match.contains "a new one" })
end)

scenario("a photo of nothing stays with the guest", { tags = { "pizza", "files" } }, function(t)
    local guest, shop = skill.guest(t)
    guest:upload { name = "pizza.jpg", size = 0 }
    guest:expect("error", { code = "UploadZeroSize" })
    expect(#shop:received(), 0)
end)

scenario("a guest asks for the nearest shop with one tap", { tags = { "pizza", "places" } }, function(t)
    local guest = skill.guest(t)
    guest:set_place(52.52, 13.405)
    guest:say "Where is your shop?"
    guest:expect("message", { text = "Where are you?" })
    guest:tap "Here"
    guest:expect("message_sent", { location = { latitude = 52.52, longitude = 13.405 } })
    guest:expect("message", { text = match.contains "Main Street" })
end)

scenario("the shop can be called without a word to the skill", { tags = { "pizza", "cards" } }, function(t)
    local guest, shop = skill.guest(t)
    guest:say "menu"
    guest:expect("message", { type = "card" })
    guest:tap "Call us"
    guest:expect("action_performed", { type = "call", phone_number = "+1 555 0100" })
    expect(messages(shop), { { text = "menu" } })
end)

for stars = 1, 5 do
    scenario(("an order may be worth %d of 5 stars"):format(stars), { tags = { "pizza", "survey" } }, function(t)
        local guest, shop = skill.guest(t)
        skill.order(guest, "Margherita", "Small")
        local survey = guest:expect("message", { rating = true })
        expect(survey.actions, match.count(5))
        guest:rate(stars)
        guest:expect("message", { text = "Thank you!" })
        guest:expect("ended", { reason = "server" })
        expect(shop:received(), match.has { messagePayload = { postback = { action = tostring(stars) } } })
    end)
end

scenario("there is no sixth star", { tags = { "pizza", "survey" } }, function(t)
    local guest = skill.guest(t)
    skill.order(guest, "Margherita", "Small")
    guest:expect("message", { rating = true })
    local rated, why = pcall(guest.rate, guest, 6)
    expect(rated, false)
    expect(tostring(why), match.contains "from 1 to 5")
end)
