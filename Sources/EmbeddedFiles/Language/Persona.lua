-- The conversation of `t:persona`: what a model says is said, and what the actor hears is told to the model, until the
-- person has what it wants or gives up.

-- More messages than these are not waited for before a person answers; a bot may send without an end.
local most_messages = 20

-- The texts of what an actor hears until nothing more comes.
local function hear(actor, options)
    local message = actor:expect("message", { within = options.within })
    local texts = {}
    for _ = 1, most_messages do
        if type(message.text) == "string" then texts[#texts + 1] = message.text end
        message = actor:maybe("message", { within = options.pause or "1s" })
        if not message then break end
    end
    return concat(texts, "\n")
end

local talk_meta = host.own { __index = function(_, name) host.persona_member(name) end, __metatable = false }
local function command(actor) return actor.say end
local function persona(t, actor, given)
    local options = host.persona_check(t, actor, given, (pcall(command, actor)))
    local asked, got = {}, {}
    while true do
        local turn = host.persona_turn(options, asked, got)
        local has_patience = #asked < options.gives_up_after
        if turn.status ~= "going_on" or not has_patience then
            local reason = turn.status == "going_on" and ("not after %d turns: %s"):format(#asked, turn.reason) or turn.reason
            return setmetatable({
                outcome = turn.status == "reached" and "reached" or "gave_up", reason = reason, turns = #asked,
                asked = asked, got = got,
            }, talk_meta)
        end
        if given.say then given.say(turn.say) else actor:say(turn.say) end
        local text
        if given.hear then text = given.hear() else text = hear(actor, options) end
        if type(text) ~= "string" then host.persona_unheard(text) end
        asked[#asked + 1], got[#got + 1] = turn.say, text
    end
end

host.set_methods(never, persona)
