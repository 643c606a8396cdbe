-- What the whole chat view shows after each kind of message, one line for each of its parts.
local oracle = require "oracle"

-- Members that vary from run to run.
local shown = { id = "…", day = "…" }

-- A screen as lines of text in the order of their names, one for each part that has no further parts.
local function lines(part, path, out)
    local names, own = {}, {}
    for name in pairs(part) do names[#names + 1] = name end
    table.sort(names, function(a, b) return type(a) == type(b) and a < b or type(a) == "number" and type(b) ~= "number" end)
    for _, name in ipairs(names) do
        local value = part[name]
        if type(value) ~= "table" then own[#own + 1] = name .. "=" .. (shown[name] or tostring(value)) end
    end
    if #own > 0 then out[#out + 1] = path .. ": " .. table.concat(own, ", ") end
    for _, name in ipairs(names) do
        if type(part[name]) == "table" then lines(part[name], path .. "." .. name, out) end
    end
    return out
end

-- Holds the screen of a user against what is stored.
local function shows(user, stored)
    local text = table.concat(lines(user:screen(), "screen", {}), "\n") .. "\n"
    expect(text, stored)
end

scenario("the view of texts, cards, tables and files is as it is stored", { tags = { "screen" } }, function(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle, { enable_timestamp = true, title = "Pizza King", enable_clear_message = true })
    user:connect()
    user:expect "connected"
    desk:say {
        text = "Hello", headerText = "Pizza King", footerText = "Open till ten", globalActions = { "Help" },
        actions = { "Order", { type = "url", label = "Menu", url = "https://p.example/menu" } },
    }
    user:expect("message", { text = "Hello" })
    shows(user, [[
screen: direction=ltr, input=, muted=true, placeholder=Enter message, recording=false, typing=false, webview=null
screen.buttons.1: enabled=true, label=Order, layout=horizontal, number=1, place=local
screen.buttons.2: enabled=true, label=Menu, layout=horizontal, number=1, place=local
screen.buttons.3: enabled=true, label=Help, layout=horizontal, number=1, place=global
screen.header: label=Chat title Pizza King, title=Pizza King
screen.messages.1: day=…, footer=Open till ten, from=bot, header=Pizza King, label=Skill header text Pizza King text message Hello footer text Open till ten, number=1, text=Hello, time=Now, type=text
screen.messages.1.actions.1: label=Order, type=postback
screen.messages.1.actions.1.postback: action=Order
screen.messages.1.actions.2: label=Menu, type=url, url=https://p.example/menu
screen.messages.1.global_actions.1: label=Help, type=postback
screen.messages.1.global_actions.1.postback: action=Help
screen.share_menu.items.1: item=visual, label=Photo & Video Library
screen.share_menu.items.2: item=audio, label=audio
screen.share_menu.items.3: item=file, label=Files
screen.share_menu.items.4: item=location, label=location
screen.share_menu.items.5: item=camera, label=Camera
]])
    user:tap "Order"
    user:expect "message"
    desk:say {
        type = "card", layout = "horizontal", headerText = "Pizzas",
        cards = {
            { title = "Margherita", description = "Tomato", imageUrl = "https://p.example/m.png", url = "https://p.example/m",
                actions = { "Take" } },
            { title = "Funghi", actions = { "Take" } },
        },
    }
    user:expect("message", { type = "card" })
    desk:say {
        type = "table",
        headings = { { label = "Size", width = 50, alignment = "left" }, { label = "Price", width = 50, alignment = "right" } },
        rows = { { fields = { { displayType = "text", value = "S" }, { displayType = "text", value = "5" } } } },
    }
    user:expect("message", { type = "table" })
    desk:say { type = "attachment", attachment = { type = "image", url = "https://p.example/oven.png", title = "Oven" } }
    user:expect("message", { type = "attachment" })
    user:enter_text "Thank"
    shows(user, [[
screen: direction=ltr, input=Thank, muted=true, placeholder=Enter message, recording=false, typing=false, webview=null
screen.buttons.1: card=Margherita, enabled=true, label=Take, layout=horizontal, number=4, place=card
screen.buttons.2: card=Funghi, enabled=true, label=Take, layout=horizontal, number=4, place=card
screen.buttons.3: enabled=false, label=Order, layout=horizontal, number=1, place=local
screen.buttons.4: enabled=false, label=Menu, layout=horizontal, number=1, place=local
screen.buttons.5: enabled=false, label=Help, layout=horizontal, number=1, place=global
screen.header: label=Chat title Pizza King, title=Pizza King
screen.messages.1: day=…, footer=Open till ten, from=bot, header=Pizza King, label=Skill header text Pizza King text message Hello footer text Open till ten, number=1, text=Hello, type=text
screen.messages.1.actions.1: label=Order, type=postback
screen.messages.1.actions.1.postback: action=Order
screen.messages.1.actions.2: label=Menu, type=url, url=https://p.example/menu
screen.messages.1.global_actions.1: label=Help, type=postback
screen.messages.1.global_actions.1.postback: action=Help
screen.messages.2: from=user, label=User text message Order, number=2, type=postback
screen.messages.3: from=bot, label=Skill text message Order, number=3, text=Order, type=text
screen.messages.4: from=bot, header=Pizzas, label=Skill header text Pizzas card title Margherita card description Tomato card title Funghi, layout=horizontal, number=4, type=card
screen.messages.4.cards.1: description=Tomato, image_url=https://p.example/m.png, media_type=image/png, title=Margherita, url=https://p.example/m
screen.messages.4.cards.1.actions.1: label=Take, type=postback
screen.messages.4.cards.1.actions.1.postback: action=Take
screen.messages.4.cards.2: title=Funghi
screen.messages.4.cards.2.actions.1: label=Take, type=postback
screen.messages.4.cards.2.actions.1.postback: action=Take
screen.messages.5: from=bot, label=Skill, number=5, type=table
screen.messages.5.cells.1.1: type=text, value=S
screen.messages.5.cells.1.2: type=text, value=5
screen.messages.5.columns.1: alignment=left, label=Size, width=50.0
screen.messages.5.columns.2: alignment=right, label=Price, width=50.0
screen.messages.5.headings: 1=Size, 2=Price
screen.messages.5.rows.1: 1=S, 2=5
screen.messages.6: from=bot, label=Skill image attacment Oven, number=6, time=Now, type=attachment
screen.messages.6.attachment: media_type=image/png, title=Oven, type=image, url=https://p.example/oven.png
screen.share_menu.items.1: item=visual, label=Photo & Video Library
screen.share_menu.items.2: item=audio, label=audio
screen.share_menu.items.3: item=file, label=Files
screen.share_menu.items.4: item=location, label=location
screen.share_menu.items.5: item=camera, label=Camera
]])
    user:clear_messages()
    shows(user, [[
screen: direction=ltr, input=Thank, muted=true, placeholder=Enter message, recording=false, typing=false, webview=null
screen.header: label=Chat title Pizza King, title=Pizza King
screen.share_menu.items.1: item=visual, label=Photo & Video Library
screen.share_menu.items.2: item=audio, label=audio
screen.share_menu.items.3: item=file, label=Files
screen.share_menu.items.4: item=location, label=location
screen.share_menu.items.5: item=camera, label=Camera
]])
end)

scenario("the view of an agent's chat is as it is stored", {
    tags = { "screen", "agent" }, faults = { delay = "that nobody types any more is told late" },
}, function(t)
    local desk = t:server(oracle, { agents = { "Bob" }, skill = function() return { messages = "One moment.", agent = {} } end })
    local bob, user = desk:agent "Bob", t:actor(oracle, { show_connection_status = true })
    user:connect()
    user:expect "connected"
    user:say "A person, please"
    user:expect("message", { text = "One moment." })
    bob:accept(user, "Bob here")
    user:expect("message", { text = "Bob here" })
    bob:typing(true)
    user:expect("typing", { active = true, person = { type = "agent" } })
    shows(user, [[
screen: direction=ltr, input=, muted=true, placeholder=Enter message, recording=false, typing=true, webview=null
screen.header: label=Chat title Digital Assistant Chat status Connected, subtitle=Connected, title=Digital Assistant
screen.messages.1: day=…, from=user, label=User text message A person, please, number=1, text=A person, please, type=text
screen.messages.2: from=bot, label=Skill text message One moment., number=2, text=One moment., type=text
screen.messages.3: avatar=B, from=agent, label=Skill text message Bob here, name=Bob, number=3, text=Bob here, time=Now, type=text
screen.share_menu.items.1: item=visual, label=Photo & Video Library
screen.share_menu.items.2: item=audio, label=audio
screen.share_menu.items.3: item=file, label=Files
screen.share_menu.items.4: item=location, label=location
screen.share_menu.items.5: item=camera, label=Camera
]])
    bob:leave "Bye."
    user:expect("message", { text = "Bye." })
    user:minimize_chat()
    desk:say "Still there?"
    user:expect("message", { text = "Still there?" })
    shows(user, [[
screen: direction=ltr, input=, muted=true, placeholder=Enter message, recording=false, typing=false, webview=null
screen.header: label=Chat title Digital Assistant Chat status Connected, subtitle=Connected, title=Digital Assistant
screen.messages.1: day=…, from=user, label=User text message A person, please, number=1, text=A person, please, type=text
screen.messages.2: from=bot, label=Skill text message One moment., number=2, text=One moment., type=text
screen.messages.3: from=agent, label=Skill text message Bob here, number=3, text=Bob here, type=text
screen.messages.4: from=bot, label=Skill text message Bye., number=4, text=Bye., type=text
screen.messages.5: from=bot, label=Skill text message Still there?, number=5, text=Still there?, time=Now, type=text
screen.share_menu.items.1: item=visual, label=Photo & Video Library
screen.share_menu.items.2: item=audio, label=audio
screen.share_menu.items.3: item=file, label=Files
screen.share_menu.items.4: item=location, label=location
screen.share_menu.items.5: item=camera, label=Camera
]])
end)
