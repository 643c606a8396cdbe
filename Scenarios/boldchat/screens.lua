-- What the whole headless screen shows at each stage of a chat, one line for each of its parts.
local boldchat = require "boldchat"

-- Members that vary from run to run.
local shown = { id = "…", time = "…", created = "…", timeLabel = "…", html = "…", chatHistoryHtml = "…" }

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

-- Holds the screen of a visitor against what is stored.
local function shows(visitor, stored)
    local text = table.concat(lines(visitor.screen, "screen", {}), "\n") .. "\n"
    expect(text, stored)
end

local form = {
    { key = "note", type = "label", label = "We answer soon." }, { key = "first_name", label = "Your name", required = true },
    { key = "email", type = "email", label = "E-mail" }, { key = "phone", type = "phone", label = "Phone" },
    { key = "department", type = "select" }, { key = "size", type = "radio", options = { "S", "M" } },
    { key = "topic", type = "select", options = { { name = "Orders", value = "o" }, { name = "Bills", value = "b", default = true } } },
    { key = "initial_question", label = "Question", multi_line = true },
}

scenario("the screen of a chat is as it is stored, from the first form to the last word", { tags = { "screen" } }, function(t)
    local desk = t:server(boldchat, {
        pre_chat = form, queue = 1, queue_interval = "1h", departments = { { id = "1", name = "Sales" }, { id = "2", name = "Billing" } },
    })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat()
    visitor:expect "pre_chat"
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=pre_chat
screen.form: kind=pre_chat, template=BCFormView
screen.form.sections.1.cells.1: key=note, kind=single_line, missingView=false, template=BCSingleLineCell, textField=, titleLabel=We answer soon.
screen.form.sections.1.cells.2: key=first_name, kind=single_line, missingView=false, requiredLabel=required, template=BCSingleLineCell, textField=, titleLabel=Your name
screen.form.sections.1.cells.3: invalidEmailView=false, key=email, kind=email, missingView=false, template=BCSingleLineEmailCell, textField=, titleLabel=E-mail
screen.form.sections.1.cells.4: invalidPhoneNumberView=false, key=phone, kind=phone, missingView=false, template=BCSingleLinePhoneCell, textField=, titleLabel=Phone
screen.form.sections.1.cells.5: key=department, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=department, valueLabel=
screen.form.sections.1.cells.6: key=size, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=size, valueLabel=
screen.form.sections.1.cells.7: key=topic, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=topic, valueLabel=Bills
screen.form.sections.1.cells.8: key=initial_question, kind=multi_line, missingView=false, template=BCMultiLineCell, textView=, titleLabel=Question
screen.form.sections.1.header: label=Please tell us a little before we start., template=BCPreChatHeaderView
screen.form.sections.2.cells.1: button=Start chat, kind=button, template=BCButtonCell
]])
    visitor:screen_type("email", "nobody")
    visitor:screen_type("phone", "none")
    visitor:screen_press "button"
    visitor:expect "form_invalid"
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=pre_chat
screen.form: kind=pre_chat, template=BCFormView
screen.form.sections.1.cells.1: key=note, kind=single_line, missingView=false, template=BCSingleLineCell, textField=, titleLabel=We answer soon.
screen.form.sections.1.cells.2: key=first_name, kind=single_line, missingView=true, requiredLabel=required, template=BCSingleLineCell, textField=, titleLabel=Your name
screen.form.sections.1.cells.3: invalidEmailView=true, key=email, kind=email, missingView=false, template=BCSingleLineEmailCell, textField=nobody, titleLabel=E-mail
screen.form.sections.1.cells.4: invalidPhoneNumberView=true, key=phone, kind=phone, missingView=false, template=BCSingleLinePhoneCell, textField=none, titleLabel=Phone
screen.form.sections.1.cells.5: key=department, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=department, valueLabel=
screen.form.sections.1.cells.6: key=size, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=size, valueLabel=
screen.form.sections.1.cells.7: key=topic, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=topic, valueLabel=Bills
screen.form.sections.1.cells.8: key=initial_question, kind=multi_line, missingView=false, template=BCMultiLineCell, textView=, titleLabel=Question
screen.form.sections.1.header: label=Please tell us a little before we start., template=BCPreChatHeaderView
screen.form.sections.2.cells.1: button=Start chat, kind=button, template=BCButtonCell
]])
    visitor:screen_type("first_name", "Ada")
    visitor:screen_type("email", "ada@example.com")
    visitor:screen_type("phone", "+49(30)123456")
    visitor:screen_press "department"
    visitor:screen_press("department", "2")
    visitor:screen_press "topic"
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=pre_chat
screen.form: kind=pre_chat, template=BCFormView
screen.form.sections.1.cells.1: key=note, kind=single_line, missingView=false, template=BCSingleLineCell, textField=, titleLabel=We answer soon.
screen.form.sections.1.cells.2: key=first_name, kind=single_line, missingView=false, requiredLabel=required, template=BCSingleLineCell, textField=Ada, titleLabel=Your name
screen.form.sections.1.cells.3: invalidEmailView=false, key=email, kind=email, missingView=false, template=BCSingleLineEmailCell, textField=ada@example.com, titleLabel=E-mail
screen.form.sections.1.cells.4: invalidPhoneNumberView=false, key=phone, kind=phone, missingView=false, template=BCSingleLinePhoneCell, textField=+49(30)123456, titleLabel=Phone
screen.form.sections.1.cells.5: key=department, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=department, valueLabel=Billing (online)
screen.form.sections.1.cells.6: key=size, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=size, valueLabel=
screen.form.sections.1.cells.7: key=topic, kind=selection, missingView=false, template=BCSelectionCell, titleLabel=topic, valueLabel=Bills
screen.form.sections.1.cells.8: key=topic, kind=picker, template=BCPickerCell
screen.form.sections.1.cells.8.pickerView.1: name=Orders, selected=false, value=o
screen.form.sections.1.cells.8.pickerView.2: name=Bills, selected=true, value=b
screen.form.sections.1.cells.9: key=initial_question, kind=multi_line, missingView=false, template=BCMultiLineCell, textView=, titleLabel=Question
screen.form.sections.1.header: label=Please tell us a little before we start., template=BCPreChatHeaderView
screen.form.sections.2.cells.1: button=Start chat, kind=button, template=BCButtonCell
]])
    visitor:screen_press "topic"
    visitor:screen_type("initial_question", "Where is it?")
    visitor:screen_press "button"
    visitor:expect("queue", { position = 1 })
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=chat
screen.chat: cancelChatButton=Leave a message instead, chatExternalActionButton=true, chatHistoryWebViewHolderView=true, emailChatHistoryButton=Send the transcript, endChatButton=End chat, inputHolderView=true, queuePositionLabel=Your position in the queue: 1, sendButton=Send, status=Everybody is busy at the moment., template=BCChatView
screen.chat.chatHistoryWebView.1: from=visitor, name=Ada, text=Where is it?, time=…
screen.chat.inputTextView: placeholder=Write a message, text=
]])
    desk:set_queue(0)
    visitor:expect("queue", { position = 0 })
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:say "On its way."
    visitor:expect "message"
    sam:typing(true)
    visitor:expect("typing", { active = true })
    visitor:screen_type("inputTextView", "When")
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=chat
screen.chat: chatExternalActionButton=true, chatHistoryWebViewHolderView=true, emailChatHistoryButton=Send the transcript, endChatButton=End chat, inputHolderView=true, sendButton=Send, template=BCChatView, typingLabel=Sam is typing
screen.chat.chatHistoryWebView.1: from=visitor, name=Ada, text=Where is it?, time=…
screen.chat.chatHistoryWebView.2: from=operator, name=Sam, text=On its way., time=…
screen.chat.inputTextView: placeholder=Write a message, text=When
]])
    visitor:screen_press "sendButton"
    visitor:screen_press "endChatButton"
    visitor:expect "post_chat"
    visitor:screen_press("overall", 4)
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=post_chat
screen.form: kind=post_chat, template=BCFormView
screen.form.sections.1.cells.1: invalidEmailView=false, key=email, kind=email, missingView=false, template=BCSingleLineEmailCell, textField=, titleLabel=Send the transcript to
screen.form.sections.1.footer: label=Send the transcript, template=BCPostChatEmailFooterView
screen.form.sections.1.header: label=How did we do?, template=BCPostChatHeaderView
screen.form.sections.2.cells.1: key=overall, kind=rating, missingView=false, starRatingView=4, template=BCRatingCell, titleLabel=How was the chat?
screen.form.sections.2.cells.2: key=comments, kind=multi_line, missingView=false, template=BCMultiLineCell, textView=, titleLabel=Anything to add?
screen.form.sections.3.cells.1: button=Done, kind=button, template=BCButtonCell
]])
    visitor:screen_press "button"
    visitor:expect "ended"
    shows(visitor, [[
screen: direction=ltr, endExternalActionButton=true, endLabel=Thank you for your answers., loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=end
]])
end)

scenario("the screen of a desk that is closed is as it is stored", { tags = { "screen", "unavailable" } }, function(t)
    t:server(boldchat, { open = false })
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    visitor:expect "unavailable"
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=unavailable
screen.form: kind=unavailable, template=BCFormView
screen.form.sections.1.cells.1: invalidEmailView=false, key=email, kind=email, missingView=false, requiredLabel=required, template=BCSingleLineEmailCell, textField=, titleLabel=Your e-mail address
screen.form.sections.1.cells.2: key=subject, kind=single_line, missingView=false, requiredLabel=required, template=BCSingleLineCell, textField=, titleLabel=Subject
screen.form.sections.1.cells.3: key=body, kind=multi_line, missingView=false, requiredLabel=required, template=BCMultiLineCell, textView=, titleLabel=Message
screen.form.sections.1.header: label=Nobody can chat right now. Leave us a message instead., template=BCUnavailableChatHeaderView
screen.form.sections.2.cells.1: button=Send, kind=button, template=BCButtonCell
]])
    visitor:screen_type("email", "nobody")
    visitor:screen_press "button"
    visitor:expect "form_invalid"
    shows(visitor, [[
screen: direction=ltr, loading=false, mainExternalActionButton=true, template=BCMainView, title=Chat, view=unavailable
screen.form: kind=unavailable, template=BCFormView
screen.form.sections.1.cells.1: invalidEmailView=true, key=email, kind=email, missingView=false, requiredLabel=required, template=BCSingleLineEmailCell, textField=nobody, titleLabel=Your e-mail address
screen.form.sections.1.cells.2: key=subject, kind=single_line, missingView=true, requiredLabel=required, template=BCSingleLineCell, textField=, titleLabel=Subject
screen.form.sections.1.cells.3: key=body, kind=multi_line, missingView=true, requiredLabel=required, template=BCMultiLineCell, textView=, titleLabel=Message
screen.form.sections.1.header: label=Nobody can chat right now. Leave us a message instead., template=BCUnavailableChatHeaderView
screen.form.sections.2.cells.1: button=Send, kind=button, template=BCButtonCell
]])
end)
