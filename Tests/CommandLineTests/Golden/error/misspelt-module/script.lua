local boldchat = require "boldchta"
