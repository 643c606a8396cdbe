-- Every kind of message that a skill can send, as the client shows it.
local oracle = require "oracle"
local beginnings = require "beginnings"
local connected = beginnings.connected

-- A user to whom a skill says something; returns the user, the event, and the server.
local function told(t, message, event, options)
    local user, desk = connected(t, options, { echo = true })
    desk:say(message)
    return user, user:expect(event or "message"), desk
end

scenario("a text has words above and below, and buttons of several kinds", { tags = { "text" } }, function(t)
    local user, message, desk = told(t, {
        text = "Hello", headerText = "Pizza King", footerText = "Open till ten",
        actions = {
            "Order", { type = "url", label = "Menu", url = "https://pizza.example/menu" },
            { type = "call", label = "Call", phoneNumber = "123" }, { type = "share", label = "Tell a friend" },
            { type = "postback", imageUrl = "https://pizza.example/star.png", postback = { action = "star" } },
        },
        globalActions = { "Help" },
    })
    expect(message, { type = "text", text = "Hello", header = "Pizza King", footer = "Open till ten" })
    expect(message.actions, match.count(5))
    expect(message.global_actions, { { type = "postback", label = "Help" } })
    user:tap "Menu"
    user:expect("link_opened", { url = "https://pizza.example/menu", handler = "browser" })
    user:tap "Call"
    user:expect("action_performed", { type = "call", phone_number = "123" })
    user:tap "Tell a friend"
    user:expect("action_performed", { type = "share" })
    expect(beginnings.messages(desk), match.count(0), "none of these is told to the skill")
    user:tap "https://pizza.example/star.png"
    user:expect("message_sent", { type = "postback", postback = { action = "star" } })
    user:expect "message"
end)

for _, layout in ipairs { "horizontal", "vertical" } do
    scenario(("cards lie %sly"):format(layout), { tags = { "cards" } }, function(t)
        local user, message = told(t, {
            type = "card", layout = layout, headerText = "Pizzas",
            cards = {
                { title = "Margherita", description = "Tomato", imageUrl = "https://p.example/m.png",
                    url = "https://p.example/m", actions = { "Order" } },
                { title = "Funghi", actions = { "Order" } },
            },
        })
        expect(message, { type = "card", layout = layout, header = "Pizzas", cards = match.count(2) })
        expect(message.cards[1], {
            title = "Margherita", description = "Tomato", image_url = "https://p.example/m.png",
            url = "https://p.example/m", actions = { { label = "Order" } }, media_type = "image/png",
        })
        user:tap("Order", { card = "Funghi" })
        user:expect("message_sent", { type = "postback", text = "Order" })
        user:expect "message"
    end)
end

scenario("a file of the skill comes with its kind", { tags = { "attachment" } }, function(t)
    local _, message = told(t, {
        type = "attachment", attachment = { type = "file", url = "https://p.example/menu.pdf", title = "Menu" },
        channelExtensions = { mediaType = "application/pdf" },
    })
    expect(message.attachment, {
        type = "file", url = "https://p.example/menu.pdf", title = "Menu", media_type = "application/pdf",
    })
end)

scenario("what kind of file it is stands in the message, or else in its URL", { tags = { "attachment", "cards" } }, function(t)
    local user, message, desk = told(t, {
        type = "attachment", attachment = { type = "image", url = "https://p.example/oven.png?size=2", title = "Oven" },
    })
    expect(message.attachment.media_type, "image/png")
    desk:say { type = "attachment", attachment = { type = "file", url = "https://p.example/menu", title = "Menu" } }
    expect(user:expect("message").attachment.media_type, nil)
    desk:say {
        type = "card", layout = "vertical", channelExtensions = { mediaType = "image/webp" },
        cards = {
            { title = "A", imageUrl = "https://p.example/a.png" },
            { title = "B", imageUrl = "https://p.example/b", channelExtensions = { mediaType = "image/gif" } },
            { title = "C" },
        },
    }
    local cards = user:expect("message").cards
    expect(cards[1].media_type, "image/webp")
    expect(cards[2], { media_type = "image/gif", channel_extensions = { mediaType = "image/gif" } })
    expect(cards[3].media_type, nil)
end)

scenario("a tap on a card opens its page", { tags = { "cards", "links" } }, function(t)
    local user, message = told(t, {
        type = "card", layout = "vertical", cards = {
            { title = "Margherita", description = "Tomato", imageUrl = "https://p.example/m.png",
                url = "https://p.example/m", actions = { "Order" } },
            { title = "Funghi", URL = "https://p.example/f" },
        },
    })
    expect(message.cards[1], { title = "Margherita", description = "Tomato", actions = { { label = "Order" } } })
    user:tap "Margherita"
    user:expect("link_opened", { url = "https://p.example/m" })
    user:tap "Funghi"
    user:expect("link_opened", { url = "https://p.example/f" })
end)

scenario("a card without a page cannot be tapped", { tags = { "cards" } }, function(t)
    local user = told(t, { type = "card", layout = "vertical", cards = { { title = "Margherita" } } })
    local done, message = pcall(user.tap, user, "Margherita")
    expect(done, false)
    expect(tostring(message), match.contains "no button")
end)

scenario("a table says how its columns and cells stand, and which page it is", { tags = { "table", "paging" } }, function(t)
    local user, message, desk = told(t, {
        type = "table",
        headings = {
            { label = "Name", alignment = "left", width = 70 },
            { label = "Page", alignment = "right", channelExtensions = { hint = "link" } },
        },
        rows = {
            { fields = {
                { displayType = "text", label = "Name", value = "Ada", alignment = "left", width = 70,
                    channelExtensions = { hint = "who" } },
                { displayType = "link", label = "Page", value = "https://s.example/1", linkLabel = "open",
                    alignment = "right" },
            } },
        },
        paginationInfo = {
            totalCount = 8, rangeSize = 5, rangeStart = 5, currentRangeSize = 3, nextRangeSize = -3,
            status = "Showing 6-8 of 8 items",
        },
    })
    expect(message.columns, {
        { label = "Name", alignment = "left", width = 70 },
        { label = "Page", alignment = "right", channel_extensions = { hint = "link" } },
    })
    expect(message.cells[1], {
        { type = "text", label = "Name", value = "Ada", alignment = "left", width = 70,
            channel_extensions = { hint = "who" } },
        { type = "link", label = "Page", value = "https://s.example/1", link_label = "open", alignment = "right" },
    })
    expect(message.pagination, { total = 8, start = 5, size = 5, current_size = 3, next_size = -3, has_next = false })
    desk:say {
        type = "form", formColumns = 1, forms = {
            { title = "Ada", fields = { { displayType = "text", label = "Room", value = 1 } },
                channelExtensions = { hint = "card" } },
        },
    }
    expect(user:expect("message").forms[1], { title = "Ada", channel_extensions = { hint = "card" } })
end)

scenario("a place of the skill has coordinates and a title", { tags = { "location" } }, function(t)
    local _, message = told(t, {
        type = "location", location = { latitude = 52.5, longitude = 13.4, title = "Our shop" },
    })
    expect(message.location, { latitude = 52.5, longitude = 13.4, title = "Our shop" })
end)

-- A skill with a table of five rows, three on a page.
local staff = { "Ada", "Bob", "Cleo", "Dan", "Eve" }
local function directory(message, session)
    local more = message.postback and message.postback.action == "system.showMore"
    local first = more and (session.variables.shown or 0) or 0
    local rows, forms = {}, {}
    for index = first + 1, math.min(first + 3, #staff) do
        rows[#rows + 1] = {
            fields = { { displayType = "text", label = "Name", value = staff[index] } },
            selectAction = { type = "postback", label = "Call " .. staff[index], postback = { call = staff[index] } },
        }
        forms[#forms + 1] = {
            title = staff[index], fields = {
                { displayType = "text", label = "Room", value = index },
                { displayType = "link", label = "Page", value = "https://s.example/" .. index, linkLabel = "open" },
            },
            actions = { "Write to " .. staff[index] },
        }
    end
    local page = {
        type = message.text == "details" and "tableForm" or message.text == "forms" and "form" or "table",
        headings = { { label = "Name", alignment = "left", width = 100 } }, rows = rows, forms = forms,
        formColumns = 2, showFormButtonLabel = "Details",
        paginationInfo = {
            totalCount = #staff, rangeSize = 3, rangeStart = first, currentRangeSize = #rows,
            nextRangeSize = #staff - first - 3, hasPrevious = first > 0, hasNext = first + 3 < #staff,
            status = ("Showing %d-%d of %d items"):format(first + 1, first + #rows, #staff),
        },
        globalActions = {
            { type = "postback", label = "Show More", postback = { action = "system.showMore" } },
        },
    }
    if page.type == "table" then page.forms, page.formColumns = nil, nil end
    if page.type == "form" then page.rows, page.headings = nil, nil end
    if page.type ~= "tableForm" then page.showFormButtonLabel = nil end
    if message.postback and message.postback.call then return "Calling " .. message.postback.call end
    return { messages = page, variables = { shown = first + #rows } }
end

local function reader(t, wish)
    local user = connected(t, nil, { skill = directory })
    user:say(wish)
    return user
end

scenario("a long table is read page by page", { tags = { "table", "paging", "smoke" } }, function(t)
    local user = reader(t, "staff")
    user:expect("message", {
        type = "table", headings = { "Name" }, rows = { { "Ada" }, { "Bob" }, { "Cleo" } },
        pagination = {
            total = 5, start = 0, size = 3, has_next = true, has_previous = false,
            status = "Showing 1-3 of 5 items",
        },
    })
    user:tap "Show More"
    user:expect("message", {
        rows = { { "Dan" }, { "Eve" } }, pagination = { has_next = false, has_previous = true },
    })
end)

scenario("a tap on a row does what the row says", { tags = { "table" } }, function(t)
    local user = reader(t, "staff")
    user:expect("message", { type = "table" })
    user:tap "Call Bob"
    user:expect("message", { text = "Calling Bob" })
end)

scenario("forms to read come in columns, with fields of several kinds", { tags = { "form", "paging" } }, function(t)
    local user = reader(t, "forms")
    local message = user:expect("message", { type = "form", forms = match.count(3), form_columns = 2 })
    expect(message.forms[1], {
        title = "Ada", fields = {
            { type = "text", label = "Room", value = 1 },
            { type = "link", label = "Page", value = "https://s.example/1", link_label = "open" },
        },
        actions = { { label = "Write to Ada" } },
    })
    expect(message.pagination, { total = 5, has_next = true })
end)

scenario("each row of a table can have a form of details", { tags = { "table", "form", "paging" } }, function(t)
    local user = reader(t, "details")
    local message = user:expect("message", { type = "tableForm", rows = match.count(3), forms = match.count(3) })
    expect(message, { show_form_label = "Details", form_columns = 2, pagination = { has_next = true } })
    user:tap "Write to Cleo"
    user:expect("message_sent", { text = "Write to Cleo" })
    user:expect "message"
end)

scenario("a message for one channel only is passed on as it is", { tags = { "raw" } }, function(t)
    local _, message = told(t, { type = "raw", payload = { blocks = { { kind = "divider" } } } })
    expect(message, { type = "raw", payload = { blocks = { { kind = "divider" } } } })
end)

scenario("a text comes in pieces and is one message in the end", {
    tags = { "stream" }, faults = { delay = "a text that stops coming for five seconds is taken as it is" },
}, function(t)
    local desk = t:server(oracle, {
        skill = function() return { stream = { "Once ", "upon ", "a time" }, interval = "300ms" } end,
    })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "A story"
    user:expect("message_updated", { state = "start", piece = "Once ", text = "Once " })
    user:upload { name = "a.txt", text = "?" }
    user:expect("error", { code = "StreamInProgress" })
    user:expect("message_updated", { state = "running", piece = "upon ", text = "Once upon " })
    user:expect("message_updated", { state = "end", text = "Once upon a time" })
    user:expect("message", { text = "Once upon a time", end_of_turn = true })
    expect(user:history().messagesCount, 2, "only the whole text is kept")
    expect(beginnings.messages(desk), { { text = "A story" } })
end)

scenario("a text that stops coming is taken as it is after five seconds", {
    tags = { "stream", "slow" }, faults = { duplicate = "a piece that does not say the whole text is one more" },
}, function(t)
    local user = told(t, {
        { type = "textStream", text = "Once ", streamState = "start", streamId = "s", end_of_turn = false },
    }, "message_updated")
    user:expect_silence("4.5s", "message")
    user:expect("message", { text = "Once " }, { within = "1s" })
    user:say "Go on"
    user:expect("message", { text = "Go on" })
end)

scenario("a message can continue the bubble above it", { tags = { "extensions" } }, function(t)
    local user, _, desk = told(t, "One moment")
    desk:say { text = "Here it is", channelExtensions = { appendMessage = true } }
    user:expect("message", { text = "Here it is" })
    expect(user:screen().messages, { { text = "One moment\nHere it is" } })
end)

scenario("buttons can open a popup with a message of its own", { tags = { "popup" } }, function(t)
    local user = told(t, {
        text = "Sizes?", actions = {
            { type = "popup", label = "Show", popupContent = { type = "text", text = "Small and large" } },
        },
    })
    user:tap "Show"
    user:expect("message", { popup = true, text = "Small and large" })
end)

scenario("an action for the application stays on the device", { tags = { "client actions" } }, function(t)
    local user, _, desk = told(t, {
        text = "Your cart", actions = { { type = "client", label = "Open", actionType = "navigate" } },
    })
    user:tap "Open"
    user:expect("action_performed", { type = "client", name = "navigate" })
    expect(beginnings.messages(desk), match.count(0))
end)

scenario("orders and events of the skill are no messages", { tags = { "commands" } }, function(t)
    local user = told(t, { type = "command", command = "volumeUp" }, "command")
    expect(user:events("command")[1], { command = "volumeUp" })
    expect(#user:screen().messages, 0)
end)

for _, row in ipairs {
    { { type = "executeApplicationActionCommand", applicationName = "Shop", pageName = "Cart", action = "open" },
        "command", { command = "executeApplicationAction", application = "Shop", page = "Cart", action = "open" } },
    { { type = "getDebugInfoCommand", infoTypes = { "client" } }, "command",
        { command = "getDebugInfo", info_types = { "client" } } },
    { { type = "outboundEvent", eventType = "shop.closed", eventVersion = "1.0", eventData = { till = "nine" } },
        "skill_event", { type = "shop.closed", version = "1.0", data = { till = "nine" } } },
    { { type = "error", errorMessage = "Out of dough" }, "error", { code = "SkillError", message = "Out of dough" } },
} do
    scenario(("a message of type %s is seen as %s"):format(row[1].type, row[2]), {
        tags = { "commands" }, allow = { "frame" },
    }, function(t)
        local _, event = told(t, row[1], row[2])
        expect(event, row[3])
    end)
end

scenario("a message of a type that nobody knows is not shown", { tags = { "commands" } }, function(t)
    local user, desk = connected(t)
    desk:send_frame { messagePayload = { type = "telepathy" }, msgId = "1", source = "BOT" }
    user:expect("frame", { ignored = match.contains "not shown" })
    expect(user.messages, 0)
end)

scenario("the application can tell the skill of an event and of where the user is", {
    tags = { "events" }, faults = { delay = "it looks at once, for the skill answers nothing" },
}, function(t)
    local heard = {}
    t:server(oracle, { skill = function(message) heard[#heard + 1] = message end })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:send_event("cart.changed", "1.0", { items = 2 })
    user:update_context("cart", { parameters = { items = 2 }, reset = true })
    user:expect_silence("200ms", "typing")
    expect(heard, {
        { type = "inboundEvent", eventType = "cart.changed", eventVersion = "1.0", eventData = { items = 2 } },
        { type = "updateApplicationContextCommand", source = "chatWindow", context = "cart", reset = true },
    })
end)

scenario("a payload without a type is refused, or an error of the skill", { tags = { "payloads", "errors" } }, function(t)
    local user, desk = connected(t, {}, { skill = function() return { layout = "vertical", cards = {} } end })
    user:say "Cards, please"
    user:expect("error", { message = match.contains "type" })
    local done, message = pcall(function() desk:say { layout = "vertical", cards = {} } end)
    expect(done, false)
    expect(tostring(message), match.contains "needs a type")
    done, message = pcall(function() desk:say { "One moment", { cards = {} } } end)
    expect(done, false)
    expect(tostring(message), match.contains "needs a type")
end)
