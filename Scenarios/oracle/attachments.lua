-- Files and places that a user sends.
local oracle = require "oracle"

-- A skill that says what it got.
local function registrar(message)
    if message.type == "attachment" then return "Got " .. message.attachment.type end
    if message.type == "location" then return "Found you" end
    return "Hello."
end

scenario("a picture is uploaded and then sent", { tags = { "smoke", "files" } }, function(t)
    t:server(oracle, { skill = registrar })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:upload { name = "cat.png", base64 = "iVBORw0KGgo=" }
    user:expect("attachment_uploaded", { name = "cat.png", type = "image", media_type = "image/png" })
    user:expect("message_sent", { type = "attachment", attachment = { type = "image" } })
    user:expect("message", { text = "Got image" })
end)

scenario("a file that the server does not take is not sent", { tags = { "files" } }, function(t)
    t:server(oracle, { skill = registrar, refused_types = { "application/pdf" } })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:never "message_sent"
    user:upload { name = "menu.pdf", text = "%PDF-1.4" }
    user:expect("error", { code = "UploadBadFile", status = 415 })
end)

scenario("each answer to an upload has its own error", { tags = { "files" } }, function(t)
    local desk = t:server(oracle, { skill = registrar })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    desk:fault("upload_status", 413)
    user:upload { name = "big.txt", text = "a" }
    user:expect("error", { code = "UploadMaxSize" })
    desk:fault("upload_status", 500)
    user:upload { name = "small.txt", text = "a" }
    user:expect("error", { code = "UploadNetworkFail" })
end)

scenario("a place is sent as coordinates", { tags = { "files" } }, function(t)
    t:server(oracle, { skill = registrar })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:send_location(52.52, 13.405, "Berlin")
    user:expect("message_sent", { type = "location", location = { latitude = 52.52 } })
    user:expect("message", { text = "Found you" })
end)
