-- Files and places that a user sends.
local oracle = require "oracle"
local connected = require("beginnings").connected

-- A user of a skill that says what it got.
local function sender(t, options, server)
    server = server or {}
    server.skill = function(message)
        if message.type == "attachment" then return "Got " .. message.attachment.type end
        if message.type == "location" then return "Found you" end
        return "Hello."
    end
    return connected(t, options, server)
end

local megabyte = 1024 * 1024

scenario("a picture is uploaded and then sent", { tags = { "smoke", "files" } }, function(t)
    local user = sender(t)
    local banner = user:upload { name = "cat.png", base64 = "iVBORw0KGgo=" }
    expect(banner, user:string "odais_upload_attachment")
    user:expect("attachment_uploaded", { name = "cat.png", type = "image", media_type = "image/png", size = 8 })
    user:expect("message_sent", { type = "attachment", attachment = { type = "image", title = "cat.png" } })
    user:expect("message", { text = "Got image" })
end)

scenario("a file of the project is uploaded under its name", { tags = { "files" } }, function(t)
    local user = sender(t)
    user:upload { file = "order.wav" }
    user:expect("attachment_uploaded", { name = "order.wav", type = "audio", size = 9644 })
    user:expect("message", { text = "Got audio" })
end)

for name, kind in pairs { ["a.png"] = "image", ["a.mp4"] = "video", ["a.mp3"] = "audio", ["a.pdf"] = "file" } do
    scenario(("%s is sent as %s"):format(name, kind), { tags = { "files" } }, function(t)
        local user = sender(t)
        user:upload { name = name, text = "content" }
        user:expect("message", { text = "Got " .. kind })
    end)
end

for _, row in ipairs {
    { "an empty file", { name = "a.txt", size = 0 }, "UploadZeroSize", "odais_zero_byte_file_warning" },
    { "a file of one byte more than 25 MB", { name = "a.txt", size = 25 * megabyte + 1 }, "UploadMaxSize" },
    { "a kind of file that nobody knows", { name = "a.xyz", text = "?" }, "UploadBadFile", "odais_file_not_supported" },
    { "a picture of a camera that may not be used", { name = "a.png", text = "?", from = "camera", permission = false },
        "UploadNotAvailable", "odais_camera_permission_denied" },
} do
    scenario(row[1] .. " stays with the user", { tags = { "files" } }, function(t)
        local user, desk = sender(t)
        user:upload(row[2])
        local said = user:expect("error", { code = row[3] })
        if row[4] then expect(said.message, user:string(row[4])) end
        expect(#desk:received(), 0)
    end)
end

scenario("the words for a file that is too large name the limit", { tags = { "files" } }, function(t)
    local user = sender(t)
    user:upload { name = "a.txt", size = 25 * megabyte + 1 }
    user:expect("error", { code = "UploadMaxSize", message = match.contains "25" })
end)

scenario("a file of exactly 25 MB is sent", { tags = { "files", "large" } }, function(t)
    local user = sender(t)
    user:upload { name = "a.txt", size = 25 * megabyte }
    user:expect("attachment_uploaded", { size = 25 * megabyte }, { within = "60s" })
    user:expect("message", { text = "Got file" })
end)

for status, code in pairs {
    [400] = "UploadNetworkFail", [401] = "UploadUnauthorized", [403] = "UploadUnauthorized", [413] = "UploadMaxSize",
    [415] = "UploadBadFile", [500] = "UploadNetworkFail",
} do
    scenario(("an upload that is answered with %d is %s"):format(status, code), { tags = { "files" } }, function(t)
        local user, desk = sender(t)
        user:never "message_sent"
        desk:fault("upload_status", status)
        user:upload { name = "a.txt", text = "a" }
        user:expect("error", { code = code, status = status, banner = user:string "odais_upload_attachment_error" })
    end)
end

scenario("a type that the server does not take is refused there", { tags = { "files" } }, function(t)
    local user = sender(t, nil, { refused_types = { "application/pdf" } })
    user:upload { name = "menu.pdf", text = "%PDF-1.4" }
    user:expect("error", { code = "UploadBadFile", status = 415 })
end)

scenario("an upload whose connection dies is no message", { tags = { "files" } }, function(t)
    local user, desk = sender(t)
    desk:fault "drop_requests"
    user:upload { name = "a.txt", text = "a" }
    user:expect("error", { code = "UploadNetworkFail" })
end)

scenario("a user who disconnects stops the upload", { tags = { "files" } }, function(t)
    local user = sender(t)
    user:upload { name = "a.txt", text = "a" }
    user:disconnect()
    user:expect("error", { code = "UploadNetworkFail", name = "a.txt", banner = user:string "odais_upload_attachment_error" })
    user:expect "disconnected"
    user:expect_silence("1s", any { "attachment_uploaded", "error" })
end)

scenario("nothing is uploaded without a connection or against the configuration", { tags = { "files" } }, function(t)
    local user = sender(t, { enable_attachment = false })
    user:upload { name = "a.txt", text = "a" }
    user:expect("error", { code = "UploadNotAvailable" })
    local other = t:actor(oracle, { name = "other" })
    other:upload { name = "a.txt", text = "a" }
    other:expect("error", { code = "ConnectionNone" })
end)

scenario("a protected file is shown to who has the token", { tags = { "files", "token" } }, function(t)
    local user = sender(t, {
        enable_attachment_security = true, token_fixture = { user_id = "ada" },
    }, { authentication = true })
    user:upload { name = "id.png", text = "pixels" }
    local uploaded = user:expect "attachment_uploaded"
    user:expect("message", { text = "Got image" })
    expect(user:download_url(uploaded.url), match.glob(uploaded.url .. "?token=*.*.*"))
end)

scenario("the server's side can read what was uploaded", { tags = { "files" } }, function(t)
    local user, desk = sender(t)
    user:upload { name = "order.txt", text = "Two pizzas" }
    local uploaded = user:expect "attachment_uploaded"
    user:upload { name = "id.png", base64 = base64.encode "\0\255" }
    user:expect "attachment_uploaded"
    local files = desk:files()
    expect(files, match.count(2))
    expect(files[1], {
        name = "order.txt", type = "text/plain", size = 10, text = "Two pizzas", protected = false, url = uploaded.url,
    })
    expect(files[2], { name = "id.png", size = 2 })
    expect(files[2].text, nil)
    expect(base64.decode(files[2].base64) == "\0\255")
    t:allow { "message" }
end)

scenario("the share menu of the document's example offers papers up to a megabyte and texts", {
    tags = { "files", "share menu" },
}, function(t)
    local user = sender(t, {
        share_menu_configuration = {
            items = { "files", "camera", "location" },
            custom = {
                { types = { "com.adobe.pdf" }, label = "PDF Files", max_size = 1024 },
                { types = { "public.text" }, label = "Text Files" },
            },
        },
    })
    expect(user:share_menu(), {
        items = { { item = "file" }, { item = "camera" }, { item = "location" } },
        custom = { { label = "PDF Files", max_size = 1024 }, { label = "Text Files", max_size = 25 * 1024 } },
    })
    user:upload { name = "a.pdf", size = megabyte + 1 }
    user:expect("error", { code = "UploadMaxSize", message = match.contains "1MB" })
    for _, name in ipairs { "a.pdf", "a.txt", "a.csv", "a.jpg" } do
        user:upload { name = name, size = megabyte }
        user:expect("attachment_uploaded", { name = name })
    end
    user:upload { name = "a.mp3", size = 1 }
    user:expect("error", { code = "UploadBadFile" })
    t:allow { "message" }
end)

scenario("an upload takes the buttons above with it", { tags = { "files", "buttons" } }, function(t)
    local user, desk = sender(t)
    desk:say { text = "Well?", actions = { "Yes" } }
    user:expect("message", { text = "Well?" })
    user:upload { name = "a.txt", text = "a" }
    expect(user:screen().buttons, { { label = "Yes", enabled = false } })
    user:expect("message", { text = "Got file" })
end)

scenario("the share menu offers what the configuration names, with limits of its own", {
    tags = { "files", "share menu" },
}, function(t)
    local user = sender(t, {
        share_menu_configuration = {
            items = { "visual" },
            custom = { { types = { "pdf" }, label = "Papers", max_size = 1024 } },
        },
    })
    expect(user:share_menu(), {
        items = { { item = "visual" }, { item = "camera" } },
        custom = { { label = "Papers", types = { "pdf" }, max_size = 1024 } },
    })
    user:upload { name = "a.mp3", text = "a" }
    user:expect("error", { code = "UploadBadFile" })
    user:upload { name = "a.pdf", size = megabyte + 1 }
    user:expect("error", { code = "UploadMaxSize", message = match.contains "1" })
    user:upload { name = "a.pdf", size = megabyte }
    user:expect("message", { text = "Got file" })
    user:set_share_menu { items = { "audio" } }
    user:upload { name = "a.mp3", text = "a" }
    user:expect("message", { text = "Got audio" })
end)

scenario("a place is sent as coordinates", { tags = { "places" } }, function(t)
    local user = sender(t)
    user:send_location(52.52, 13.405, "Berlin")
    user:expect("message_sent", { type = "location", location = { latitude = 52.52, title = "Berlin" } })
    user:expect("message", { text = "Found you" })
end)

scenario("a button asks the device where it is, to five decimals", { tags = { "places" } }, function(t)
    local user, desk = sender(t)
    user:set_place(52.5200066, 13.4049540)
    desk:say { text = "Where are you?", actions = { { type = "location", label = "Here" } } }
    user:expect("message", { text = "Where are you?" })
    user:tap "Here"
    user:expect("message_sent", { location = { latitude = 52.52001, longitude = 13.40495 } })
    user:expect("message", { text = "Found you" })
end)

for obstacle, code in pairs { denied = "LocationNotAvailable", disabled = "LocationNoAPI" } do
    scenario(("a device with location %s sends none"):format(obstacle), { tags = { "places" } }, function(t)
        local user, desk = sender(t)
        user:set_place(nil, nil, obstacle)
        desk:say { text = "Where are you?", actions = { { type = "location", label = "Here" } } }
        user:expect("message", { text = "Where are you?" })
        user:tap "Here"
        user:expect("error", { code = code })
    end)
end

scenario("a place that is nowhere is refused", { tags = { "places" } }, function(t)
    local user = sender(t)
    user:send_location(91, 0)
    user:expect("error", { code = "LocationInvalid" })
end)

scenario("types by the names of the vendor's platform are known, and the smallest limit counts", {
    tags = { "attachments" },
}, function(t)
    local user = connected(t, {
        share_menu_configuration = { items = { "files" }, custom = { { types = { "com.adobe.pdf" }, max_size = 1 } } },
    }, { echo = true })
    user:upload { name = "a.pdf", size = 5000 }
    user:expect("error", { code = "UploadMaxSize" })
    user:set_share_menu { custom = { { types = { "com.adobe.pdf", "public.text" } } } }
    user:upload { name = "a.pdf", size = 500 }
    user:expect "attachment_uploaded"
    user:upload { name = "a.txt", size = 500 }
    user:expect "attachment_uploaded"
    user:upload { name = "a.png", size = 500 }
    user:expect("error", { code = "UploadBadFile" })
    expect(pcall(user.set_share_menu, user, { custom = { { types = { "com.adobe.pdff" } } } }), false)
    t:allow { "message" }
end)

scenario("the camera and the gallery are offered each by itself", { tags = { "attachments" } }, function(t)
    local user = connected(t, { share_menu_configuration = { items = { "camera" } } }, { echo = true })
    expect(user:share_menu().items, match.count(1))
    expect(user:share_menu().items[1].item, "camera")
    local function only(source, other)
        local done, why = pcall(user.upload, user, { name = "a.png", text = "a", from = other })
        expect({ done, tostring(why) }, { false, match.contains("does not lead to " .. other) })
        user:upload { name = "a.png", text = "a", from = source }
        user:expect "attachment_uploaded"
    end
    only("camera", "gallery")
    user:set_share_menu { items = { "photoAndVideoLibrary" } }
    expect(user:share_menu().items, match.count(1))
    expect(user:share_menu().items[1].item, "gallery")
    only("gallery", "camera")
    t:allow { "message" }
end)
