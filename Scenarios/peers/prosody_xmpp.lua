-- XMPP (RFC 6120 and 6121) over WebSocket (RFC 7395), as Prosody speaks it: `scripts/peers prosody` starts the server
-- and plays this.
before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)
local S = system {
    name = "xmpp", client = "person", options = { user = "string", password = "string" },
    properties = { jid = "string?" }, noise = { "message_sent" },
    events = {
        message = { from = "string", text = "string" }, message_sent = { id = "string" },
        typing = { from = "string", state = "string" }, refused = { reason = "string" },
    },
}
local CLIENT, REGISTER, RECEIPTS = "jabber:client", "jabber:iq:register", "urn:xmpp:receipts"
local SASL, STATES = "urn:ietf:params:xml:ns:xmpp-sasl", "http://jabber.org/protocol/chatstates"
local function child(element, name, namespace)
    for _, one in ipairs(element.children) do
        local fits = type(one) == "table" and one.name == (name or one.name)
        if fits and one.namespace == (namespace or one.namespace) then return one end
    end
end
local function text(element) return element and element.text end
local function send(me, name, attributes, children, namespace)
    me.link:send(xml.write {
        name = name, namespace = namespace or CLIENT, attributes = attributes, children = children })
end
local function ask(me, query)
    me.asked = (me.asked or 0) + 1
    send(me, "iq", { type = "set", id = "q" .. me.asked }, { query })
    return me:wait("q" .. me.asked)
end
local function begin(me)
    send(me, "open", { to = "localhost", version = "1.0" }, nil, "urn:ietf:params:xml:ns:xmpp-framing")
    me:wait "features"
end
function S.commands.connect(me)
    me.link = me:open { subprotocols = { "xmpp" } }
    me:wait "open"
    expect(me.link.subprotocol, "xmpp")
    begin(me)
end
function S.commands.register(me)
    local function field(name, value) return { name = name, namespace = REGISTER, text = value } end
    local fields = { field("username", me.options.user), field("password", me.options.password) }
    expect(ask(me, { name = "query", namespace = REGISTER, children = fields }).attributes.type, "result")
end
-- By SCRAM-SHA-1 (RFC 5802), in which the server shows that it knows the password, too.
function S.commands.login(me, password)
    local bare = "n=" .. me.options.user .. ",r=" .. random.hex(16)
    send(me, "auth", { mechanism = "SCRAM-SHA-1" }, { base64.encode("n,," .. bare) }, SASL)
    local challenge = base64.decode(text(me:wait "challenge"))
    local nonce, salt, rounds = challenge:match "r=([^,]+),s=([^,]+),i=(%d+)"
    local salted = pbkdf2.sha1(password or me.options.password, base64.decode(salt), math.tointeger(rounds))
    local key, final = hmac.sha1(salted, "Client Key"), "c=biws,r=" .. nonce
    local all = bare .. "," .. challenge .. "," .. final
    local proof = hmac.sha1(hash.sha1(key), all):gsub("()(.)", function(place, letter)
        return string.char(letter:byte() ~ key:byte(place))
    end)
    send(me, "response", {}, { base64.encode(final .. ",p=" .. base64.encode(proof)) }, SASL)
    local success = me:wait "success"
    if not success then return end
    expect(base64.decode(text(success)), "v=" .. hmac.sha1(hmac.sha1(salted, "Server Key"), all, "base64"))
    begin(me)
    local bound = ask(me, { name = "bind", namespace = "urn:ietf:params:xml:ns:xmpp-bind" })
    me.jid = text(child(child(bound, "bind"), "jid"))
    send(me, "presence")
end
S.commands.say = { sends = "text", function(me, to, text)
    me.said = (me.said or 0) + 1
    local children = { { name = "body", namespace = CLIENT, text = text }, { name = "request", namespace = RECEIPTS } }
    send(me, "message", { to = to, type = "chat", id = "m" .. me.said }, children)
end }
function S.commands.typing(me, to, state)
    send(me, "message", { to = to, type = "chat" }, { { name = state, namespace = STATES } })
end

local take = {}
for _, name in ipairs { "features", "challenge", "success" } do
    take[name] = function(me, element) me:wake(name, element) end
end
function take.failure(me, element) me:emit("refused", { reason = child(element).name }, element) me:wake "success" end
function take.iq(me, element) me:wake(element.attributes.id, element) end
function take.message(me, element)
    local from, id, body = element.attributes.from, element.attributes.id, text(child(element, "body"))
    local state, receipt = child(element, nil, STATES), child(element, "received", RECEIPTS)
    if state then me:emit("typing", { from = from, state = state.name }, element) end
    if receipt then me:emit("message_sent", { id = receipt.attributes.id }, element) end
    if not body then return end
    me:emit("message", { from = from, text = body }, element)
    send(me, "message", { to = from }, { { name = "received", namespace = RECEIPTS, attributes = { id = id } } })
end

function S.on.text(me, text)
    local element = xml.read(text)
    if take[element.name] then take[element.name](me, element) end
end

workload {
    executor = "per_vu_iterations", users = 50, iterations = 1, scenario = "two people talk",
    thresholds = { "rate(failures) == 0", "count(lost) == 0", "count(duplicated) == 0" },
}

local function person(t, name)
    local me = t:actor(S, { name = name, user = name .. random.hex(12), password = "p-" .. random.hex(8) })
    me:connect()
    me:register()
    return me
end

scenario("two people talk", { tags = { "peers" } }, function(t)
    local ada, bob = person(t, "ada"), person(t, "bob")
    ada:login()
    bob:login()
    ada:typing(bob.jid, "composing")
    bob:expect("typing", { from = ada.jid, state = "composing" })
    for _, text in ipairs { "Where is my order?", "<b> & ]]> \"größer\" 😀" } do
        ada:say(bob.jid, text)
        bob:expect("message", { from = ada.jid, text = text })
        ada:expect "message_sent"
    end
end)

scenario("a wrong password is refused", { tags = { "peers" } }, function(t)
    local ada = person(t, "ada")
    ada:login "another"
    ada:expect("refused", { reason = "not-authorized" })
end)
