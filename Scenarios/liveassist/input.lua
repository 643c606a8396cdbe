-- What an agent does with mouse, keyboard and forms on the consumer's screen.
local beginnings = require "beginnings"

local screen = {
    elements = {
        { id = "city", type = "text", label = "City", value = "" },
        { id = "terms", type = "checkbox", label = "Terms", value = "false" },
        { id = "size", type = "select", label = "Size", options = { "S", "M", "L" } },
        { id = "send", type = "button", label = "Send" },
        { id = "staff", type = "text", label = "Staff", permission = "staff", value = "" },
    },
}

-- A consumer whose screen an agent watches; further options of the consumer may be given.
local function cobrowsing(t, options)
    options = options or {}
    options.screen = screen
    local consumer, agent = beginnings.cobrowsing(t, options)
    agent:expect("cobrowse_active", { active = true })
    t:allow "cobrowse_active"
    return consumer, agent
end

scenario("an agent types, ticks, scrolls and points with its mouse", { tags = { "input" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:type_text("Berlin", nil, nil, "city")
    consumer:expect("remote_input", { type = "type", element = "city", value = "Berlin", agent = "Sam" })
    agent:click(nil, nil, "terms")
    consumer:expect("remote_input", { type = "click", element = "terms" })
    consumer:expect("remote_input", { type = "toggle", element = "terms", value = "true" })
    agent:double_click(nil, nil, "send")
    consumer:expect("remote_input", { type = "double_click", element = "send" })
    for _, direction in ipairs { "up", "down", "left", "right" } do
        agent:scroll(direction)
        consumer:expect("remote_input", { type = "scroll", direction = direction })
    end
    agent:expect("screen", { elements = match.has { label = "City", value = "Berlin" } })
    local function refused(words, method, ...)
        local done, why = pcall(method, ...)
        expect({ done, tostring(why) }, { false, match.contains(words) })
    end
    refused("of type button, into which nothing is typed", agent.type_text, agent, "Berlin", nil, nil, "send")
    refused("of type checkbox, into which nothing is typed", agent.type_text, agent, "Berlin", 10, 50)
    refused("outside of the screen", agent.click, agent, 390, 10)
    refused("outside of the screen", consumer.move_mouse, consumer, 10, 844)
    refused("a color as #rrggbb", agent.draw, agent, "M 1 1 L 2 2", "nocolor")
    refused("a width from 1 to 25, not -3", agent.draw, agent, "M 1 1 L 2 2", nil, -3)
    refused("an opacity from 0 to 1, not 9", agent.draw, agent, "M 1 1 L 2 2", nil, nil, 9)
    refused("needs a URL", agent.push_link, agent, "")
    t:allow "remote_input"
end)

scenario("pressing here and releasing there is no click", { tags = { "input" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:mouse_down(nil, nil, "send")
    agent:mouse_up(nil, nil, "city")
    consumer:expect("remote_input", { type = "mouse_up", element = "city" })
    expect(consumer:events "remote_input", match.is_not(match.has { type = "click" }))
end)

scenario("what an agent may not touch stays as it is", { tags = { "input", "permissions" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:type_text("mine", 10, 170) -- where the element for the staff is
    agent:click(10, 170)
    consumer:expect("remote_input", { type = "mouse_up", element = match.absent })
    expect(consumer:screen().elements, match.has { id = "staff", value = "" })
end)

scenario("the shadow cursor shows the agent where the consumer's mouse is", { tags = { "input" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:move_mouse(12, 34)
    agent:expect("remote_input", { type = "mouse_move", x = 12, y = 34 })
    consumer:show_screen {
        width = 100, height = 200, elements = { { id = "send", type = "button", x = 10, y = 20, width = 40, height = 60 } },
    }
    consumer:move_mouse(nil, nil, "send")
    agent:expect("remote_input", { type = "mouse_move", x = 30, y = 50 })
    for _, place in ipairs {
        { {}, "needs x and y, or an element" }, { { 1 }, "needs x and y, or an element" },
        { { nil, nil, "sned" }, "there is no element \"sned\"" }, { { 1, 2, "send" }, "leave out one of them" },
    } do
        local done, why = pcall(consumer.move_mouse, consumer, place[1][1], place[1][2], place[1][3])
        expect({ done, tostring(why) }, { false, match.contains(place[2]) })
    end
    local done, why = pcall(agent.click, agent, 1, 2, "send")
    expect({ done, tostring(why) }, { false, match.contains "leave out one of them" })
end)

scenario("a form is filled in as soon as it is there", { tags = { "forms" } }, function(t)
    local consumer, agent = cobrowsing(t)
    local form = agent:expect "form"
    expect(form.fields, { { label = "City" }, { label = "Terms", checked = false }, { label = "Size" }, { label = "Send" } })
    agent:fill_form { City = "Bonn", Terms = true, Size = "M" }
    consumer:expect(all {
        event("remote_input", { type = "fill", element = "city", value = "Bonn" }),
        event("remote_input", { type = "fill", element = "terms", value = "true" }),
        event("remote_input", { type = "fill", element = "size", value = "M" }),
    })
    for element, value in pairs { city = "Bonn", terms = "true", size = "M" } do
        expect(consumer:screen().elements, match.has { id = element, value = value })
    end
    agent:expect("form", { populated = true, fields = match.has { label = "City", value = "Bonn" } })
end)

scenario("what was filled into a form that is gone is dropped", { tags = { "forms" } }, function(t)
    local consumer, agent = cobrowsing(t)
    local old = agent:expect("form").screen_id
    consumer:show_screen { elements = { { id = "town", type = "text", label = "Town", value = "" } } }
    local new = agent:expect("form", { fields = { { label = "Town" } } }).screen_id
    expect(new, match.between(old + 1, 1000))
    local done, why = pcall(agent.fill_form, agent, { City = "Bonn" })
    expect(done, false)
    expect(tostring(why), match.contains "Town")
    agent:fill_form { Town = "Ulm" }
    consumer:expect("remote_input", { element = "town", value = "Ulm" })
end)

scenario("a screen without fields takes the form back", { tags = { "forms" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:expect "form"
    consumer:show_screen { elements = { { id = "thanks", label = "Thank you" } } }
    agent:expect("form", { fields = match.count(0) })
end)

for _, keeps in ipairs { false, true } do
    local title = keeps and "drawings stay where the application wants them kept"
        or "drawings go when what is behind them changes"
    scenario(title, { tags = { "drawing" } }, function(t)
        local consumer, agent = cobrowsing(t, { keepAnnotationsOnChange = keeps })
        agent:draw("M 5 5 L 30 30", "#0000ff", 4, 0.5)
        consumer:expect("annotation_added", { kASDKSVGPathStrokeKey = "#0000ff", kASDKSVGPathStrokeOpacityKey = 0.5 })
        consumer:change("staff", "elsewhere") -- not behind the drawing
        consumer:expect_silence("700ms", "annotations_cleared")
        consumer:change("city", "Köln")
        if keeps then
            consumer:expect_silence("700ms", "annotations_cleared")
            expect(consumer:annotations(), match.count(1))
        else
            consumer:expect("annotations_cleared", { by = "change" })
            agent:expect "annotations_cleared"
            expect(consumer:annotations(), match.count(0))
        end
    end)
end
