-- Documents that one side shows to the other.
local liveassist = require "liveassist"

local page = "JVBERi0xLjQK" -- the first bytes of a PDF file

-- A consumer and an agent who looks at the screen; the consumer may want to be asked before documents are shown.
local function cobrowsing(t, asks)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", pushDelegate = asks })
    local agent = t:actor(liveassist, { name = "Sam", role = "agent" })
    consumer:start_support()
    consumer:expect "connected"
    agent:join(nil, nil, consumer)
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect(seq { event "agent_joined_cobrowse", event("cobrowse_active", { active = true }) })
    agent:expect("cobrowse_active", { active = true })
    return consumer, agent
end

scenario("a document is offered, accepted, shown and closed", { tags = { "smoke", "documents" } }, function(t)
    local consumer, agent = cobrowsing(t, true)
    local id = agent:push_document(nil, page, "application/pdf", "contract")
    consumer:expect("document_requested", { type = "application/pdf" })
    consumer:accept_document()
    consumer:expect("document_opened", { id = id, metadata = "contract" })
    agent:expect("document_result", { id = id, outcome = "succeeded" })
    agent:close_document()
    consumer:expect("document_closed", { id = id, by = "agent", initiator = 1 })
    t:allow "document_result"
end)

scenario("a consumer need not look at a document", { tags = { "documents" } }, function(t)
    local consumer, agent = cobrowsing(t, true)
    local id = agent:push_document(nil, page, "application/pdf")
    consumer:expect "document_requested"
    consumer:reject_document()
    agent:expect("document_result", { id = id, outcome = "rejected" })
end)

scenario("a document of no known kind fails on both sides", { tags = { "documents" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:push_document(nil, page, "application/x-unknown")
    consumer:expect("document_error", { code = 3 })
    consumer:expect("error", { code = 10006 })
    agent:expect("document_result", { outcome = "failed", code = 3 })
    t:allow { "document_requested" }
end)

scenario("a consumer shows a document", { tags = { "documents" } }, function(t)
    local consumer = cobrowsing(t)
    consumer:share_document(nil, page, "application/pdf")
    consumer:expect("document_opened", { id = -1, type = "application/pdf" })
    consumer:close_document()
    consumer:expect("document_closed", { id = -1, by = "consumer" })
end)

scenario("without co-browsing a consumer cannot show a document", { tags = { "documents", "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    consumer:share_document(nil, page, "application/pdf")
    consumer:expect("error", { code = 40101 })
end)
