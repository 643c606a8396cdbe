-- What an agent must not see: tags, markers, secure fields.
local liveassist = require "liveassist"
local beginnings = require "beginnings"

local screen = {
    elements = {
        { id = "name", type = "text", label = "Name", value = "Ada" },
        {
            id = "card", tag = 1, label = "s-card", value = "s-4111",
            elements = { { id = "cvc", type = "text", label = "s-cvc", value = "s-737" } },
        },
        { id = "salary", type = "text", tag = 2, label = "s-salary", value = "s-100000" },
        { id = "account", type = "text", permission = "bank", label = "s-account", value = "s-DE00" },
        { id = "pin", type = "text", secure = true, label = "PIN", value = "s-4711" },
    },
}

-- A consumer with these options whose screen an agent with these permissions watches.
local function watched(t, options, permissions)
    options.screen = screen
    local consumer, agent = beginnings.cobrowsing(t, options, { permissions = permissions })
    agent:expect "screen"
    t:allow "cobrowse_active"
    return consumer, agent
end

-- Everything that has ever reached an agent, wire form included.
local function everything(agent)
    return json.encode(agent:events())
end

local tags = { hidingTags = { 1 }, maskingTags = { 2 }, maskColor = "green" }

scenario("hidden elements are black boxes, masked ones have the mask color", { tags = { "privacy" } }, function(t)
    local _, agent = watched(t, tags)
    local view = agent:view()
    expect(view, match.has { id = "name", value = "Ada" })
    expect(view, match.has { covered = "black", label = match.absent, value = match.absent, id = match.absent })
    expect(view, match.has { covered = "green", label = match.absent, value = match.absent, id = match.absent })
    expect(everything(agent), match.is_not(match.contains "s-"))
end)

scenario("whatever happens, nothing covered leaves the consumer", { tags = { "privacy" } }, function(t)
    local consumer, agent = watched(t, tags)
    for round = 1, 3 do
        consumer:change("cvc", "s-cvc " .. round)
        consumer:change("salary", "s-salary " .. round)
        consumer:change("account", "s-account " .. round)
        consumer:change("name", "Ada " .. round)
        agent:expect("screen", { elements = match.has { value = "Ada " .. round } })
        agent:click(10, 50)
        agent:type_text("x", 10, 90)
    end
    consumer:take_snapshot()
    agent:expect "snapshot"
    consumer:pause_cobrowse()
    consumer:resume_cobrowse()
    agent:expect("screen", { full = true })
    expect(everything(agent), match.is_not(match.contains "s-"))
    expect(agent:form().descriptors, { { label = "Name" } })
    expect(consumer:events "remote_input", match.is_not(match.has { element = "salary" }))
    t:allow { "remote_input", "form" }
end)

scenario("a marker shows an element to those who may see it, in a color of its own to others", {
    tags = { "privacy", "permissions" },
}, function(t)
    local options = { hidingTags = { 1, 2 }, permissionsColors = { bank = "blue" } }
    local _, stranger = watched(t, options)
    expect(stranger:view(), match.has { covered = "blue" })
    expect(everything(stranger), match.is_not(match.contains "s-"))
end)

scenario("an agent of the bank sees the account", { tags = { "privacy", "permissions" } }, function(t)
    local _, agent = watched(t, tags, { viewable = { "default", "bank" }, interactive = { "default" } })
    expect(agent:view(), match.has { label = "s-account", value = "s-DE00" })
    expect(agent:view(), match.is_not(match.has { label = "s-salary" }))
end)

scenario("a secure field shows dots, however often it changes", { tags = { "privacy" } }, function(t)
    local consumer, agent = watched(t, tags)
    expect(agent:view(), match.has { label = "PIN", value = match.pattern "^[^%w]+$" })
    consumer:change("pin", "s-0815")
    agent:expect("screen", { elements = match.has { label = "PIN" } })
    expect(everything(agent), match.is_not(match.contains "s-"))
end)

scenario("an element loses its marker and is seen", { tags = { "privacy", "permissions" } }, function(t)
    local consumer, agent = watched(t, tags)
    consumer:change("account", "public", "")
    agent:expect("screen", { elements = match.has { value = "public" } })
end)

scenario("the agent sees the new screen and nothing of the former one", { tags = { "privacy", "screen" } }, function(t)
    t:allow "cobrowse_active"
    local consumer, agent = beginnings.cobrowsing(t, {
        screen = { elements = { { id = "go", type = "button", label = "Transfer" }, { id = "card", label = "4711" } } },
    })
    agent:expect("screen", { full = true })
    consumer:show_screen { elements = { { id = "done", label = "Done" } } }
    agent:expect("screen", { full = true, elements = { { id = "done" } } })
    expect(agent:view(), { { id = "done" } })
    expect(pcall(function() agent:click(nil, nil, "go") end), false)
end)

scenario("what is covered later is gone from the picture, with all that is in it", { tags = { "privacy" } }, function(t)
    t:allow "cobrowse_active"
    local consumer, agent = beginnings.cobrowsing(t, {
        screen = {
            elements = {
                {
                    id = "box",
                    elements = {
                        { id = "name", type = "text", value = "Ada" },
                        { id = "aside", type = "text", value = "1815", x = 0, y = 500, width = 90, height = 20 },
                    },
                },
                { id = "open", label = "Open", y = 300 },
            },
        },
    })
    agent:expect "screen"
    consumer:change("box", nil, "private")
    agent:expect("screen", { full = true })
    local view = agent:view()
    expect(#view, 2)
    expect(view[1], { covered = "black" })
    expect(view[2], { id = "open" })
end)

scenario("a misspelt mask is refused and shows no secret", { tags = { "privacy" } }, function(t)
    t:server(liveassist)
    for _, element in ipairs {
        { id = "pin", type = "text", Tag = 1, value = "1815" }, { id = "pin", type = "textfield" },
        { id = "pin", secure_text = true }, { id = "pin", permision = "private" },
    } do
        local done, message = pcall(function()
            t:actor(liveassist, { hidingTags = { 1 }, screen = { elements = { element } } })
        end)
        expect(done, false)
        expect(tostring(message), match.contains "element")
    end
    expect(pcall(function() t:actor(liveassist, { maskColor = "blacck" }) end), false)
end)
