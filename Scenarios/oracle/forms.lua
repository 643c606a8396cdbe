-- Forms: what a client checks itself, what the skill checks, and a form in place of a pre-chat page.
local oracle = require "oracle"

local before_we_start = {
    type = "editForm", title = "Before we start", formColumns = 1,
    fields = {
        { displayType = "textInput", id = "name", label = "Name", required = true, maxLength = 40,
          clientErrorMessage = "Please tell us your name" },
        { displayType = "textInput", id = "email", label = "E-mail", inputStyle = "email" },
        { displayType = "singleSelect", id = "topic", label = "Topic", layoutStyle = "list", defaultValue = "billing",
          options = { { label = "Billing", value = "billing" }, { label = "Delivery", value = "delivery" } } },
        { displayType = "toggle", id = "news", label = "Newsletter", valueOn = "true", valueOff = "false",
          defaultValue = "false" },
    },
    actions = { { type = "submitForm", label = "Start chat", postback = { action = "startChat" } } },
}

-- Shows the form to everyone and greets whoever has submitted it.
local function reception(message)
    if message.type ~= "formSubmission" then return before_we_start end
    return "Welcome, " .. message.submittedFields.name .. "."
end

-- A user who has the form on the screen.
local function at_the_form(t)
    local desk = t:server(oracle, { skill = reception })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "Hello"
    return user, user:expect("form", { form = { title = "Before we start", fields = match.count(4) } }).form, desk
end

scenario("a form goes out with its defaults", { tags = { "smoke", "forms" } }, function(t)
    local user, form = at_the_form(t)
    form:fill { name = "Ada", email = "ada@example.com" }:submit()
    local sent = user:expect "form_submitted"
    expect(sent.values, { name = "Ada", email = "ada@example.com", topic = "billing", news = "false" })
    user:expect("message", { text = "Welcome, Ada." })
end)

scenario("a form that lacks a value does not leave the client", { tags = { "forms" } }, function(t)
    local user, form = at_the_form(t)
    user:never("form_submitted", nil, function()
        form:fill { email = "ada@example.com" }:submit()
        user:expect("form_invalid", { keys = { "name" }, problems = { { message = "Please tell us your name" } } })
    end)
    form:set("name", "Ada"):submit()
    user:expect("message", { text = "Welcome, Ada." })
end)

scenario("a form above an answer cannot be filled in any more", { tags = { "forms" } }, function(t)
    local user, form = at_the_form(t)
    user:say "Something else"
    user:expect "form"
    form:set("name", "Ada")
    local submitted, why = pcall(form.submit, form)
    expect(submitted, false)
    expect(tostring(why), match.contains "the user has answered since")
    user:change_field("name", "Ada")
    user:submit_form {}
    user:expect("message", { text = "Welcome, Ada." })
    local changed, still = pcall(user.change_field, user, "name", "Bob")
    expect(changed, false)
    expect(tostring(still), match.contains "the user has answered since")
end)

scenario("a form can stand for the pre-chat page", { tags = { "forms", "pre_chat" } }, function(t)
    local desk = t:server(oracle, { skill = reception })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    desk:pre_chat(before_we_start)
    user:expect("pre_chat").form:fill { name = "Ada", topic = "delivery" }:submit()
    user:expect("message", { text = "Welcome, Ada." })
end)

scenario("the skill shows a form again and says what is wrong", { tags = { "forms" } }, function(t)
    local user, form, desk = at_the_form(t)
    form:fill { name = "Ada" }:submit()
    user:expect("message", { text = "Welcome, Ada." })
    local again = json.decode(json.encode(before_we_start))
    again.errorMessage = "Please look again"
    again.fields[1].serverErrorMessage = "We know another Ada"
    again.channelExtensions = { replaceMessage = "True" }
    desk:say(again)
    local shown = user:expect("form", { form = { error = "Please look again" } })
    shown.form:set("name", "Ada L."):submit()
    user:expect("message", { text = "Welcome, Ada L.." })
end)

scenario("the button of a form submits what was filled in, with what goes back", { tags = { "forms" } }, function(t)
    local user, form, desk = at_the_form(t)
    user:change_field("name", "Ada")
    user:tap "Start chat"
    local sent = user:expect "form_submitted"
    expect(sent.values, { name = "Ada", topic = "billing" })
    user:expect("message", { text = "Welcome, Ada." })
    local received = desk:received()
    expect(received[#received].messagePayload, { type = "formSubmission", postback = { action = "startChat" } })
end)

scenario("a field that submits itself takes what was entered before along", { tags = { "forms" } }, function(t)
    local heard
    local desk = t:server(oracle, {
        skill = function(message)
            heard = message
            return "Noted."
        end,
    })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    desk:say {
        type = "editForm", title = "Where?", formColumns = 1,
        fields = {
            { displayType = "textInput", id = "name", label = "Name" },
            { displayType = "singleSelect", id = "country", label = "Country", layoutStyle = "list", autoSubmit = true,
              options = { { label = "Spain", value = "es" }, { label = "Italy", value = "it" } } },
        },
        actions = { { type = "submitForm", label = "Go", postback = { action = "go" } } },
    }
    user:expect "form"
    user:change_field("name", "Ada")
    user:change_field("country", "at")
    user:expect("form_invalid", { keys = { "country" }, problems = { { reason = "option" } } })
    user:change_field("country", "it")
    user:expect "form_submitted"
    user:expect("message", { text = "Noted." })
    expect(heard, {
        type = "formSubmission", partialSubmitField = "country", submittedFields = { name = "Ada", country = "it" },
        postback = { action = "go" },
    })
end)
