-- Stickers, reaction packs, and rooms that a token opens.
local livelike = require "livelike"

-- A service with these options and a member of its lobby.
local function member(t, options)
    local service = t:server(livelike, options)
    local ada = t:actor(livelike, { name = "Ada" })
    ada:connect "lobby"
    ada:expect "connected"
    return service:moderator "Host", ada
end

scenario("a message that is one sticker is shown big", { tags = { "stickers" } }, function(t)
    local host, ada = member(t)
    host:say ":smile:"
    ada:expect("message", { stickers = { "smile" }, big_sticker = true })
    host:say "Well :clap: done :smile:, at 10:30"
    ada:expect("message", { stickers = { "clap", "smile" }, big_sticker = match.absent })
    host:say "no sticker: here"
    ada:expect("message", { stickers = match.absent })
end)

scenario("a room names its stickers and its reactions", { tags = { "stickers", "reactions" } }, function(t)
    local _, ada = member(t, { stickers = { "goal" }, reactions = { "heart", "fire" } })
    ada:sticker_packs()
    local packs = ada:expect("completed", { callback = "getStickerPacks" }).value
    expect(packs[1].stickers, { { shortcode = "goal" } })
    ada:reaction_packs()
    packs = ada:expect("completed", { callback = "getReactionPacks" }).value
    expect(packs[1].emojis, { { id = "heart" }, { id = "fire" } })
end)

scenario("a token gate lets in the wallets that hold the token", { tags = { "gates" } }, function(t)
    local gate = { contract_address = "0xC0FFEE", network_type = "polygon" }
    local _, ada = member(t, { rooms = { { id = "lobby", token_gates = { gate }, wallets = { "0x1" } } } })
    ada:room_info "lobby"
    ada:expect("completed", { value = { token_gates = { gate } } })
    ada:token_gate "0x1"
    ada:expect("completed", { value = { access = "allowed" } })
    ada:token_gate "0x2"
    ada:expect("completed", { value = { access = "disallowed" } })
end)

scenario("a room without token gates is open to every wallet", { tags = { "gates" } }, function(t)
    local _, ada = member(t)
    ada:token_gate "0x2"
    ada:expect("completed", { value = { access = "allowed" } })
end)
