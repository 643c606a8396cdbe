-- Golden transcripts: the whole conversation against a stored one, with masks for what varies.
-- `repartee test --update` stores what differs; lines and masks that still fit stay as they are written.
local websocket = require "websocket"

local function shop(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    visitor:expect "connected"
    peer:expect "connected"
    return visitor, peer
end

scenario("a conversation is as it is stored", function(t)
    local visitor, peer = shop(t)
    visitor:send "Where is my order?"
    peer:expect "frame"
    peer:send("Order " .. random.digits(4) .. " left on " .. date.today(-1) .. ".")
    peer:send "Anything else?"
    visitor:expect("frame", { text = "Anything else?" })
    visitor:send "No, thanks."
    peer:expect "frame"
    visitor:expect_transcript "order"
end)

scenario("the conversations of all clients, with a gap", function(t)
    local visitor, peer = shop(t)
    for number = 1, 5 do peer:send("Message " .. number) end
    wait "100ms"
    local other = t:actor(websocket, { name = "another visitor" })
    other:connect()
    other:expect "connected"
    expect_transcript("chatter")
end)

scenario("a visitor of BoldChat and the forms", function(t)
    local boldchat = require "boldchat"
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    visitor:expect("pre_chat").form
        :fill { first_name = "Ada", email = "ada@example.com", initial_question = "Where is my order?" }:submit()
    wait "1s"
    sam:accept(visitor)
    sam:say "It left this morning."
    wait "1s"
    visitor:say "Thanks!"
    wait "1s"
    visitor:finish()
    expect_transcript "boldchat"
end)
