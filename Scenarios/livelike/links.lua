-- Which parts of a message are links.
local livelike = require "livelike"

-- The texts of the links that a member with these options finds in a message.
local function links(t, options, text)
    local service = t:server(livelike)
    local ada = t:actor(livelike, options)
    ada:connect "lobby"
    ada:expect "connected"
    service:moderator("Host"):say(text)
    local message, found = ada:expect("message", { text = text }), {}
    for number, link in ipairs(message.links or {}) do
        found[number] = link.text
        check(text:sub(link.start, link.stop), link.text)
    end
    return found
end

for _, row in ipairs {
    { "see https://example.org/a?b=c#d.", "https://example.org/a?b=c#d" },
    { "(www.example.com), please", "www.example.com" },
    { "grüße von example.de!", "example.de" },
    { "http://10.0.0.1:8080/status is up", "http://10.0.0.1:8080/status" },
    { "no link: at 12.30, v1.2.3, e.g. this" },
    { "https:// is none either" },
} do
    scenario("the default detector reads: " .. row[1], { tags = { "links" } }, function(t)
        expect(links(t, { enableChatMessageURLs = true }, row[1]), { row[2] })
    end)
end

scenario("links are on by default on iOS and off on Android", { tags = { "links" } }, function(t)
    expect(links(t, { platform = "ios" }, "www.example.com"), { "www.example.com" })
    expect(links(t, { platform = "android" }, "www.example.com"), {})
end)

scenario("an application without links shows plain text", { tags = { "links" } }, function(t)
    expect(links(t, { enableChatMessageURLs = false }, "www.example.com"), {})
end)

scenario("a pattern of the application's own decides alone", { tags = { "links" } }, function(t)
    local tags = { enableChatMessageURLs = true, chatMessageUrlPatterns = "#[a-z]+" }
    expect(links(t, tags, "#goal and #win at www.example.com"), { "#goal", "#win" })
end)

scenario("a pattern finds nothing where links are off", { tags = { "links" } }, function(t)
    expect(links(t, { enableChatMessageURLs = false, chatMessageUrlPatterns = "#[a-z]+" }, "#goal"), {})
end)

scenario("links are set for the content session, and the chat session says otherwise", { tags = { "links" } }, function(t)
    local service = t:server(livelike)
    local content = { enableChatMessageURLs = true, chatMessageUrlPatterns = "goal[0-9]+" }
    local ada = t:actor(livelike, { name = "Ada", nickname = "Ada", contentSession = content })
    local ben = t:actor(livelike, { name = "Ben", contentSession = content, enableChatMessageURLs = false })
    for _, member in ipairs { ada, ben } do
        member:connect "lobby"
        member:expect "connected"
    end
    service:moderator("Host"):say("see goal1", "lobby")
    ada:expect("message", { links = { { text = "goal1" } } })
    ben:expect("message", { links = match.absent })
end)
