-- What a client of `mqtt` has subscribed to in its session, and whether a message of the server's is of that. A session
-- that the server has kept is not held against it: another client of the same name may have subscribed to more.
local packets = require "mqtt.packets"
local subscriptions = {}

-- So many topics are remembered at once.
local most_topics = 10000

-- `filters` has what was asked for by its filter, `reach` what that comes to by topic, `kept` how many messages with
-- RETAIN came under a topic.
function subscriptions.new() return { filters = {}, reach = {}, reached = 0, kept = {}, kept_topics = 0 } end

-- Takes in that a subscription is asked for: [3.8.4] the server may send messages of it before its suback.
function subscriptions.asked(known, filter, qos)
    local entry = known.filters[filter] or { granted = -1, asked = -1, pending = 0, count = 0 }
    known.filters[filter], known.reach, known.reached = entry, {}, 0
    entry.asked, entry.pending, entry.count = math.max(entry.asked, qos), entry.pending + 1, entry.count + 1
end

-- Takes in the code that answers it. What was granted earlier counts as well, for [3.10.4] the server may still send
-- what it had in hand before the subscription was replaced or ended.
function subscriptions.answered(known, filter, code)
    local entry = known.filters[filter]
    known.reach, known.reached = {}, 0
    entry.pending = entry.pending - 1
    if entry.pending == 0 then entry.asked = -1 end
    if code < 128 then entry.granted = math.max(entry.granted, code) else entry.count = entry.count - 1 end
end

-- Returns whether a filter takes a topic in; true of what a broker makes of filters of its own, such as "$queue/a".
local function takes(filter, topic)
    -- [MQTT 5, 4.8.2] What is behind the name of a group is the filter.
    local shared = filter:match "^%$share/[^/]+/(.+)$"
    if not shared and filter:find "^%$" and not filter:find "^%$SYS/" then return true end
    return packets.matches(shared or filter, topic)
end

local function reach_of(known, topic)
    local found = { qos = -1, count = 0 }
    for filter, entry in pairs(known.filters) do
        if takes(filter, topic) then
            found.qos = math.max(found.qos, entry.granted, entry.asked)
            found.count = found.count + entry.count
        end
    end
    if known.reached == most_topics then known.reach, known.reached = {}, 0 end
    known.reach[topic], known.reached = found, known.reached + 1
    return found
end

-- [3.3.1.3] Each new subscription is given what is kept under a topic once, and that alone has RETAIN.
local function is_kept_due(known, topic, count)
    local earlier = known.kept[topic]
    if not earlier then
        if known.kept_topics == most_topics then known.kept, known.kept_topics = {}, 0 end
        known.kept_topics = known.kept_topics + 1
    end
    known.kept[topic] = (earlier or 0) + 1
    return known.kept[topic] <= count
end

-- Raises a text if a message is none that the server may send.
function subscriptions.check(known, message)
    local topic = message.topic
    local found = known.reach[topic] or reach_of(known, topic)
    if found.qos < 0 then
        error(('a message under the topic "%s", which no subscription takes in'):format(topic:sub(1, 60)), 0)
    end
    if message.qos > found.qos then
        error(('a message of QoS %d under the topic "%s", where QoS %d was granted'):format(
            message.qos, topic:sub(1, 60), found.qos), 0)
    end
    -- What is sent again has been counted.
    if message.retain and not message.duplicate and not is_kept_due(known, topic, found.count) then
        error(('a message with RETAIN under the topic "%s", which no new subscription is given'):format(
            topic:sub(1, 60)), 0)
    end
end

return subscriptions
