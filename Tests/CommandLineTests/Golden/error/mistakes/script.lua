-- Mistakes of the script are errors, not failures, and say what was meant.
local boldchat = require "boldchat"

local function pair(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat)
    return visitor, desk
end

scenario("an event that does not exist", function(t)
    local visitor = pair(t)
    visitor:expect "mesage"
end)

scenario("an event that this actor never observes", function(t)
    local visitor = pair(t)
    visitor:expect "speech_final"
end)

scenario("an option of an actor", function(t)
    t:server(boldchat)
    t:actor(boldchat, { langauge = "en-US" })
end)

scenario("an option of an expectation", function(t)
    local visitor = pair(t)
    visitor:expect("message", {}, { wihtin = "1s" })
end)

scenario("a method", function(t)
    local visitor = pair(t)
    visitor:creat_chat()
end)

scenario("a method of the desk", function(t)
    local _, desk = pair(t)
    desk:agnet "Sam"
end)

scenario("a field of a form", function(t)
    local visitor = pair(t)
    visitor:create_chat()
    visitor:expect("pre_chat").form:fill { frist_name = "Ada" }
end)

scenario("a duration", function() wait "5 parsecs" end)

scenario("nil is called", function() no_such_function() end)

scenario("nil is indexed", function()
    local function inner() return nil .. "x" end
    local function outer() return inner() end
    outer()
end)

scenario("error with a table", function() error { code = 7 } end)

scenario("a matcher", function() expect("x", match.regex "(") end)

scenario("a word for a number", function(t)
    local _, desk = pair(t)
    desk:set_queue "two"
end)

scenario("two threads expect of one actor", function(t)
    local visitor = pair(t)
    spawn(function() visitor:expect("message", { text = "a" }) end)
    wait "1s"
    visitor:expect("message", { text = "b" })
end)

scenario("a wait where Lua cannot wait", function()
    table.sort({ 3, 2, 1 }, function(a, b)
        wait "1s"
        return a < b
    end)
end)

scenario("a declaration inside of a scenario", function() scenario("inner", function() end) end)

scenario("form handles are not tables", function(t)
    local visitor = pair(t)
    visitor:create_chat()
    visitor:expect("pre_chat").form.subimt()
end)

scenario("silence of an order of events", function(t)
    local visitor = pair(t)
    visitor:expect_silence("1s", seq { "pre_chat", "message" })
end)
