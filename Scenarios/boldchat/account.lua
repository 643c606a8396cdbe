-- What an account is set up with: hours, departments, languages, texts and forms, and what the desk refuses to be told.
local boldchat = require "boldchat"

group("the desk refuses", function()
    local cases = {
        { "a field without a key", { { label = "Name" } }, "needs a 'key'" },
        { "a misspelt member of a field", { { key = "name", requierd = true } }, "no member 'requierd'" },
        { "a type that is none", { { key = "name", type = "txt" } }, "'txt' is not a type" },
        { "a mark that is no truth", { { key = "name", required = "yes" } }, "is true or false" },
        { "a value that is none of the options", {
            { key = "size", type = "radio", options = { "S", "M" }, value = "L" },
        }, "is none of its options" },
        { "an option without a name", { { key = "size", type = "select", options = { { default = true } } } }, "needs a 'value' or a 'name'" },
        { "a misspelt member of an option", {
            { key = "size", type = "select", options = { { name = "S", defalt = true } } },
        }, "no member 'defalt'" },
        { "hours that are none", { from = "25:00", to = "17:00" }, "\"HH:MM\"" },
        { "a minute that is none", { from = "09:60", to = "17:00" }, "\"HH:MM\"" },
        { "hours beyond the day", { from = "09:00", to = "24:01" }, "\"HH:MM\"" },
        { "hours with seconds", { from = "09:00:00", to = "17:00" }, "\"HH:MM\"" },
        { "a day that is none", { from = "09:00", to = "17:00", days = { 1, 8 } }, "not 8" },
        { "a day before the first", { from = "09:00", to = "17:00", days = { 0 } }, "not 0" },
    }
    for _, case in ipairs(cases) do
        scenario(case[1] .. ", and stays as it was", { tags = { "desk", "errors" } }, function(t)
            local desk = t:server(boldchat, { pre_chat = { { key = "reference" } } })
            local visitor = t:actor(boldchat)
            local done, why
            if case[2].from then
                done, why = pcall(desk.set_hours, desk, case[2])
            else
                done, why = pcall(desk.set_form, desk, "pre_chat", case[2])
            end
            expect(done, false)
            expect(tostring(why), match.contains(case[3]))
            visitor:create_chat()
            visitor:expect("pre_chat", { form = { fields = { { key = "reference" } } } })
            visitor:end_session()
        end)
    end

    scenario("what else it is asked for and cannot do, and nothing changes", { tags = { "desk", "errors" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html" })
        local function refuses(words, method, ...)
            local done, why = pcall(desk[method], desk, ...)
            expect(done, false)
            expect(tostring(why), match.contains(words))
        end
        refuses("HH:MM", "set_hours", { from = "noon", to = "17:00" })
        refuses("needs a visitor id", "block_visitor", "")
        refuses("needs a 'key'", "set_form", "pre_chat", { { label = "?" } })
        refuses("has no secret", "sign", { first_name = "Ada" })
        refuses("not a method of the visitor API", "fail_next", "createChatt", "No")
        refuses("not an HTTP status", "break_next", "createChat", "status", 1, 199)
        refuses("not an HTTP status", "break_next", "createChat", "status", 1, 600)
        refuses("no such chat", "push_system_message", "Hello")
        refuses("from 0 to 1000000, not -5", "set_queue", -5)
        refuses("from 0 to 9, not 10", "set_video", 10)
        refuses("id of a department", "set_department", "")
        refuses("nobody waits", "dismiss_queue")
        visitor:check_availability()
        visitor:expect "available"
        visitor:create_chat()
        visitor:expect("pre_chat", { form = { fields = match.has { key = "first_name" } } })
        refuses("no such chat", "update_message", "Hello")
        visitor:end_session()
        local other = t:actor(boldchat, { profile = "html" })
        other:create_chat { skip_pre_chat = true }
        other:expect "chat_started"
        refuses("no message yet", "update_message", "Hello", other)
        refuses("nothing is browsed together", "end_active_assist", other)
        other:end_session()
    end)

    for _, case in ipairs {
        { "a form that is a word", { pre_chat = "none" }, "is a list of fields, false for none" },
        { "a form that is no list", { post_chat = true }, "is a list of fields, false for none" },
        { "a misspelt member beside the pages", { pre_chat = { pages = { { { key = "email" } } }, page = 3 } }, 'no "page"; did you mean "pages"' },
        { "a page that is no list", { pre_chat = { pages = { { { key = "email" } }, "topic" } } }, "is a list of fields, false for none" },
        { "pages of the unavailable form", { unavailable = { pages = { { { key = "email" } } } } }, "is a list of fields, false for none" },
        { "heartbeats without a pause", { heartbeat_interval = 0 }, "at least 1ms, not 0s" },
        { "heartbeats that never let time pass", { heartbeat_interval = 1e-9 }, "at least 1ms" },
        { "a client time-out that the wire cannot tell", { client_timeout = "1500ms" }, "'client_timeout' is whole seconds" },
        { "an answer time-out that the wire cannot tell", { answer_timeout = 0.5 }, "'answer_timeout' is whole seconds" },
        { "a queue that moves at once", { queue_interval = 0 }, "at least 1ms, not 0s" },
        { "a queue below its front", { queue = -5 }, "from 0 to 1000000, not -5" },
        { "a department without an id", { departments = { { id = "" } } }, "needs an 'id'" },
    } do
        scenario(case[1] .. ", before it is there", { tags = { "desk", "errors" } }, function(t)
            local done, why = pcall(t.server, t, boldchat, case[2])
            expect({ done, tostring(why) }, { false, match.contains(case[3]) })
        end)
    end
end)

-- Virtual time begins on Monday, 2024-01-01, at midnight UTC.
local days = { tags = { "desk", "availability" }, timeout = "240h", clock = "virtual" }
scenario("hours over midnight, of some days and to the end of the day are kept to the minute", days, function(t)
    local desk = t:server(boldchat, { hours = { from = "00:00", to = "24:00", days = { 1, 7 } } })
    local visitor = t:actor(boldchat, { profile = "html" })
    local function is(open)
        visitor:check_availability()
        if open then
            visitor:expect "available"
        else
            visitor:expect("unavailable", { reason = "outside_hours" })
        end
    end
    is(true)
    wait "23h"
    wait "59m"
    is(true) -- Monday, 23:59
    wait "2m"
    is(false) -- Tuesday, 00:01
    desk:set_hours { from = "22:00", to = "00:02" }
    is(true)
    wait "1m"
    is(false) -- the first minute that is closed again
    wait "21h"
    is(false) -- 21:02
    wait "57m"
    is(false) -- 21:59
    wait "1m"
    is(true) -- the first minute that is open
    desk:set_hours { from = "09:00", to = "17:00", days = { 7 } }
    wait "110h"
    is(true) -- Sunday, 12:00
    wait "24h"
    is(false)
    desk:close()
    desk:set_hours { from = "09:00", to = "17:00", days = { 1 } }
    is(true) -- the schedule counts again
end)

group("departments and languages", function()
    local departments = {
        { id = "1", name = "Sales", languages = { "en-US" } }, { id = "2", name = "Vertrieb", languages = { "de-DE" } },
        { id = "3", name = "Everybody", online = false }, { id = "4" },
    }

    scenario("the form offers the departments of the language, with their states", { tags = { "language", "forms" } }, function(t)
        t:server(boldchat, { departments = departments })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        expect(form.fields, match.has {
            key = "department", type = "select", label = "Department",
            options = match.equals {
                { name = "Sales", value = "1", available = true }, { name = "Everybody", value = "3", available = false },
                { name = "4", value = "4", available = true },
            },
        })
        visitor:change_language "de-DE"
        visitor:expect("language_changed", {
            language = "de-DE", form = { fields = match.has {
                key = "department", options = match.equals {
                    { name = "Vertrieb", value = "2", available = true }, { name = "Everybody", value = "3", available = false },
                    { name = "4", value = "4", available = true },
                },
            } },
        })
        expect(visitor.pre_chat_form.fields, match.has { key = "department", options = match.has { value = "2" } })
        expect(visitor.pre_chat_form.fields, match.has { key = "first_name", options = match.absent })
        visitor:end_session()
    end)

    scenario("a list that the form brings itself stays", { tags = { "language", "forms" } }, function(t)
        t:server(boldchat, {
            departments = departments, languages = { "en-US", "de-DE" },
            pre_chat = {
                { key = "department", type = "select", options = { { name = "Only this one", value = "4" } } },
                { key = "language", type = "select" }, { key = "language2", type = "select" },
            },
        })
        local visitor = t:actor(boldchat, { language = "de-DE" })
        visitor:create_chat()
        local fields = visitor:expect("pre_chat").form.fields
        expect(fields, match.count(3))
        expect(fields[1].options, match.equals { { name = "Only this one", value = "4" } })
        expect(fields[2], { key = "language", value = "de-DE", options = { { value = "en-US" }, { value = "de-DE" } } })
        expect(fields[3].options, match.absent)
        visitor:end_session()
    end)

    scenario("a visitor gets a department that speaks the language, or one that speaks all", { tags = { "language" } }, function(t)
        local desk = t:server(boldchat, { departments = departments })
        local function becomes(chosen, language, given, skip)
            local visitor = t:actor(boldchat)
            if skip then
                visitor:create_chat { skip_pre_chat = true, language = language, external = { department = chosen } }
            else
                visitor:create_chat { language = language }
                visitor:expect "pre_chat"
                visitor:submit_pre_chat { first_name = "Ada", department = chosen }
            end
            visitor:expect(any { "chat_started", "unavailable" })
            local chats = desk:chats()
            expect(chats[#chats], { language = language, values = { department = given } })
            visitor:end_session()
        end
        for _, skip in ipairs { true, false } do
            becomes("1", "en-US", "1", skip)
            becomes("4", "de-DE", "4", skip)
        end
        becomes("1", "de-DE", "2", true)
        becomes("1", "fr-FR", "3", true) -- nobody speaks it, so one that speaks all languages does, there or not
    end)

    scenario("the departments can be asked for, and each says whether somebody is there", { tags = { "availability" } }, function(t)
        t:server(boldchat, { departments = departments })
        local visitor = t:actor(boldchat, { profile = "html" })
        visitor:get_departments()
        visitor:expect("completed", {
            operation = "get_departments", value = { Status = match.absent, Departments = {
                { ID = "1", Name = "Sales", Languages = { "en-US" }, Available = true },
                { ID = "2", Name = "Vertrieb", Languages = { "de-DE" }, Available = true },
                { ID = "3", Name = "Everybody", Languages = match.count(0), Available = false },
                { ID = "4", Name = "4", Languages = match.count(0), Available = true },
            } },
        })
    end)

    scenario("a language that is refused takes the phone its texts, and the browser nothing", {
        tags = { "language", "quirks" }, faults = { delay = "the browser asks again after fifteen seconds, and the desk refuses only the first" },
    }, function(t)
        local desk = t:server(boldchat)
        for _, profile in ipairs { "ios", "html" } do
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            visitor:expect "pre_chat"
            desk:fail_next("changeLanguage", "No texts")
            visitor:change_language "de-DE"
            visitor:expect("error", { operation = "change_language", message = "No texts" })
            expect(visitor.language, profile == "ios" and "" or "en-US")
            expect(visitor.branding["api#chat#send"], profile == "html" and "Send" or nil)
            visitor:end_session()
        end
    end)

    scenario("a language is the one that is set up, its country's brother, or English", { tags = { "language" } }, function(t)
        t:server(boldchat, {
            languages = { "en-US", "fr-CA", "fr-FR" },
            branding = {
                ["en-US"] = { ["api#chat#send"] = "Off it goes", ["our#text"] = "Ours" }, ["fr-FR"] = { ["api#chat#send"] = "Allez" },
            },
        })
        local visitor = t:actor(boldchat)
        for asked, given in pairs { ["FR-fr"] = "fr-FR", fr = "fr-CA", ["de-DE"] = "en-US", f = "en-US" } do
            visitor:create_chat { language = asked }
            visitor:expect("session_created", { language = given })
            visitor:expect "pre_chat"
            expect(visitor.language, given)
            expect(visitor.branding["api#chat#send"], given == "fr-FR" and "Allez" or "Off it goes")
            expect(visitor.branding["our#text"], "Ours")
            visitor:end_session()
        end
    end)
end)

group("why nobody can chat", function()
    scenario("is told with the form for a mail, but not to those who must stay away", { tags = { "unavailable" } }, function(t)
        local desk = t:server(boldchat, { blocked_visitors = { "troll" }, secret = "s3cret" })
        local signed = desk:sign {}
        local function hears(options, reason, form)
            local visitor = t:actor(boldchat, options)
            visitor:create_chat { skip_pre_chat = true }
            local heard = visitor:expect("unavailable", { reason = reason, form = form, message = match.pattern ".+%a+.*" })
            if form == match.absent then visitor:expect("ended", { reason = "unavailable" }) end
            expect({ visitor.unavailable_reason, visitor.unavailable_message }, { reason, heard.message })
            expect(visitor.session_state, form == match.absent and "Finished" or "UnavailableForm")
            visitor:end_session()
        end
        hears({ visitor_id = "ada" }, "unsecure", match.absent)
        hears({ visitor_id = "troll", secured = signed }, "visitor_blocked", match.absent)
        desk:set_operators(false)
        hears({ visitor_id = "ada", secured = signed }, "no_operators", { kind = "unavailable" })
        desk:close()
        hears({ visitor_id = "ada", secured = signed }, "outside_hours", { kind = "unavailable" })
        expect(desk:chats(), match.count(4))
    end)

    scenario("in a department shows before and after the form", { tags = { "unavailable", "forms" } }, function(t)
        local desk = t:server(boldchat, { departments = { { id = "1", name = "Sales", online = false }, { id = "2", name = "Bills" } } })
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true, external = { department = "1" } }
        visitor:expect("unavailable", { reason = "no_operators" })
        visitor:end_session()
        visitor:create_chat { external = { department = "2" } }
        local form = visitor:expect("pre_chat").form
        expect(form.fields, match.has { key = "department", value = "2" })
        desk:set_department("2", false)
        form:fill { first_name = "Ada" }:submit()
        visitor:expect("unavailable", { reason = "no_operators" })
        expect(visitor.department_id, "2")
        visitor:end_session()
        visitor:create_chat { external = { department = "7" } }
        visitor:expect("error", { code = -202, message = "Invalid DepartmentID" })
        expect(visitor.session_state, "Idle")
    end)

    scenario("in a full queue is told to the next one, until somebody leaves", { tags = { "unavailable", "queue" } }, function(t)
        local desk = t:server(boldchat, { queue_limit = 2 })
        local first, second, third = t:actor(boldchat), t:actor(boldchat), t:actor(boldchat)
        for _, visitor in ipairs { first, second } do
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
        end
        third:create_chat { skip_pre_chat = true }
        third:expect("unavailable", { reason = "queue_full" })
        third:end_session()
        desk:agent("Sam"):accept(first)
        first:expect "accepted"
        third:create_chat { skip_pre_chat = true }
        third:expect "connected"
        expect(desk:chats(), { { state = "answered" }, { state = "waiting" }, match.any, { state = "waiting" } })
        for _, visitor in ipairs { first, second, third } do visitor:end_session() end
    end)
end)

scenario("signed values win, and others count only where they are named in the clear", { tags = { "secured" } }, function(t)
    local desk = t:server(boldchat, { secret = "s3cret" })
    local secured = desk:sign({ first_name = "Ada", custom_rank = 7 }, { "email" })
    local visitor = t:actor(boldchat, { secured = secured })
    visitor:create_chat {
        skip_pre_chat = true, external = { first_name = "Eve", email = "ada@example.com", phone = "123" },
    }
    visitor:expect "connected"
    expect(desk:chats()[1].values, match.equals { first_name = "Ada", custom_rank = "7", email = "ada@example.com" })
    visitor:end_session()
    visitor:check_availability() -- a question needs no signature
    visitor:expect "available"
end)

scenario("an access key of another account opens nothing", { tags = { "errors" } }, function(t)
    t:server(boldchat, { access_key = "1:2:three" })
    local stranger, friend = t:actor(boldchat, { access_key = "1:2:four" }), t:actor(boldchat, { access_key = "1:2:three" })
    stranger:create_chat()
    stranger:expect("error", { code = -103, message = "Not authorized" })
    stranger:check_availability()
    stranger:expect("error", { code = -103, domain = "ChatAvailabilityChecker" })
    friend:create_chat()
    friend:expect "pre_chat"
    friend:end_session()
end)
