local boldchat = require "boldcat"
