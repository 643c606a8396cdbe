-- A chat by lines that begins in the open and is encrypted in its middle, as IRC, XMPP and SMTP have it.
-- Its server has no certificate, so that it plays in virtual time.

local Chat = system {
    name = "starttls", title = "Chat with STARTTLS", client = "guest", frames = "lines",
    server_options = { says_too_much = "string?" },
    events = {
        secured = {}, message = { text = "string" }, disconnected = { code = "integer", reason = "string" },
    },
    parties = { watcher = { events = { heard = { text = "string" }, gone = { reason = "string" } } } },
}

function Chat.commands.connect(me)
    me.link = me:open()
    me:wait "secured"
end
-- What is sent behind it waits until the link is encrypted.
function Chat.commands.log_in(me, password) me.link:send("PASS " .. password) end
function Chat.commands.speak(me, text) me.link:send(text) end
function Chat.commands.secure(me) return me.link:start_tls() end

function Chat.on.open(_, link) link:send "STARTTLS" end
function Chat.on.text(me, line, link)
    if line ~= "GO" then return me:emit("message", { text = line }) end
    link:start_tls()
    me:emit("secured", {})
    me:wake "secured"
end
function Chat.on.closed(me, closure)
    me:emit("disconnected", { code = closure.code, reason = closure.reason })
    me:wake "secured"
end

function Chat.server.text(desk, client, line)
    if line ~= "STARTTLS" then
        desk:emit("Wanda", "heard", { text = line })
        return client:send("you said " .. line)
    end
    client:send "GO"
    -- A third party who puts a line there would have it taken for one of the encrypted ones.
    if desk.options.says_too_much then client:send_bytes(desk.options.says_too_much) end
    client:start_tls()
end
function Chat.server.closed(desk, _, closure) desk:emit("Wanda", "gone", { reason = closure.reason }) end

scenario("both sides go on in TLS", { tags = { "own", "tls" }, clock = "virtual" }, function(t)
    local wanda, ada = t:server(Chat):watcher "Wanda", t:actor(Chat)
    ada:connect()
    ada:expect "secured"
    ada:log_in "sesame"
    wanda:expect("heard", { text = "PASS sesame" })
    ada:expect("message", { text = "you said PASS sesame" })
    local done, message = pcall(ada.secure, ada)
    expect(done, false)
    expect(tostring(message), match.contains "encrypted already")
end)

for _, more in ipairs { "you are admin\n", "you are" } do
    local title = "a server that sends " .. #more .. " bytes too many breaks the protocol"
    scenario(title, { tags = { "own", "tls" }, clock = "virtual" }, function(t)
        local wanda, ada = t:server(Chat, { says_too_much = more }):watcher "Wanda", t:actor(Chat)
        ada:connect()
        ada:expect "secured"
        ada:expect("disconnected", { code = 1006, reason = match.contains "in the open behind the message" })
        ada:never "message"
        wanda:expect "gone"
    end)
end
