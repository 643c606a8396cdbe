-- Regression suite: the form that asks where the pizza goes.
local skill = require "skill"

-- A guest who is asked for the address, and the form.
local function at_the_address(t)
    local guest = skill.guest(t)
    guest:say "pizza"
    guest:expect("message", { type = "card" })
    guest:tap("Order", { card = "Margherita" })
    guest:expect("message", { text = match.contains "Which size" })
    guest:tap "Small"
    return guest, guest:expect("form", { form = { title = "Where to?" } }).form
end

scenario("a form without a street stays with the guest", { tags = { "pizza", "forms" } }, function(t)
    local guest, form = at_the_address(t)
    guest:never("form_submitted", nil, function()
        form:submit()
        guest:expect("form_invalid", { keys = { "street" }, problems = { { message = "Please name a street" } } })
    end)
end)

scenario("a time at which the oven is cold is not taken", { tags = { "pizza", "forms" } }, function(t)
    local guest, form = at_the_address(t)
    form:fill { street = "Main Street 1", time = "23:30" }:submit()
    guest:expect("form_invalid", { keys = { "time" } })
    form:fill { street = "Main Street 1", time = "21:30" }:submit()
    guest:expect("message", { text = match.contains "at 21:30" })
    guest:expect("message", { rating = true })
end)

scenario("the skill refuses an address and asks again", { tags = { "pizza", "forms" } }, function(t)
    local guest, form = at_the_address(t)
    form:fill { street = "Nowhere" }:submit()
    local again = guest:expect("form", { form = { error = "We do not go there." } }).form
    again:fill { street = "Main Street 1" }:submit()
    guest:expect("message", { text = match.contains "Main Street 1" })
    guest:expect("message", { rating = true })
end)

scenario("several extras may be chosen", { tags = { "pizza", "forms" } }, function(t)
    local guest, form = at_the_address(t)
    form:fill { street = "Main Street 1", extras = { "cheese", "olives" } }:submit()
    local sent = guest:expect "form_submitted"
    expect(sent.values.street, "Main Street 1")
    expect(sent.values.extras, { "cheese", "olives" })
    guest:expect("message", { text = match.contains "Main Street 1" })
    guest:expect("message", { rating = true })
end)
