-- A desk that asks before the conversation: an event brings the form, the scenario fills it, and one command sends it.

local Desk = system {
    name = "helpdesk", title = "Help desk", client = "visitor",
    server_options = { form = "table? -- The form before the conversation; one with a field of each type unless given." },
    events = { pre_chat = { form = "form" }, registered = { values = "table", form = "string" } },
    json = {
        from_server = { pre_chat = { form = "form" }, registered = { values = "table", form = "string" } },
        from_client = { register = { values = "table", form = "string" } },
    },
}

function Desk.commands.connect(me)
    me.link = me:open { path = "/desk" }
    me:wait "open"
end
Desk.commands.register = {
    submits = "pre_chat", about = "Sends what was entered, and what the desk calls its form.",
    function(me, values, form) me.link:send_json { type = "register", values = values, form = form } end,
}

local form = {
    id = "f1", title = "Before we talk",
    fields = {
        { key = "name", label = "Your name", required = true },
        { key = "email", type = "email", required = true },
        { key = "topic", type = "select", options = { "orders", { name = "Something else", value = "other" } }, value = "orders" },
        { key = "stars", type = "radio", options = { 1, 2, 3 } },
        { key = "people", type = "number" },
        { key = "pin", type = "password" },
        { key = "days", type = "multi_select", options = { "mon", "tue" } },
        { key = "terms", type = "boolean", required = true },
    },
}
function Desk.server.connected(desk, client) client:send_json { type = "pre_chat", form = desk.options.form or form } end
function Desk.server.json.register(_, client, register)
    client:send_json { type = "registered", values = register.values, form = register.form }
end

-- A visitor who sees the form.
local function visitor(t, options)
    t:server(Desk, options)
    local ada = t:actor(Desk)
    ada:connect()
    return ada, ada:expect("pre_chat").form
end

scenario("a form is filled in and sent", { tags = { "own", "forms" } }, function(t)
    local ada, asked = visitor(t)
    expect(asked.kind, "pre_chat")
    expect(asked.fields[2], { key = "email", type = "email", required = true })
    expect(asked.fields[3].options, { { name = "orders", value = "orders" }, { name = "Something else", value = "other" } })
    asked:fill { name = "Ada", email = "ada@example.com", stars = 3, days = { "tue" }, pin = "" }
        :set("terms", true):submit()
    ada:expect("registered", {
        form = "f1",
        values = match.equals { name = "Ada", email = "ada@example.com", topic = "orders", stars = 3, days = { "tue" }, terms = true },
    })
end)

scenario("a form whose values are wrong is not sent, and can be mended", { tags = { "own", "forms" } }, function(t)
    local ada, asked = visitor(t)
    asked:fill { email = "ada", topic = "weather", stars = 4, people = "two", pin = 1815, days = { "sun" }, terms = false }:submit()
    ada:expect("form_invalid", {
        form = "pre_chat", keys = { "name", "email", "topic", "stars", "people", "pin", "days", "terms" },
        reasons = {
            name = "missing", email = "invalid_email", topic = "not_an_option", stars = "not_an_option",
            people = "invalid_number", pin = "invalid_password", days = "not_an_option", terms = "missing",
        },
    })
    ada:expect_silence("1s", "registered")
    asked:fill { name = "Ada", email = "ada@example.com", topic = "other", stars = 1, people = 2, pin = "1815", days = {}, terms = true }
    asked:submit()
    ada:expect("registered", { values = { topic = "other", people = 2 } })
end)

scenario("a field that the form lacks is told, with what it has", { tags = { "own", "forms", "mistakes" } }, function(t)
    local _, asked = visitor(t)
    local done, message = pcall(asked.fill, asked, { emial = "ada@example.com" })
    expect(done, false)
    expect(tostring(message), match.contains [[did you mean "email"?]])
end)

scenario("the command alone sends what it is given, to try what the desk makes of it", { tags = { "own", "forms" } }, function(t)
    local ada = visitor(t)
    ada:register({ email = "none" }, "f0")
    ada:expect("registered", { values = match.equals { email = "none" }, form = "f0" })
end)

scenario("a form that is none is an error that the visitor observes", { tags = { "own", "forms" } }, function(t)
    t:server(Desk, { form = { fields = { { key = "name", type = "txt", help = "as in the passport" } } } })
    local ada = t:actor(Desk)
    ada:connect()
    ada:expect("error", { code = "protocol", message = match.contains "txt" })
end)
