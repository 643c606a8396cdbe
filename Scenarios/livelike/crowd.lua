-- A room with many members.
local livelike = require "livelike"

-- `CROWD=1000 repartee test Scenarios/livelike/crowd.lua` fills the room, with `--clock real` over real sockets.
local size = tonumber(env("CROWD", "30"))

scenario("each of a hundred messages reaches every member of a crowd once and in order", {
    tags = { "crowd" }, timeout = "5m", allow = { "message" },
}, function(t)
    local service = t:server(livelike)
    local host, crowd = service:moderator "Host", {}
    for first = 1, size, 50 do
        for number = first, math.min(first + 49, size) do
            crowd[number] = t:actor(livelike, { name = "member " .. number, raw = false })
            crowd[number]:connect "lobby"
        end
        for number = first, math.min(first + 49, size) do crowd[number]:expect "connected" end
    end
    repeat
        wait "20ms"
        service:room "lobby" -- with the answer come the properties of a server in another process
    until service.subscribers == size

    local said = {}
    for number = 1, 100 do
        said[number] = "message " .. number
        host:say(said[number])
        if number % 3 == 0 then wait "10ms" end
    end
    for _, member in ipairs(crowd) do member:expect("message", { text = said[100] }, { within = "1m" }) end
    wait "300ms" -- in which nothing may come again

    local everything = table.concat(said, ", ")
    for _, member in ipairs(crowd) do
        local heard = {}
        for number, message in ipairs(member:events "message") do heard[number] = message.text end
        assert(table.concat(heard, ", ") == everything, member.name .. " heard " .. table.concat(heard, ", "))
    end
end)

scenario("in a small room everybody hears everybody", { tags = { "crowd" }, allow = { "message" } }, function(t)
    t:server(livelike)
    local crowd, voices = {}, {}
    for number = 1, 12 do
        crowd[number] = t:actor(livelike, { name = "member " .. number, nickname = "member " .. number })
        crowd[number]:connect "lobby"
    end
    for _, member in ipairs(crowd) do member:expect "connected" end
    for number, member in ipairs(crowd) do
        voices[number] = spawn(function()
            for count = 1, 3 do member:say(number .. "/" .. count) end
        end)
    end
    join(table.unpack(voices))
    for number, member in ipairs(crowd) do
        local ends = {}
        for other = 1, #crowd do
            if other ~= number then table.insert(ends, event("message", { text = other .. "/3" })) end
        end
        member:expect(all(ends), { within = "1m" })
    end
    wait "1s" -- in which nothing may come again
    for number, member in ipairs(crowd) do
        local last, total = {}, 0
        for _, message in ipairs(member:events "message") do
            local sender, count = message.text:match "(%d+)/(%d+)"
            assert(tonumber(count) == (last[sender] or 0) + 1, member.name .. " heard " .. message.text .. " too early")
            last[sender] = tonumber(count)
            total = total + 1
        end
        check(total, 36, "what member " .. number .. " has heard, itself included")
    end
end)
