local boldchat = require "boldchat"
local options = nil

local function prepare() return options.language end

prepare()

scenario("never declared", function() local _ = boldchat end)
