scenario("never played", function() error() end)
