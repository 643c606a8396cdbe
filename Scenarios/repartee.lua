-- Where scenarios find their servers, besides the simulated ones that every run has built in.
-- `repartee test --target NAME` chooses one of them.
return {
    targets = {
        -- What `repartee serve` prints when it starts; scenarios then play agents through its control port.
        served = { url = "http://127.0.0.1:7700", control = "http://127.0.0.1:7700" },
    },
    -- Who writes what the customers of oracle/personas.lua say, when they are recorded anew.
    personas = { customer = { url = "http://127.0.0.1:7791/v1/chat/completions", model = "stand-in" } },
    -- How many members the crowd of livelike/crowd.lua has, and whether websocket/eliza.lua finds its bot at the target.
    env = { "CROWD", "ELIZA" },
}
