-- What the vendor's document says twice, wrongly or in several spellings.
local oracle = require "oracle"

local function shown(t, message, options)
  local desk = t:server(oracle)
  local user = t:actor(oracle, options)
  user:connect()
  user:expect "connected"
  desk:say(message)
  return user
end

scenario("a link may be called a call, and its URL may be in capitals", function(t)
  local user = shown(t, { text = "Look", actions = { { type = "call", label = "Open", URL = "https://a.example" } } })
  user:expect("message", { text = "Look" })
  user:tap "Open"
  user:expect("link_opened", { url = "https://a.example" })
end)

scenario("the fields of a form may be called field", function(t)
  local user = shown(t, {
    type = "form", formColumns = 1, forms = { { field = { { displayType = "text", label = "a", value = "b" } } } },
  })
  local message = user:expect("message", { type = "form" })
  expect(message.forms[1].fields[1].value, "b")
end)

scenario("a frame that is not JSON, as a sample of the document, is ignored", function(t)
  local desk = t:server(oracle)
  local user = t:actor(oracle)
  user:connect()
  user:expect "connected"
  desk:send_frame("{\"actions\":[]],\"userId\":\"guest\"}", user)
  user:expect "frame"
end)

scenario("latitude 0 is refused as missing", function(t)
  t:server(oracle)
  local user = t:actor(oracle)
  user:connect()
  user:expect "connected"
  user:send_location(0, 10)
  user:expect("error", { code = "MessageInvalid" })
end)

for _, name in ipairs { "share_popup_configuration", "share_menu_configuration", "share_menu_items" } do
  scenario("the share menu is called " .. name, function(t)
    t:server(oracle)
    local user = t:actor(oracle, { [name] = { items = { "audio" } } })
    user:connect()
    user:expect "connected"
    user:upload { name = "a.png", text = "a" }
    user:expect("error", { code = "UploadBadFile" })
  end)
end

for _, name in ipairs {
  "enable_auto_send_speech_response", "enable_speech_recognition_auto_send", "enable_speech_auto_send_speech_response",
} do
  scenario("speech waits in the input field with " .. name, function(t)
    t:server(oracle, { speech = { "order a pizza" } })
    local user = t:actor(oracle, { enable_speech_recognition = true, [name] = false })
    user:connect()
    user:expect "connected"
    user:start_recording { duration = "300ms" }
    user:expect("speech_final", { text = "order a pizza", sent = false })
    expect(user:screen().input, "order a pizza")
  end)
end
