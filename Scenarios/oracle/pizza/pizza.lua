-- A bot that sells pizza, and the regression suite of its conversations.
local oracle = require "oracle"

local pizzas = { { "CHEESE", "Classic marinara." }, { "PEPPERONI", "With pepperoni." }, { "HAWAIIAN", "With ham." } }

local function carousel()
  local cards = {}
  for index, pizza in ipairs(pizzas) do
    cards[index] = {
      title = pizza[1], description = pizza[2],
      actions = {
        { type = "postback", label = "Order Now", postback = { action = "size", variables = { pizza = pizza[1] } } },
      },
    }
  end
  return {
    type = "card", layout = "horizontal", cards = cards,
    globalActions = { { type = "call", label = "Call us", phoneNumber = "123456789" } },
  }
end

local function skill(message, session)
  local postback = message.postback or {}
  if postback.action == "size" then
    return {
      messages = { text = "Which size?", actions = { "Small", "Large" } },
      variables = { pizza = postback.variables.pizza }, state = "size",
    }
  elseif session.state == "size" and (postback.action == "Small" or postback.action == "Large") then
    return {
      messages = {
        type = "editForm", title = "Where to?", formColumns = 1,
        fields = {
          { displayType = "textInput", id = "street", label = "Street", required = true, minLength = 3 },
          { displayType = "timePicker", id = "time", label = "Time", minTime = "11:00", maxTime = "22:00" },
        },
        actions = { { type = "submitForm", label = "Send", postback = { action = "deliver" } } },
      },
      variables = { size = postback.action }, state = "address",
    }
  elseif message.type == "formSubmission" then
    local order = session.variables
    return {
      messages = {
        ("A %s %s pizza goes to %s."):format(order.size:lower(), order.pizza:lower(), message.submittedFields.street),
        { text = "How was it?", delay = "1s", channelExtensions = { displayType = "stars" },
          actions = { "1", "2", "3", "4", "5" } },
      },
      state = "rating",
    }
  elseif session.state == "rating" then
    return { messages = "Thanks!", end_session = true }
  elseif message.type == "text" and message.text:lower():find "pizza" then
    return carousel()
  end
  return { text = "I sell pizza. Say pizza.", actions = { "Pizza" } }
end

local function customer(t, options)
  t:server(oracle, { skill = skill })
  local user = t:actor(oracle, options)
  user:connect()
  user:expect "connected"
  return user
end

for _, row in ipairs {
  { pizza = "CHEESE", size = "Large" }, { pizza = "PEPPERONI", size = "Small" }, { pizza = "HAWAIIAN", size = "Large" },
} do
  scenario(("a %s %s pizza is ordered"):format(row.size, row.pizza), { tags = { "regression" } }, function(t)
    local user = customer(t)
    user:say "I want pizza"
    local menu = user:expect("message", { type = "card" })
    expect(#menu.cards, 3)
    user:tap("Order Now", { card = row.pizza })
    user:expect("message", { text = "Which size?" })
    user:tap(row.size)
    user:expect("form").form:fill { street = "Main Street 1", time = "18:30" }:submit()
    user:expect("message", {
      text = ("A %s %s pizza goes to Main Street 1."):format(row.size:lower(), row.pizza:lower()),
    })
    user:expect("message", { rating = true })
    user:rate(5)
    user:expect("message", { text = "Thanks!" })
    user:expect("ended", { reason = "server" })
  end)
end

scenario("who says something else is told what there is", function(t)
  local user = customer(t)
  user:say "hello"
  user:expect("message", { text = "I sell pizza. Say pizza." })
end)

scenario("an address that the form does not take is not sent", function(t)
  local user = customer(t)
  user:say "pizza"
  user:expect("message", { type = "card" })
  user:tap("Order Now", { card = "CHEESE" })
  user:expect "message"
  user:tap "Small"
  local form = user:expect("form").form
  form:fill { street = "M", time = "23:00" }:submit()
  user:expect("form_invalid", { keys = { "street", "time" } })
  form:fill { street = "Main Street 1", time = "21:00" }:submit()
  user:expect("message", { text = match.contains "Main Street 1" })
  user:expect("message", { rating = true })
end)

scenario("cards of an order that went on cannot be tapped again", function(t)
  local user = customer(t)
  user:say "pizza"
  user:expect("message", { type = "card" })
  user:tap("Order Now", { card = "CHEESE" })
  user:expect("message", { text = "Which size?" })
  expect(pcall(user.tap, user, "Order Now", { card = "PEPPERONI" }), false)
end)
