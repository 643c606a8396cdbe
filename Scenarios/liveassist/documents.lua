-- Documents that one side shows to the other.
local liveassist = require "liveassist"
local beginnings = require "beginnings"

local page = "JVBERi0xLjQK" -- the first bytes of a PDF file

-- A consumer and an agent who looks at the screen; the consumer may want to be asked before documents are shown.
local function cobrowsing(t, asks)
    local consumer, agent = beginnings.cobrowsing(t, { pushDelegate = asks })
    consumer:expect("cobrowse_active", { active = true })
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

scenario("the agent sees a document that the consumer shares, and may close it", { tags = { "documents" } }, function(t)
    local consumer, agent = cobrowsing(t)
    local id = consumer:share_document(nil, page, "application/pdf")
    agent:expect("document_opened", { document = id, type = "application/pdf", shared = true })
    expect(agent.windows, match.has { document = id, type = "application/pdf", closeable = true })
    agent:close_document(id)
    agent:expect("document_closed", { document = id, shared = true })
    consumer:expect "document_opened"
    consumer:expect("document_closed", { document = id, by = "agent" })
end)

scenario("giving up a connection closes the documents", { tags = { "documents", "connection" } }, function(t)
    local consumer = cobrowsing(t)
    consumer:share_document(nil, page, "application/pdf")
    consumer:expect "document_opened"
    consumer:terminate()
    consumer:expect("document_closed", { by = "support_ended" })
    expect(consumer.documents, 0)
    t:allow { "terminated", "cobrowse_active", "consumer_left" }
end)

scenario("without co-browsing a consumer cannot show a document", { tags = { "documents", "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    consumer:share_document(nil, page, "application/pdf")
    consumer:expect("error", { code = 40101 })
end)

scenario("a document is fetched from where the agent says", { tags = { "documents" } }, function(t)
    local consumer, agent = cobrowsing(t, true)
    local id = agent:push_document("/documents/200/image/png", nil, nil, "a map & more")
    consumer:expect("document_requested", { url = match.contains "/documents/200", metadata = "a map & more" })
    consumer:accept_document()
    consumer:expect("completed", { status = 200, callback = "documentFinished(downloading:)" })
    consumer:expect("document_opened", { id = id, type = "image/png" })
    agent:expect("document_result", { id = id, outcome = "succeeded" })
    consumer:close_document()
    consumer:expect("document_closed", { id = id, by = "consumer", initiator = 2 })
    agent:expect("document_result", { id = id, outcome = "closed", by = "consumer" })
end)

scenario("a document that is not there fails with the server's status", { tags = { "documents", "errors" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:push_document "/documents/404/application/pdf"
    consumer:expect("completed", { status = 404, callback = "documentFailed(toDownload:)" })
    consumer:expect("document_error", { code = 2, callback = match.contains "onError" })
    agent:expect("document_result", { outcome = "failed", code = 2, http = 404 })
end)

scenario("a document without content fails", { tags = { "documents", "errors" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:push_document(nil, "", "application/pdf")
    consumer:expect("document_error", { code = 5 })
    agent:expect("document_result", { outcome = "failed", code = 5 })
end)

scenario("a document of another kind than it seemed fails when it is there", { tags = { "documents", "errors" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:push_document "/documents/200/text/html"
    consumer:expect("document_error", { code = 3 })
    consumer:expect("error", { code = 10006 })
    agent:expect("document_result", { outcome = "failed", code = 3 })
end)

scenario("a long document arrives in chunks and whole", { tags = { "documents" } }, function(t)
    local consumer, agent = cobrowsing(t)
    local id = agent:push_document(nil, base64.encode("%PDF-1.4" .. ("x"):rep(11992)), "application/pdf")
    consumer:expect("document_opened", { id = id, size = 12000 })
    agent:expect("document_result", { outcome = "succeeded" })
end)

scenario("a document without a close link stays until support ends", { tags = { "documents" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, { addSharedDocCloseListener = false })
    agent:expect("cobrowse_active", { active = true })
    local id = agent:push_document(nil, page, "application/pdf")
    consumer:expect("document_opened", { id = id })
    agent:expect("document_result", { outcome = "succeeded" })
    agent:close_document()
    consumer:expect_silence("300ms", "document_closed")
    local done, why = pcall(consumer.close_document, consumer)
    expect(done, false)
    expect(tostring(why), match.contains "addSharedDocCloseListener")
    consumer:end_support()
    consumer:expect("document_closed", { id = id, by = "support_ended", initiator = 3 })
    consumer:expect "terminated"
    agent:expect("document_result", { id = id, outcome = "closed", by = "support_ended" })
    t:allow { "cobrowse_active", "ended", "consumer_left", "terminated" }
end)

scenario("an agent counts its documents from zero in each session", { tags = { "documents" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t)
    agent:expect("cobrowse_active", { active = true })
    expect(agent:push_document(nil, page, "application/pdf"), 0)
    consumer:expect("document_opened", { id = 0 })
    agent:leave_session()
    consumer:expect "agent_left_session"
    consumer:close_document() -- while it is open, its number would not be given again
    consumer:expect("document_closed", { id = 0, by = "consumer" })
    agent:join(nil, nil, consumer)
    agent:expect(seq { event("cobrowse_active", { active = false }), "connected" })
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    agent:expect("cobrowse_active", { active = true })
    local done, why = pcall(agent.close_document, agent) -- that of the session before is not its own any more
    expect({ done, tostring(why) }, { false, match.contains "no such document" })
    expect(agent:push_document(nil, page, "application/pdf"), 0)
    consumer:expect("document_opened", { id = 0 })
    t:allow { "agent_joined_cobrowse", "agent_left_cobrowse", "cobrowse_active", "document_result" }
end)

scenario("margins make the window of a document smaller", { tags = { "documents" } }, function(t)
    local margins = { left = 10, right = 20, top = 30, bottom = 40 }
    local consumer, agent = beginnings.cobrowsing(t, { documentViewConstraints = margins })
    agent:expect("cobrowse_active", { active = true })
    agent:push_document(nil, page, "application/pdf")
    consumer:expect("document_opened", { x = 10, y = 30, width = 390 - 30, height = 844 - 70 })
    t:allow { "cobrowse_active", "document_result" }
end)

scenario("while the consumer pauses no document is shown", { tags = { "documents", "pause" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:pause_cobrowse()
    agent:expect("cobrowse_active", { active = false })
    local done, why = pcall(agent.push_document, agent, nil, page, "application/pdf")
    expect(done, false)
    expect(tostring(why), match.contains "paused")
    consumer:share_document(nil, page, "application/pdf")
    consumer:expect("error", { code = 40101 })
end)

scenario("an agent waits five minutes for the outcome of a document", {
    tags = { "documents" }, clock = "virtual", timeout = "10m", faults = {
        delay = "the five minutes begin when the document is pushed, and what is late takes of them",
        clock_jump = "the five minutes are those of the agent's clock",
    },
}, function(t)
    local consumer, agent = cobrowsing(t, true)
    local id = agent:push_document(nil, page, "application/pdf")
    consumer:expect "document_requested"
    agent:expect_silence("299s", "document_result")
    agent:expect("document_result", { id = id, outcome = "failed", error = "timeout" }, { within = "2s" })
end)

scenario("a link that is pushed during a pause is ignored", { tags = { "links", "pause" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:pause_cobrowse()
    agent:expect("cobrowse_active", { active = false })
    agent:push_link "https://shop.example/help"
    consumer:expect_silence("300ms", "link")
end)
