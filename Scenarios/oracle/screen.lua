-- What a view of the chat would show: buttons that can be used, links, people, words for screen readers, and what the
-- client says itself while the skill is silent.
local oracle = require "oracle"
local connected = require("beginnings").connected

local function shown(t, options, server) return connected(t, options, server or { echo = true }) end

-- Which of three kinds of buttons can be used after the user has answered.
for mode, usable in pairs {
    all = { postback = false, url = false }, postback = { postback = false, url = true },
    none = { postback = true, url = true },
} do
    scenario(("past buttons with disable_past_actions %s"):format(mode), { tags = { "buttons" } }, function(t)
        local user, desk = shown(t, { disable_past_actions = mode })
        desk:say { text = "Well?", actions = {
            { type = "postback", label = "Yes", postback = "yes" },
            { type = "url", label = "Page", url = "https://p.example" },
            { type = "location", label = "Here" },
        } }
        user:expect("message", { text = "Well?" })
        user:say "No buttons, please"
        user:expect("message", { text = "No buttons, please" })
        expect(user:screen().buttons, {
            { label = "Yes", enabled = usable.postback }, { label = "Page", enabled = usable.url },
            { label = "Here", enabled = usable.postback },
        })
    end)
end

scenario("buttons lie as the configuration says, each kind by itself", { tags = { "layout" } }, function(t)
    local user, desk = shown(t, {
        ui = { actions_layout = { ["local"] = "vertical", global = "horizontal", card = "vertical", form = "horizontal" } },
    })
    desk:say {
        type = "card", layout = "horizontal", cards = { { title = "Funghi", actions = { "Order" } } },
        actions = { "Back" }, globalActions = { "Help" },
    }
    user:expect "message"
    expect(user:screen().buttons, {
        { label = "Back", place = "local", layout = "vertical" },
        { label = "Order", place = "card", layout = "vertical", card = "Funghi" },
        { label = "Help", place = "global", layout = "horizontal" },
    })
end)

scenario("links open in a browser or within the chat", { tags = { "links" } }, function(t)
    local user = shown(t, { ui = { link_handler = "webview", web_view_size = "full", clear_button_label = "Close" } })
    user:open_link "https://p.example/menu"
    user:expect("link_opened", {
        handler = "webview", size = "full", title = "https://p.example/menu", close = "Close",
        title_label = user:string "odais_access_label_webview_title",
    })
    user:open_link("https://p.example/gone", true)
    user:expect("error", { code = "LinkNotLoaded", message = user:string "odais_fail_to_load" })
    user:expect "link_opened"
    user:open_link "no link"
    user:expect("error", { code = "LinkInvalid", message = user:string "odais_check_url" })
end)

scenario("the header has a title, a subtitle or the state of the connection", { tags = { "header" } }, function(t)
    local user = shown(t, { title = "Pizza King", show_connection_status = true })
    expect(user:screen().header, { title = "Pizza King", subtitle = user:string "odais_connected" })
    local other = t:actor(oracle, { name = "other", strings = { odais_subtitle = "We bake" } })
    expect(other:screen().header, { title = other:string "odais_chat_title", subtitle = "We bake" })
end)

scenario("a chat can run from right to left", { tags = { "layout" } }, function(t)
    local user = shown(t, { ui = { is_rtl = true } })
    expect(user:screen().direction, "rtl")
    expect(user:screen_html(), match.contains 'dir="rtl"')
end)

scenario("screen readers hear what kind of message came and from whom", { tags = { "accessibility" } }, function(t)
    local user, desk = shown(t)
    user:say "Hello"
    user:expect("message", { text = "Hello", label = match.contains "Hello" })
    desk:say { type = "attachment", attachment = { type = "image", url = "https://p.example/a.png" } }
    user:expect("message", { label = match.contains "image" })
    desk:say { text = "Stars?", channelExtensions = { displayType = "stars" }, actions = { "1", "2", "3" } }
    user:expect("message", { rating = true })
    expect(user:rate(2), match.contains "2")
    user:expect "message"
    local own = user:screen().messages[1]
    expect(own.label, match.contains "Hello")
end)

scenario("pictures stand for people, initials for who has none", { tags = { "people" } }, function(t)
    local user, desk = shown(t)
    user:set_person_avatar "ada.png"
    user:say "Hello"
    user:expect "message"
    desk:say { text = "Hi", from = "agent", channelExtensions = { agentSession = { name = "Bob Baker" } } }
    user:expect("agent_joined", { agent = { name = "Bob Baker" } })
    user:expect("message", { agent = "Bob Baker" })
    local messages = user:screen().messages
    expect(messages[1].avatar, "ada.png")
    expect(messages[3].avatar, "BB")
    user:set_agent_details { name = "Roberta", avatar_image = "r.png" }
    expect(user:get_agent_details(), { name = "Roberta", avatarImage = "r.png" })
    expect(user:screen().messages[3].avatar, "r.png")
end)

scenario("the user confirms the end of a conversation", { tags = { "endings" } }, function(t)
    local user = shown(t)
    local prompt = user:close_chat(false)
    expect(prompt, { yes = "Yes", no = "No", title = match.any, message = match.any })
    user:expect_silence("200ms", "ended")
    user:close_chat(true)
    user:expect("ended", { reason = "user" })
end)

scenario("without its button nobody closes the chat", { tags = { "endings" } }, function(t)
    local user = shown(t, { enable_end_conversation = false })
    expect(pcall(user.close_chat, user), false)
end)

-- What the client says for a silent skill, second by second.
local function until_sorry(user, first)
    local start = now()
    if first == "greeting" then user:expect("auto_message", { type = "greeting" }, { within = "5.5s" }) end
    for second = 10, 30, 5 do
        user:expect("auto_message", { type = "wait" }, { within = "10.5s" })
        expect(now() - start, match.between(second - 0.1, second + 2))
    end
    user:expect("auto_message", { type = "sorry" }, { within = "5.5s" })
    expect(now() - start, match.between(34.9, 37))
end

scenario("a client greets after 5 seconds, asks for patience every 5 seconds and gives up after 35", {
    tags = { "default responses" },
}, function(t)
    local user = shown(t, { enable_default_client_response = true }, {})
    user:say "Hello?"
    until_sorry(user, "greeting")
    expect(user:screen().typing, false)
    expect(user:screen().messages, match.count(8))
    user:expect_silence("60s", "auto_message")
end)

scenario("an answer ends the waiting", {
    tags = { "default responses" }, faults = { delay = "a late answer is waited for with more words" },
}, function(t)
    local user, desk = shown(t, { enable_default_client_response = true }, {})
    user:say "Hello?"
    user:expect("auto_message", { type = "greeting", text = user:string "odais_default_greeting_message" })
    wait "2s"
    desk:say "Here I am"
    user:expect("message", { text = "Here I am" })
    user:expect_silence("60s", "auto_message")
    user:say "And now?"
    user:expect("auto_message", { type = "wait" }, { within = "10.5s" })
end)

scenario("the indicator stays until the apology", { tags = { "default responses", "typing" } }, function(t)
    local user = shown(t, {
        enable_default_client_response = true, default_greeting_timeout = "2s", typing_status_timeout = "8s",
    }, {})
    local start = now()
    user:say "Hello?"
    user:expect("typing", { active = true })
    user:expect("typing", { active = false }, { within = "15s" })
    expect(now() - start, match.between(9.9, 12))
    user:expect("auto_message", { type = "sorry" })
    expect(now() - start, match.between(9.9, 12))
    t:allow "auto_message"
end)

scenario("a letter that stands for nothing in a date is refused", { tags = { "timestamps" } }, function(t)
    t:server(oracle, { echo = true })
    for _, pattern in ipairs { "zzz", "LLL D", "'open" } do
        expect(pcall(function() t:actor(oracle, { timestamp_format = pattern }) end), false)
    end
end)

scenario("the times of the client's own words can be chosen", {
    tags = { "default responses" },
}, function(t)
    local user = shown(t, {
        enable_default_client_response = true, default_greeting_timeout = "2s", default_wait_message_interval = "4s",
        typing_status_timeout = "10s", strings = { odais_default_sorry_message = "No luck" },
    }, {})
    local start = now()
    user:say "Hello?"
    for _, row in ipairs { { "greeting", 2 }, { "wait", 6 }, { "wait", 10 }, { "sorry", 12 } } do
        user:expect("auto_message", { type = row[1] }, { within = "5s" })
        expect(now() - start, match.between(row[2] - 0.1, row[2] + 2))
    end
    expect(user:events("auto_message")[4].text, "No luck")
end)

scenario("agents are not helped out", { tags = { "default responses", "agent" } }, function(t)
    local user, desk = shown(t, { enable_default_client_response = true }, {})
    desk:say { text = "Bob here", from = "agent", channelExtensions = { agentName = "Bob" } }
    user:expect("message", { from = "agent" })
    user:say "Hello?"
    user:expect_silence("60s", "auto_message")
end)

-- Returns the hour and the minute of a moment in seconds, as UTC counts them.
local function clock(pattern, seconds)
    return pattern:format(math.floor(seconds / 3600) % 24, math.floor(seconds / 60) % 60)
end

scenario("a time is written as its pattern says, in the user's zone, with quoted words as they are", {
    tags = { "timestamps" }, faults = { clock_jump = "it reads the clock", delay = "the minute may be over" },
}, function(t)
    local user, desk = shown(t, {
        enable_timestamp = true, timestamp_mode = "default", time_zone_offset = 330,
        timestamp_format = "yy yyyy-MM-dd 'at' HH:mm:ss.SSS",
    })
    local said = date.epoch(date.now())
    desk:say "Now"
    local written = user:expect("message", { text = "Now" }).timestamp
    expect(written, match.pattern "^%d%d %d%d%d%d%-%d%d%-%d%d at %d%d:%d%d:%d%d%.%d%d%d$")
    expect(written:sub(1, 2), written:sub(6, 7), "the year in two digits is the end of the one in four")
    expect(written, match.one_of { match.contains(clock(" at %02d:%02d:", said + 330 * 60)),
        match.contains(clock(" at %02d:%02d:", date.epoch(date.now()) + 330 * 60)) })
end)

scenario("the first message of a day, as the user's zone counts it, has the date above it", {
    tags = { "timestamps" }, clock = "virtual",
    faults = { clock_jump = "it reads the clock", delay = "what is late comes on the next day" },
}, function(t)
    -- A zone in which it is two minutes to midnight.
    local offset = (1438 - math.floor(date.epoch(date.now()) / 60)) % 1440
    if offset > 720 then offset = offset - 1440 end
    local user, desk = shown(t, {
        enable_timestamp = true, timestamp_mode = "relative", time_zone_offset = offset, timestamp_format = "HH:mm",
    })
    local function headed(text)
        desk:say(text)
        return user:expect("message", { text = text }).timestamp_header
    end
    expect(headed "first", "23:58")
    expect(headed "second", nil)
    wait "2m"
    expect(headed "early", "00:00")
    expect(headed "later", nil)
    t:allow "timestamp_changed"
end)

scenario("a link without a scheme is none", { tags = { "links" } }, function(t)
    local user = shown(t)
    for _, url in ipairs { ":nothing", "https//p.example", "https://p example" } do
        user:open_link(url)
        user:expect("error", { code = "LinkInvalid" })
    end
    user:open_link "x:y"
    user:expect("link_opened", { url = "x:y" })
end)

scenario("a page within the chat can be closed once", { tags = { "links" } }, function(t)
    local user = shown(t, { ui = { link_handler = "webview" } })
    expect(pcall(user.close_link, user), false, "no page is open")
    user:open_link "https://p.example/menu"
    user:expect "link_opened"
    user:close_link()
    expect(pcall(user.close_link, user), false, "it is closed already")
end)

scenario("of several buttons with the same words the one that was not answered yet is meant", {
    tags = { "buttons" },
}, function(t)
    local user, desk = shown(t, { disable_past_actions = "none" })
    local function ask(text, answer)
        desk:say { text = text, actions = { { type = "postback", label = "Yes", postback = answer } } }
        user:expect("message", { text = text })
    end
    ask("Tea?", "tea")
    user:say "Wait"
    user:expect("message", { text = "Wait" })
    ask("Coffee?", "coffee")
    user:tap "Yes"
    user:expect("message_sent", { postback = "coffee" })
    user:expect "message"
    desk:say { text = "Milk?", actions = {
        { type = "postback", label = "No", postback = "black" }, { type = "postback", label = "No", postback = "oat" },
    } }
    user:expect("message", { text = "Milk?" })
    local tapped, why = pcall(user.tap, user, "No")
    expect(tapped, false)
    expect(tostring(why), match.contains "2 buttons")
    expect(#user:events "message_sent", 2, "nothing was sent")
end)

scenario("without a zone of the user times are those of UTC", {
    tags = { "timestamps" },
    faults = { clock_jump = "it reads the clock", delay = "the minute may be over" },
}, function(t)
    local user, desk = shown(t, { enable_timestamp = true, timestamp_mode = "default", timestamp_format = "HH:mm" })
    local said = date.epoch(date.now())
    desk:say "Now"
    local written = user:expect("message", { text = "Now" }).timestamp
    expect(written, match.one_of { clock("%02d:%02d", said), clock("%02d:%02d", date.epoch(date.now())) })
end)

scenario("the age of the latest message on the screen grows", { tags = { "timestamps" } }, function(t)
    local user, desk = shown(t, { enable_timestamp = true, timestamp_mode = "relative" })
    desk:say "Now"
    user:expect("message", { text = "Now" })
    expect(user:screen().messages[1].time, user:string "odais_timestamp_now")
    local said = user:expect("timestamp_changed", nil, { within = "2m" })
    expect(user:screen().messages[1].time, said.text)
    wait "3m"
    local changes = user:events "timestamp_changed"
    expect(#changes > 1)
    expect(user:screen().messages[1].time, changes[#changes].text)
    t:allow "timestamp_changed"
end)

scenario("without a window nothing counts as unread", {
    tags = { "window" }, faults = { delay = "a late piece comes after the end of its text" },
}, function(t)
    local user, desk = shown(t, { enable_headless = true, open_chat_on_load = false })
    desk:say "Are you there?"
    user:expect("message", { text = "Are you there?" })
    desk:say { stream = { "One ", "two" }, interval = "10ms" }
    user:expect("message", { text = "One two" })
    expect(user.unread, 0)
    expect(user:events "unread_changed", match.count(0))
    t:allow "message_updated"
end)
