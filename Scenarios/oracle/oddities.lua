-- What the vendor's document says twice, wrongly or in several spellings.
local connected = require("beginnings").connected

local function told(t, message, options)
    local user, desk = connected(t, options)
    desk:say(message)
    return user, user:expect "message"
end

scenario("a link may be called a call, and its URL may be in capitals", { tags = { "oddities" } }, function(t)
    local user = told(t, {
        text = "Look", actions = { { type = "call", label = "Open", URL = "https://a.example" } },
    })
    user:tap "Open"
    user:expect("link_opened", { url = "https://a.example" })
end)

scenario("coordinates are what they are called, though the table swaps what they mean", {
    tags = { "oddities" },
}, function(t)
    local _, message = told(t, {
        type = "location", location = { latitude = 37.5, longitude = -122.2, URL = "https://maps.example" },
    })
    expect(message.location, { latitude = 37.5, longitude = -122.2 })
end)

scenario("the fields of a form may be called field", { tags = { "oddities" } }, function(t)
    local _, message = told(t, {
        type = "form", formColumns = 1, forms = { { field = { { displayType = "text", label = "a", value = "b" } } } },
    })
    expect(message.forms[1].fields[1].value, "b")
end)

scenario("the pages of a table with forms are pages, though the table calls them actions", {
    tags = { "oddities" },
}, function(t)
    local _, message = told(t, {
        type = "tableForm", formColumns = 1, headings = { { label = "a", alignment = "left" } },
        rows = { { fields = { { displayType = "text", label = "a", value = 1 } } } },
        forms = { { fields = { { displayType = "text", label = "a", value = 1 } } } },
        paginationInfo = {
            totalCount = 4, rangeSize = 8, rangeStart = 0, currentRangeSize = 4, nextRangeSize = -4,
            hasPrevious = false, hasNext = false, status = "Showing 1-4 of 4 items",
        },
    })
    expect(message.pagination, { total = 4, has_next = false, status = "Showing 1-4 of 4 items" })
end)

scenario("a frame that is not JSON, as a sample of the document, is ignored", {
    tags = { "oddities" }, faults = { duplicate = "what is no message has no msgId" },
}, function(t)
    local user, desk = connected(t)
    desk:send_frame("{\"actions\":[]],\"userId\":\"guest\",\"userId\":\"guest\"}", user)
    user:expect("frame", { ignored = match.any })
    desk:say "Still well"
    user:expect("message", { text = "Still well" })
end)

scenario("reading aloud has two names", { tags = { "oddities" } }, function(t)
    local user, desk = connected(t, { enable_bot_audio_response = true, init_bot_audio_muted = false })
    expect(user:setting "enableSpeechSynthesis")
    desk:say "Hello"
    user:expect "message"
    user:expect("speech_spoken", { text = "Hello" })
end)

for _, name in ipairs { "share_popup_configuration", "share_menu_configuration", "share_menu_items" } do
    scenario("the share menu is called " .. name, { tags = { "oddities" } }, function(t)
        local user = connected(t, { [name] = { items = { "audio" } } })
        user:upload { name = "a.png", text = "a" }
        user:expect("error", { code = "UploadBadFile" })
    end)
end

scenario("latitude 0 is refused as missing", { tags = { "oddities" } }, function(t)
    local user = connected(t)
    user:send_location(0, 10)
    user:expect("error", { code = "MessageInvalid" })
end)

for _, name in ipairs {
    "enable_auto_send_speech_response", "enable_speech_recognition_auto_send", "enable_speech_auto_send_speech_response",
} do
    scenario("speech waits in the input field with " .. name, { tags = { "oddities" } }, function(t)
        local user = connected(t, { enable_speech_recognition = true, [name] = false }, { speech = { "order a pizza" } })
        user:start_recording { duration = "300ms" }
        user:expect("speech_final", { text = "order a pizza", sent = false })
        expect(user:screen().input, "order a pizza")
    end)
end

scenario("a new language belongs to the change of language, not to the start", { tags = { "oddities" } }, function(t)
    local user = connected(t, { multi_lang_chat = { primary_language = "en" } })
    expect(user:events("initialized")[1].language, nil)
    user:set_language "fr"
    user:expect("language_changed", { language = "fr" })
end)
