-- Notes that are posted without waiting for each other, over a network on which each takes its own time.
-- `repartee load Scenarios/load/disorder.lua --clock virtual` plays it as many users and says how many of the notes
-- came out of order; the last threshold says how many may. Within one connection nothing overtakes anything (TCP), but
-- requests at the same time have connections of their own.
local Notes = system {
    name = "notes", client = "visitor", events = {},
    parties = { agent = { events = { message = { text = "string" } } } },
}
Notes.commands.say = { sends = "text", function(me, text)
    local answer = me:request { path = "/notes", json = { text = text } }
    if not answer.ok then me:emit("error", { code = "refused", message = "the note was refused" }) end
end }
function Notes.server.request(desk, request)
    for _, agent in pairs(desk.parties) do agent:emit("message", { text = request.json.text }) end
    return 202
end

workload {
    executor = "per_vu_iterations", users = 20, iterations = 5,
    network = { latency = "20ms", jitter = "100ms" },
    thresholds = {
        "count(lost) == 0",
        "count(duplicated) == 0",
        "count(reordered) < 150",
    },
}

scenario("notes that nobody waits for come in any order, and none is lost", { tags = { "load" } }, function(t)
    local desk = t:server(Notes)
    local sam, visitor = desk:agent "Sam", t:actor(Notes)
    local notes = {}
    for number = 1, 3 do
        local text = "Note " .. number
        notes[number] = event("message", { text = text })
        spawn(function() visitor:say(text) end)
    end
    sam:expect(all(notes))
end)
