/// The part of the scenario language that is written in Lua: whatever calls functions of the script, and the sugar on
/// top of host functions.
///
/// It runs once in each environment, before the script, with the table of host functions as its argument.
enum Prelude {
    /// The chunk name; a leading `=` keeps these lines out of script tracebacks.
    static let chunkName = "=repartee"

    static let source = #"""
        local host = ...
        local select, type, tostring, setmetatable, ipairs = select, type, tostring, setmetatable, ipairs

        -- Registration ------------------------------------------------------------------------------------------

        function scenario(name, options, body)
            if body == nil then options, body = {}, options end
            host.scenario(name, options, body)
        end

        function group(name, body)
            host.group_begin(name)
            body()
            host.group_end()
        end

        function before_each(hook) host.hook("before_each", hook) end
        function after_each(hook) host.hook("after_each", hook) end

        -- Matchers: tables that name themselves, so that they can stand anywhere in a table ------------------------

        match = {}
        local function constructor(name, extra)
            match[name] = function(value, other)
                local matcher = { ["@match"] = name, value = value }
                if extra then matcher[extra] = other end
                return matcher
            end
        end
        for _, name in ipairs { "contains", "glob", "regex", "one_of", "all_of", "has", "count", "equals", "type" } do
            constructor(name)
        end
        constructor("is_not")
        constructor("fuzzy", "ratio")
        constructor("near", "tolerance")
        constructor("between", "high")
        constructor("path", "matcher")
        match.any = { ["@match"] = "any" }
        match.absent = { ["@match"] = "absent" }

        function match.where(test, description)
            return { ["@match"] = "test", value = host.test(test, description or "what the function accepts") }
        end

        local find = string.find
        function match.pattern(pattern)
            local anchored = "^" .. pattern:gsub("^%^", ""):gsub("%$$", "") .. "$"
            return match.where(function(value)
                return type(value) == "string" and find(value, anchored) ~= nil
            end, "text that matches the Lua pattern '" .. pattern .. "'")
        end

        -- Event expressions ---------------------------------------------------------------------------------------

        function event(name, fields) return { ["@expect"] = "event", event = name, fields = fields } end
        local function combinator(name)
            return function(items) return { ["@expect"] = name, items = items } end
        end
        all, any, seq, interleave = combinator "all", combinator "any", combinator "seq", combinator "interleave"
        function maybe(item) return { ["@expect"] = "maybe", items = { item } } end

        -- Forms that events carry -----------------------------------------------------------------------------------

        local owners = setmetatable({}, { __mode = "k" })
        local form_methods = {}
        local form_meta = { __index = form_methods, __name = "form" }

        function form_methods:fill(values)
            local entered = self.values or {}
            for key, value in pairs(values) do
                host.check_form_key(key, self.fields, self.kind)
                entered[key] = value
            end
            self.values = entered
            return self
        end

        function form_methods:set(key, value)
            self.values = self.values or {}
            self.values[key] = value
            return self
        end

        function form_methods:submit()
            local actor = owners[self]
            return actor[self.submit_method](actor, self.values or {})
        end

        local function dress(actor, observed)
            if type(observed) ~= "table" then return observed end
            if observed.event == nil then
                for _, one in ipairs(observed) do dress(actor, one) end
                return observed
            end
            local form = observed.form
            if type(form) == "table" and form.submit then
                form.submit_method, form.submit = form.submit, nil
                owners[form] = actor
                setmetatable(form, form_meta)
            end
            return observed
        end

        host.actor_methods {
            expect = function(actor, what, fields, options)
                return dress(actor, host.expect(actor, what, fields, options))
            end,
            expect_next = function(actor, what, fields, options)
                return dress(actor, host.expect_next(actor, what, fields, options))
            end,
            maybe = function(actor, what, fields, options)
                return dress(actor, host.maybe(actor, what, fields, options))
            end,
            expect_silence = function(actor, duration, what, fields)
                return host.expect_silence(actor, duration, what, fields)
            end,
            never = function(actor, what, fields, body)
                if type(fields) == "function" then fields, body = nil, fields end
                local guard = host.guard(actor, what, fields)
                if body == nil then return end
                local ending <close> = setmetatable({}, { __close = function() host.end_guard(guard) end })
                return body()
            end,
            events = function(actor, what) return dress(actor, host.events(actor, what)) end,
        }

        -- Flow ------------------------------------------------------------------------------------------------------

        function step(name, options, body)
            if body == nil then options, body = {}, options end
            local number = host.step_begin(name, options)
            local ending <close> = setmetatable({}, {
                __close = function(_, problem) host.step_end(number, problem ~= nil) end,
            })
            return body()
        end

        local thread_meta = { __name = "thread of a scenario", __index = {} }
        function spawn(body, ...)
            return setmetatable({ number = host.spawn(body, ...) }, thread_meta)
        end
        function join(...)
            local result
            for index = 1, select("#", ...) do result = host.join((select(index, ...)).number) end
            return result
        end
        thread_meta.__index.join = join

        function assert(value, message, ...)
            if value then return value, message, ... end
            host.assertion_failed(message)
        end

        log = {
            debug = function(text) host.log("debug", tostring(text)) end,
            info = function(text) host.log("info", tostring(text)) end,
            warn = function(text) host.log("warn", tostring(text)) end,
        }
        function print(...)
            local parts = {}
            for index = 1, select("#", ...) do parts[index] = tostring((select(index, ...))) end
            host.log("info", table.concat(parts, "\t"))
        end
        """#
}
