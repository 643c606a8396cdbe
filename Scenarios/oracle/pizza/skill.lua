-- The bot under test: a skill that sells pizza. Every scenario of this folder has it with `require "skill"`.
--
--   greeting ── "menu" ──> carousel ── Order ──> size ── Small, Large ──> address (a form) ──> receipt, stars ──> end
--       │                     │
--       │                     └── Help, "person" ──> an agent, and back
--       ├── "hours" ──> a table, page by page
--       ├── a photo ──> a new pizza        a place ──> the nearest shop
--       └── anything else ──> what there is
--
-- The suite: ordering.lua (buttons and cards), delivery.lua (the form), service.lua (tables, files, places, stars),
-- people.lua (the agents), connection.lua (what happens when the guest goes away and comes back).
local skill = {}

skill.pizzas = {
    { name = "Margherita", about = "Tomato and basil.", price = 8 },
    { name = "Funghi", about = "With mushrooms.", price = 9 },
    { name = "Diavola", about = "With hot salami.", price = 10 },
}
skill.sizes = { "Small", "Large" }
skill.extra = { Small = 0, Large = 3 }

-- One card for each pizza, side by side; a button below all of them.
local function carousel()
    local cards = {}
    for index, pizza in ipairs(skill.pizzas) do
        local order = { action = "choose", pizza = pizza.name, price = pizza.price }
        cards[index] = {
            title = pizza.name, description = pizza.about,
            actions = { { type = "postback", label = "Order", postback = order } },
        }
    end
    return {
        type = "card", layout = "horizontal", headerText = "What we bake", cards = cards,
        globalActions = {
            { type = "postback", label = "Help", postback = { action = "help" } },
            { type = "call", label = "Call us", phoneNumber = "+1 555 0100" },
        },
    }
end

skill.days = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }

-- Four days from one on, as a table; the button for more is the platform's.
local function hours(first)
    local rows = {}
    for index = first + 1, math.min(first + 4, #skill.days) do
        rows[#rows + 1] = { fields = {
            { displayType = "text", label = "Day", value = skill.days[index] },
            { displayType = "text", label = "Open", value = index > 5 and "12 to 24" or "11 to 22" },
        } }
    end
    local has_more = first + 4 < #skill.days
    return {
        messages = {
            type = "table", headings = { { label = "Day", alignment = "left" }, { label = "Open", alignment = "right" } },
            rows = rows, paginationInfo = { totalCount = #skill.days, rangeSize = 4, rangeStart = first },
            globalActions = has_more and {
                { type = "postback", label = "Show More", postback = { action = "system.showMore" } },
            } or nil,
        },
        variables = { shown = first + 4 },
    }
end

local function address(complaint)
    return {
        type = "editForm", title = "Where to?", formColumns = 1, errorMessage = complaint,
        channelExtensions = complaint and { replaceMessage = "True" } or nil,
        fields = {
            { displayType = "textInput", id = "street", label = "Street", required = true, minLength = 3,
              clientErrorMessage = "Please name a street" },
            { displayType = "timePicker", id = "time", label = "Time", minTime = "11:00", maxTime = "22:00",
              defaultValue = "18:00" },
            { displayType = "multiSelect", id = "extras", label = "Extras",
              options = { { label = "Cheese", value = "cheese" }, { label = "Olives", value = "olives" } } },
        },
        actions = { { type = "submitForm", label = "Send it", postback = { action = "deliver" } } },
    }
end

-- What the buttons do, by the action that they carry.
local actions = {}

function actions.choose(postback)
    return {
        messages = { text = "Which size of " .. postback.pizza .. "?", actions = skill.sizes },
        variables = { pizza = postback.pizza, price = postback.price }, state = "size",
    }
end

local function size(postback)
    return { messages = address(), variables = { size = postback.action }, state = "address" }
end
for _, name in ipairs(skill.sizes) do actions[name] = size end

function actions.deliver(message, session)
    local where = message.submittedFields
    if where.street == "Nowhere" then return address "We do not go there." end
    local order = session.variables
    local price = order.price + skill.extra[order.size]
    return {
        messages = {
            { text = ("%s %s for %d euros, %s at %s."):format(order.size, order.pizza, price, where.street, where.time),
              end_of_turn = false },
            { text = "How was ordering?", channelExtensions = { displayType = "stars" },
              actions = { "1", "2", "3", "4", "5" } },
        },
        state = "rating",
    }
end

function actions.help()
    return { messages = "A person will be with you.", agent = { subject = "pizza" } }
end

actions["system.showMore"] = function(_, session) return hours(session.variables.shown) end

-- What the server calls with every message.
function skill.answer(message, session)
    local postback = message.postback
    if message.type == "attachment" then return "That looks cold. We bake you a new one." end
    if message.type == "location" then return "Our shop in Main Street is next to you." end
    if session.state == "rating" and postback then return { messages = "Thank you!", end_session = true } end
    local act = postback and actions[postback.action]
    if act then return act(message.type == "formSubmission" and message or postback, session) end
    local text = (message.text or ""):lower()
    if text:find "hours" then return hours(0) end
    if text:find "cold" then return { text = "Please send a photo.", end_of_turn = true } end
    if text:find "where" then
        return { text = "Where are you?", actions = { { type = "location", label = "Here" } } }
    end
    if text:find "person" then return actions.help() end
    if text:find "pizza" or text:find "menu" then return carousel() end
    return { text = "I sell pizza.", actions = { "Menu" } }
end

-- Starts the skill with an agent behind it and connects a guest.
function skill.guest(t, options)
    local oracle = require "oracle"
    local shop = t:server(oracle, { skill = skill.answer, agents = { "Bob" } })
    local guest = t:actor(oracle, options)
    guest:connect()
    guest:expect "connected"
    return guest, shop
end

-- Orders a pizza, from the menu to the receipt.
function skill.order(guest, pizza, size)
    guest:say "What is on the menu?"
    guest:expect("message", { type = "card" })
    guest:tap("Order", { card = pizza })
    guest:expect("message", { text = "Which size of " .. pizza .. "?" })
    guest:tap(size)
    guest:expect("form").form:fill { street = "Main Street 1" }:submit()
    guest:expect("message", { text = match.glob(size .. " " .. pizza .. " for * euros, Main Street 1 at 18:00.") })
end

return skill
