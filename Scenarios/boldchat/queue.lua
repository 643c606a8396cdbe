-- Waiting in a queue, being answered, and leaving before that.
local boldchat = require "boldchat"

-- The desk tells the position whenever it changes (updateBusy), and again whom it could not reach.
local moves = "the queue moves while the client connects again"
local moving = { cut = moves, truncate = moves, half_close = moves, delay = "the queue moves meanwhile" }

scenario("a visitor waits, is answered and rates the agent", {
    tags = { "smoke", "queue" }, faults = moving,
}, function(t)
    local desk = t:server(boldchat, { queue = 2 })
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat, { language = "en-US" })

    visitor:create_chat()
    visitor:expect("pre_chat").form
        :fill { first_name = "Ada", email = "ada@example.com", initial_question = "Where is my order?" }
        :submit()
    visitor:expect("queue", { position = 2 })
    visitor:expect("queue", { position = 1 })

    sam:accept(visitor)
    sam:typing(true)
    visitor:expect("typing", { active = true, person = { type = "operator" } }, { within = "3s" })
    sam:say "It left this morning."
    visitor:expect("message", { from = "operator", text = match.contains "this morning" })
    visitor:expect_silence("2s", "message")

    visitor:say "Thanks!"
    visitor:finish()
    visitor:expect("post_chat").form:fill { overall = 5 }:submit()
    visitor:expect("ended", { reason = "visitor" })
end)

scenario("half an hour in the queue passes at once", { tags = { "queue" }, timeout = "1h", clock = "virtual" }, function(t)
    local desk = t:server(boldchat, { queue = 1, queue_interval = "1h" })
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)

    visitor:create_chat { skip_pre_chat = true }
    visitor:expect("queue", { position = 1 })
    wait "30m"
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:say "Sorry for the wait."
    visitor:expect("message", { text = "Sorry for the wait." })
    visitor:finish()
    visitor:expect("post_chat").form:submit()
    visitor:expect "ended"
end)

scenario("a visitor leaves the queue and writes a mail instead", {
    tags = { "queue", "unavailable" }, faults = moving,
}, function(t)
    local desk = t:server(boldchat, { queue = 3 })
    local visitor = t:actor(boldchat)

    visitor:create_chat { skip_pre_chat = true }
    visitor:expect("queue", { position = 3, unavailable_form_available = true })
    visitor:cancel_chat()
    visitor:expect("unavailable", { reason = "unknown" }).form
        :fill { email = "ada@example.com", subject = "Order 1815", body = "Please call me back." }
        :submit()
    visitor:expect "ended"
end)
