-- Misspelt functions, events and fields are errors that say what was meant.
local boldchat = require "boldchat"

local function pair(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    return visitor, sam, desk
end

scenario("a global function", function() expct(1, 1) end)
scenario("a function of a library", function() match.contians "x" end)
scenario("another library", function() random.intger(1, 2) end)
scenario("a method of the context", function(t) t:sevrer(boldchat) end)
scenario("a method of an actor", function(t) pair(t):creat_chat() end)
scenario("a property of an actor", function(t) return pair(t).session_stat end)
scenario("an event", function(t) pair(t):expect "pre_chta" end)
scenario("an event in an expression", function(t) pair(t):expect(any { "mesage", "queue" }) end)
scenario("a field that is expected", function(t) pair(t):expect("queue", { postion = 1 }) end)
scenario("a field that is read", function(t)
    local visitor = pair(t)
    visitor:create_chat()
    return visitor:expect("pre_chat").from:fill {}
end)
scenario("a field of a form", function(t)
    local visitor = pair(t)
    visitor:create_chat()
    visitor:expect("pre_chat").form:fill { frist_name = "Ada" }
end)
scenario("an argument", function(t)
    local visitor, sam = pair(t)
    visitor:create_chat { langauge = "de" }
end)
scenario("a fixture", function(t) t:use "desc" end)
fixture("desk", function() end)
