-- How large and how deep a screen may be, and where exactly an element begins and ends.
local liveassist = require "liveassist"
local beginnings = require "beginnings"

local function refused(reason, method, ...)
    local done, why = pcall(method, ...)
    expect(done, false)
    expect(tostring(why), match.contains(reason))
end

scenario("elements without a place stand in rows of a screen that has the size of a phone", { tags = { "screen" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, {
        screen = {
            elements = {
                { id = "a", label = "A" },
                { id = "group", elements = { { id = "b", label = "B" }, { id = "c", label = "C" } } },
                { id = "none", elements = {} },
                { id = "d", label = "D", x = 40000, width = 40000, height = -1 },
            },
        },
    })
    agent:expect("screen", { width = 390, height = 844 })
    expect(agent:view(), {
        { id = "a", type = "label", x = 0, y = 0, width = 390, height = 40 },
        { id = "group", type = "container", x = 0, y = 40, width = 390, height = 80 },
        { id = "b", y = 40, height = 40 }, { id = "c", y = 80, height = 40 },
        { id = "none", type = "label", y = 120, height = 40 },
        { id = "d", x = 32767, y = 120, width = 32767, height = 0 },
    })
    expect(consumer:screen(), { width = 390, height = 844 })
    t:allow "cobrowse_active"
end)

scenario("a screen has bounds, and what is outside of them is refused", { tags = { "screen", "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    local function nested(depth)
        local element = { id = "e" .. depth, label = "deepest" }
        for level = depth - 1, 1, -1 do element = { id = "e" .. level, elements = { element } } end
        return { elements = { element } }
    end
    local function many(count)
        local elements = {}
        for number = 1, count do elements[number] = { id = "e" .. number } end
        return { elements = elements }
    end
    consumer:show_screen(nested(19))
    expect(json.encode(consumer:screen()), match.contains "deepest")
    refused("at most 20 deep", consumer.show_screen, consumer, nested(21))
    consumer:show_screen(many(2000))
    expect(#consumer:screen().elements, 2000)
    refused("at most 2000 elements", consumer.show_screen, consumer, many(2001))
    consumer:show_screen { width = 1, height = 1, elements = {} }
    expect(consumer:screen(), { width = 1, height = 1 })
    consumer:show_screen { width = 32767, height = 40000, elements = {} }
    expect(consumer:screen(), { width = 32767, height = 32767 })
    for _, size in ipairs { 0, -1, 1.5 } do
        refused("a number of pixels", consumer.show_screen, consumer, { width = size, elements = {} })
    end
    refused("on the screen twice", consumer.show_screen, consumer, { elements = { { id = "a" }, { id = "a" } } })
    refused("needs an id", consumer.show_screen, consumer, { elements = { {} } })
    refused("is a list of tables", consumer.show_screen, consumer, { elements = "none" })
    refused("value of the element", consumer.show_screen, consumer, { elements = { { id = "a", value = { 1 } } } })
    refused("a list of texts", consumer.show_screen, consumer, { elements = { { id = "a", options = { 1 } } } })
    refused("a whole number", consumer.show_screen, consumer, { elements = { { id = "a", x = "left" } } })
    refused("true or false", consumer.show_screen, consumer, { elements = { { id = "a", secure = 1 } } })
    refused("is a text", consumer.show_screen, consumer, { elements = { { id = "a", label = 1 } } })
    refused("a screen is", consumer.show_screen, consumer, {})
    expect(consumer:screen(), { width = 32767, elements = {} })
    consumer:show_screen { elements = { { id = "a", value = 7 }, { id = "b", value = true }, { id = "c", value = "x" } } }
    expect(consumer:screen().elements, { { value = "7" }, { value = "true" }, { value = "x" } })
end)

scenario("an element is touched at its edges and not beyond", { tags = { "input" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, {
        screen = {
            width = 100, height = 100,
            elements = {
                { id = "box", elements = { { id = "b", type = "button", label = "B", x = 10, y = 20, width = 30, height = 40 } } },
            },
        },
    })
    agent:expect("cobrowse_active", { active = true })
    for _, place in ipairs {
        { 10, 20, "b" }, { 39, 59, "b" }, { 9, 20, match.absent }, { 10, 19, match.absent }, { 40, 59, match.absent }, { 39, 60, match.absent },
    } do
        agent:double_click(place[1], place[2])
        consumer:expect("remote_input", { type = "double_click", x = place[1], y = place[2], element = place[3] })
    end
    -- Down inside and up outside is no click, and the next up is none either.
    agent:mouse_down(10, 20)
    agent:mouse_up(9, 20)
    agent:mouse_up(10, 20)
    consumer:expect("remote_input", { type = "mouse_up", x = 10, element = "b" })
    expect(consumer:events "remote_input", match.is_not(match.has { type = "click" }))
    t:allow "cobrowse_active"
end)

scenario("drawings go with what is behind their edges, and stay with what is beside them", { tags = { "drawing" } }, function(t)
    local function at(id, x, y) return { id = id, label = id, x = x, y = y, width = 5, height = 5 } end
    local consumer, agent = beginnings.cobrowsing(t, {
        screen = {
            width = 100, height = 100,
            elements = { at("left", 5, 20), at("above", 20, 15), at("right", 31, 20), at("below", 20, 41), at("edge", 30, 40), at("corner", 6, 16) },
        },
    })
    agent:expect("cobrowse_active", { active = true })
    local function draw()
        agent:draw "M 10 20 L 30 20 L 30 40 L 10 40"
        consumer:expect "annotation_added"
    end
    draw()
    for _, id in ipairs { "left", "above", "right", "below" } do
        consumer:change(id, "changed")
        consumer:expect_silence("700ms", "annotations_cleared")
    end
    expect(consumer:annotations(), match.count(1))
    consumer:change("edge", "changed")
    consumer:expect("annotations_cleared", { by = "change" })
    agent:expect "annotations_cleared"
    draw()
    consumer:change("corner", "changed")
    consumer:expect("annotations_cleared", { by = "change" })
    agent:expect "annotations_cleared"
    expect(consumer:annotations(), {})
    t:allow { "cobrowse_active" }
end)

scenario("a secret has eight dots however long it is, and none if it is empty", { tags = { "privacy" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, {
        screen = {
            elements = {
                { id = "long", type = "password", label = "Long", value = ("x"):rep(40) },
                { id = "short", type = "text", secure = true, label = "Short", value = "x" },
                { id = "empty", type = "password", label = "Empty", value = "" },
            },
        },
    })
    agent:expect "screen"
    local dots = ("•"):rep(8)
    expect(agent:view(), { { label = "Long", value = dots }, { label = "Short", value = dots }, { label = "Empty", value = match.absent } })
    expect(agent:form() or json.null, json.null)
    t:allow "cobrowse_active"
end)

scenario("an agent enters ten thousand bytes at most", { tags = { "forms" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, { screen = { elements = { { id = "a", type = "text", label = "A", value = "" } } } })
    agent:expect(all { event "form", event("cobrowse_active", { active = true }) })
    agent:fill_form { A = ("x"):rep(10001) }
    agent:type_text(("y"):rep(10001), nil, nil, "a")
    agent:fill_form { A = ("x"):rep(10000) }
    consumer:expect("remote_input", { type = "fill", value = ("x"):rep(10000) })
    agent:type_text(("y"):rep(10000), nil, nil, "a")
    consumer:expect("remote_input", { type = "type", value = ("y"):rep(10000) })
    expect(#consumer:events "remote_input", 2)
    expect(consumer:screen().elements[1].value, ("y"):rep(10000))
    t:allow { "cobrowse_active" }
end)
