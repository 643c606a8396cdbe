import ChatCore

/// The functions of the scenario language, as scripts see them.
///
/// A test holds the tables of functions against what a script finds.
enum LanguageReference {
    private typealias Parameter = ParameterDeclaration

    private static let eventParameters = [
        Parameter(
            "what", .json,
            "The name of an event, event(name, fields), or all{…}, any{…}, seq{…}, interleave{…}, maybe(…)."),
        Parameter("fields", .json, optional: true, "What is asked of the fields; those not named may have any value."),
        Parameter(
            "options", .record([Parameter("within", .duration, optional: true, "The time limit; 10s unless given.")]),
            optional: true, "Options."),
    ]

    private static let filterParameters = [
        Parameter(
            "what", .json, optional: true,
            "The name of an event, event(name, fields), or any{…} of those; every event that is not noise unless given."
        ),
        Parameter("fields", .json, optional: true, "What is asked of the fields."),
    ]

    /// The options of `expect` and its like on actors.
    static let expectOptions = [
        ParameterDeclaration("within", .duration, optional: true, "The time limit; 10s unless given.")
    ]

    /// The options of `step`.
    static let stepOptions = [
        ParameterDeclaration("timeout", .duration, optional: true, "The time limit; none unless given.")
    ]

    /// Functions that every script finds without `require`.
    static let globals: [MethodDeclaration] = [
        MethodDeclaration(
            "scenario",
            [
                Parameter("name", .string, "The name; unique in its group."),
                Parameter("options", .record(ScenarioOptions.parameters), optional: true, "Options."),
                Parameter("body", .function, "The conversation; gets the test context `t`."),
            ], "Declares a scenario."),
        MethodDeclaration(
            "group", [Parameter("name", .string, "The name."), Parameter("body", .function, "Declares the members.")],
            "Puts scenarios under a common name, with hooks of their own."),
        MethodDeclaration(
            "before_each", [Parameter("hook", .function, "Gets the test context `t`.")],
            "Runs a function before each scenario of the file or group."),
        MethodDeclaration(
            "after_each", [Parameter("hook", .function, "Gets the test context `t`.")],
            "Runs a function after each scenario of the file or group, also after a failure or a time-out."),
        MethodDeclaration(
            "before_all", [Parameter("hook", .function, "Gets a test context of its own.")],
            "Runs a function once before the scenarios of the file or group, in a play of its own; the table that it returns stands in `t.shared`."
        ),
        MethodDeclaration(
            "after_all", [Parameter("hook", .function, "Gets the test context of `before_all`.")],
            "Runs a function once after the scenarios of the file or group, in the play of `before_all`."),
        MethodDeclaration(
            "fixture",
            [
                Parameter("name", .string, "The name, for `t:use`."),
                Parameter("options", .record(FixtureDeclaration.parameters), optional: true, "Options."),
                Parameter("body", .function, "Gets the test context; returns the value, and defers what ends it."),
            ], "Declares what scenarios can use; made when it is first used."),
        MethodDeclaration(
            "expect",
            [
                Parameter("value", .json, "The value."), Parameter("matcher", .json, "What is asked of it."),
                Parameter("message", .string, optional: true, "What to say if it fails."),
            ], returns: .json, "Fails the scenario unless a value matches; returns what the matcher captured."),
        MethodDeclaration(
            "check",
            [
                Parameter("value", .json, "The value; alone, it must be neither false nor nil."),
                Parameter("matcher", .json, optional: true, "What is asked of it."),
                Parameter("message", .string, optional: true, "What to say if it fails."),
            ], returns: .boolean, "Like expect, but the scenario goes on; it fails at its end."),
        MethodDeclaration(
            "assert",
            [Parameter("value", .json, "The value."), Parameter("message", .json, optional: true, "What to say.")],
            returns: .json, "Fails the scenario if a value is false or nil; returns its arguments otherwise."),
        MethodDeclaration(
            "event",
            [Parameter("name", .string, "The name."), Parameter("fields", .json, optional: true, "The fields.")],
            returns: .json, "An event, as a member of an expression."),
        MethodDeclaration("all", [Parameter("items", .list(.json), "Events.")], returns: .json, "All, in any order."),
        MethodDeclaration("any", [Parameter("items", .list(.json), "Events.")], returns: .json, "One of them."),
        MethodDeclaration("seq", [Parameter("items", .list(.json), "Events.")], returns: .json, "One after the other."),
        MethodDeclaration(
            "interleave", [Parameter("items", .list(.json), "Expressions.")], returns: .json,
            "All, each in its own order, mixed in any way."),
        MethodDeclaration("maybe", [Parameter("item", .json, "An event.")], returns: .json, "The event or nothing."),
        MethodDeclaration(
            "expect_transcript",
            [
                Parameter("name", .string, "The name of the file in the folder `transcripts` beside the script."),
                Parameter("options", .record(Script.transcriptOptions), optional: true, "Options."),
            ],
            "Compares the conversation of all clients with the stored one; `repartee test --update` stores it anew."),
        MethodDeclaration(
            "wait", [Parameter("duration", .duration, "How long.")], "Lets time pass; everybody else goes on."),
        MethodDeclaration(
            "think",
            [Parameter("duration", .duration, optional: true, "How long; drawn from the workload unless given.")],
            "Lets a user think; outside of a load test only for the duration given."),
        MethodDeclaration(
            "barrier",
            [
                Parameter("name", .string, "The name."),
                Parameter("count", .integer, "How many it takes; they go on together once so many have come."),
            ], "Waits for other users of the process, or for other threads of the scenario."),
        MethodDeclaration(
            "workload", [Parameter("shape", .json, "Executors, stages, roles, rooms, data and thresholds.")],
            "Says which load the file's scenarios are meant for; `repartee load` plays it."),
        MethodDeclaration("now", [], returns: .number, "The seconds since the scenario began."),
        MethodDeclaration(
            "step",
            [
                Parameter("name", .string, "The name."),
                Parameter(
                    "options",
                    .record([Parameter("timeout", .duration, optional: true, "The time limit; none unless given.")]),
                    optional: true, "Options."),
                Parameter("body", .function, "What belongs to the step."),
            ], returns: .json, "Names a part of a scenario in every report; returns what the body returns."),
        MethodDeclaration(
            "spawn",
            [
                Parameter("body", .function, "What to run."),
                Parameter("argument", .json, optional: true, "For the body."),
            ],
            returns: .json, "Runs a function beside the rest of the scenario; join waits for it."),
        MethodDeclaration(
            "join", [Parameter("thread", .json, "What spawn returned; several may be given.")], returns: .json,
            "Waits until spawned functions have returned; returns the result of the last."),
        MethodDeclaration("print", [Parameter("value", .json, "Anything.")], "Writes to the log of the scenario."),
        MethodDeclaration(
            "env",
            [
                Parameter("name", .string, "The name."),
                Parameter("default", .string, optional: true, "Without it, nil."),
            ],
            returns: .string, "An environment variable of the run."),
        MethodDeclaration(
            "secret", [Parameter("name", .string, "The name of an environment variable.")], returns: .string,
            "An environment variable whose value stands as *** in every log and report."),
    ]

    /// Functions of the table `random`; all are seeded by the run.
    static let random: [MethodDeclaration] = [
        MethodDeclaration("number", [], returns: .number, "A number from 0 up to but not including 1."),
        MethodDeclaration(
            "integer", [Parameter("low", .integer, "The least."), Parameter("high", .integer, "The greatest.")],
            returns: .integer, "An integer of the range."),
        MethodDeclaration(
            "pick", [Parameter("list", .list(.json), "A list.")], returns: .json, "An element of a list."),
        MethodDeclaration(
            "shuffle", [Parameter("list", .list(.json), "A list.")], returns: .list(.json), "A copy in another order."),
        MethodDeclaration(
            "hex", [Parameter("digits", .integer, "How many.")], returns: .string, "Lower-case hexadecimal digits."),
        MethodDeclaration("uuid", [], returns: .string, "A UUID of version 4."),
        MethodDeclaration("digits", [Parameter("count", .integer, "How many.")], returns: .string, "Decimal digits."),
        MethodDeclaration(
            "letters", [Parameter("count", .integer, "How many.")], returns: .string, "Letters from a to z."),
        MethodDeclaration("name", [], returns: .string, "The first and last name of nobody."),
        MethodDeclaration("email", [], returns: .string, "An address at example.com."),
        MethodDeclaration(
            "date", [Parameter("from", .string, "The first day."), Parameter("to", .string, "The last day.")],
            returns: .string, "A day of the range, such as `2026-11-21`."),
        MethodDeclaration(
            "sample", [Parameter("list", .list(.json), "A list."), Parameter("count", .integer, "How many.")],
            returns: .list(.json), "Some elements of a list, in its order."),
    ]

    /// Functions of the table `date`; all are in UTC and follow the clock of the scenario.
    static let date: [MethodDeclaration] = [
        MethodDeclaration("now", [], returns: .string, "The time, as `2026-11-21T10:15:00.000Z`."),
        MethodDeclaration(
            "today", [Parameter("days", .integer, optional: true, "How many days later; 0 unless given.")],
            returns: .string, "The day, as `2026-11-21`."),
        MethodDeclaration(
            "add",
            [
                Parameter("date", .string, "A day or a time."),
                Parameter("amounts", .json, "`years`, `months`, `weeks`, `days`, `hours`, `minutes`, `seconds`."),
            ], returns: .string, "A day or a time that lies so much later."),
        MethodDeclaration(
            "epoch", [Parameter("date", .string, "A day or a time.")], returns: .number, "Seconds since 1970."),
        MethodDeclaration(
            "format",
            [
                Parameter("date", .string, "A day or a time."),
                Parameter("pattern", .string, "`%Y %m %d %H %M %S %B %b %A %a`; `%-d` without a zero in front."),
            ], returns: .string, "A day or a time in words, in English."),
    ]

    private static let utteranceLists = Parameter(
        "lists", .json, "A list of utterances, or a table of lists with a name each.")

    /// Functions of the table `utterances`: ways to say the same, for the option `rows` of a scenario.
    static let utterances: [MethodDeclaration] = [
        MethodDeclaration("all", [Self.utteranceLists], returns: .list(.json), "Every combination."),
        MethodDeclaration("first", [Self.utteranceLists], returns: .list(.json), "The first of each list."),
        MethodDeclaration(
            "sample", [Parameter("count", .integer, "How many."), Self.utteranceLists], returns: .list(.json),
            "Some combinations, chosen by the seed of the run."),
        MethodDeclaration(
            "pairwise", [Self.utteranceLists], returns: .list(.json),
            "Few combinations in which any two utterances of different lists meet."),
        MethodDeclaration(
            "read", [Parameter("file", .string, "A text file beside the script.")], returns: .list(.string),
            "The lines of a file, without empty ones and those that begin with `#`."),
    ]

    /// Functions of the table `json`.
    static let json: [MethodDeclaration] = [
        MethodDeclaration(
            "encode", [Parameter("value", .json, "The value.")], returns: .string, "A value as JSON text."),
        MethodDeclaration(
            "decode", [Parameter("text", .string, "JSON text.")], returns: .json,
            "A value from JSON text; raises an error."),
    ]

    /// Functions of the table `mailbox`.
    static let mailbox: [MethodDeclaration] = [
        MethodDeclaration(
            "send",
            [Parameter("name", .string, "The name."), Parameter("value", .json, "Any value without functions.")],
            "Leaves a letter for another user of the process, or another thread of the scenario."),
        MethodDeclaration(
            "receive", [Parameter("name", .string, "The name.")], returns: .json,
            "Takes the oldest letter, waiting for one if there is none."),
    ]

    private static let tags = Parameter("tags", .json, optional: true, "Names and values that set samples apart.")

    /// Functions of the table `metric`: what a script measures itself in a load test; without effect elsewhere.
    static let metric: [MethodDeclaration] = [
        MethodDeclaration(
            "count",
            [
                Parameter("name", .string, "The name."),
                Parameter("count", .number, optional: true, "By how much it grows; 1 unless given."), tags,
            ], "Counts something."),
        MethodDeclaration(
            "gauge", [Parameter("name", .string, "The name."), Parameter("level", .number, "The level."), tags],
            "Notes the level of something that rises and falls."),
        MethodDeclaration(
            "rate",
            [Parameter("name", .string, "The name."), Parameter("is_hit", .boolean, "Whether it is so."), tags],
            "Notes a case of something that is so or not, such as an error among attempts."),
        MethodDeclaration(
            "value", [Parameter("name", .string, "The name."), Parameter("value", .number, "The value."), tags],
            "Notes one value of many whose distribution matters."),
        MethodDeclaration(
            "time", [Parameter("name", .string, "The name."), Parameter("duration", .duration, "How long."), tags],
            "Notes how long something took."),
        MethodDeclaration(
            "mark", [Parameter("label", .string, "What happened.")],
            "Marks the moment on the axis of time, as faults that a scenario brings about are marked unasked."),
    ]

    /// Functions of the table `log`.
    static let log: [MethodDeclaration] = ["debug", "info", "warn"].map {
        MethodDeclaration($0, [Parameter("text", .string, "The text.")], "Writes to the log of the scenario.")
    }

    /// Functions and values of the table `match`.
    static let match: [MethodDeclaration] = [
        MethodDeclaration(
            "contains", [Parameter("text", .string, "The part.")], returns: .json, "Text that contains a part."),
        MethodDeclaration(
            "glob", [Parameter("text", .string, "`*` any text, `?` a character.")], returns: .json, "Text like this."),
        MethodDeclaration(
            "regex", [Parameter("text", .string, "A regular expression.")], returns: .json,
            "Text that matches as a whole."),
        MethodDeclaration(
            "pattern", [Parameter("text", .string, "A Lua pattern.")], returns: .json, "Text that matches as a whole."),
        MethodDeclaration(
            "fuzzy",
            [
                Parameter("text", .string, "The text."),
                Parameter("ratio", .number, optional: true, "0 to 1; 0.8 unless given."),
            ],
            returns: .json, "Text that is nearly this (Levenshtein ratio)."),
        MethodDeclaration(
            "word_error_rate",
            [
                Parameter("text", .string, "The text."),
                Parameter("most", .number, optional: true, "0 to 1; 0.2 unless given."),
            ],
            returns: .json,
            "Text in which few words are put in, left out or replaced; case and punctuation do not count."),
        MethodDeclaration(
            "token_set",
            [
                Parameter("text", .string, "The text."),
                Parameter("ratio", .number, optional: true, "0 to 1; 0.8 unless given."),
            ],
            returns: .json, "Text of nearly the same words, in whatever order and how often."),
        MethodDeclaration(
            "template",
            [
                Parameter(
                    "text", .string,
                    "Text with holes such as `<number>` or `<id:uuid>`: uuid, number, integer, date, money, word, any.")
            ],
            returns: .json, "Text like this as a whole; what stands in a hole with a name is captured."),
        MethodDeclaration(
            "capture",
            [
                Parameter("name", .string, "The name."),
                Parameter("matcher", .json, optional: true, "What is asked of the value; anything unless given."),
            ],
            returns: .json,
            "What the matcher accepts; `expect` gives the value, read as its type, as a member of `captures`."),
        MethodDeclaration("uuid", [], "Text that is a UUID (a value, not a function)."),
        MethodDeclaration(
            "number", [], "A number, also one in a text such as `1,234.50` (a value, not a function)."),
        MethodDeclaration("integer", [], "A number without a fraction, also in a text (a value, not a function)."),
        MethodDeclaration(
            "date", [],
            "Text that is a date: `2026-11-21`, also with a time, `21.11.2026`, `21 November 2026` (a value, not a function)."
        ),
        MethodDeclaration(
            "money", [],
            "Text that is an amount with a currency, `12.50 EUR` or `$3`; captured as `amount` and `currency` (a value, not a function)."
        ),
        MethodDeclaration("word", [], "Text of one word (a value, not a function)."),
        MethodDeclaration(
            "button", [Parameter("label", .json, "The label, a matcher for it, or a table of members.")],
            returns: .json,
            "A message with such a button, whatever field the system has for it."),
        MethodDeclaration(
            "buttons", [Parameter("labels", .list(.json), "The labels in order, or matchers and tables.")],
            returns: .json, "A message with just these buttons."),
        MethodDeclaration(
            "card", [Parameter("members", .json, "`title`, `description` and so on; `buttons` as a list.")],
            returns: .json, "A message with such a card."),
        MethodDeclaration(
            "form",
            [
                Parameter(
                    "members", .json,
                    "`title`, `kind` and so on; `fields` as a list of keys or labels, or a table by them.")
            ],
            returns: .json, "A message with such a form."),
        MethodDeclaration(
            "table",
            [Parameter("members", .json, "`headings`, `rows` (each a table by headings) that must be there, `count`.")],
            returns: .json, "A message with such a table."),
        MethodDeclaration(
            "one_of", [Parameter("list", .list(.json), "Matchers.")], returns: .json, "Whatever one of them accepts."),
        MethodDeclaration(
            "all_of", [Parameter("list", .list(.json), "Matchers.")], returns: .json, "Whatever all of them accept."),
        MethodDeclaration(
            "is_not", [Parameter("matcher", .json, "A matcher.")], returns: .json, "Whatever it does not accept."),
        MethodDeclaration(
            "has", [Parameter("matcher", .json, "A matcher.")], returns: .json, "A list with such an element."),
        MethodDeclaration(
            "count", [Parameter("matcher", .json, "A number or a matcher.")], returns: .json,
            "A list or text of that size."),
        MethodDeclaration(
            "equals", [Parameter("value", .json, "A value.")], returns: .json, "Exactly this, with no other members."),
        MethodDeclaration(
            "near",
            [Parameter("number", .number, "The number."), Parameter("tolerance", .number, "How far off it may be.")],
            returns: .json, "A number near this."),
        MethodDeclaration(
            "between", [Parameter("low", .number, "The least."), Parameter("high", .number, "The greatest.")],
            returns: .json,
            "A number of the range."),
        MethodDeclaration(
            "type", [Parameter("name", .choice(JSONType.allCases.map(\.rawValue)), "The type.")], returns: .json,
            "A value of a type."),
        MethodDeclaration(
            "path",
            [
                Parameter("path", .string, "A JSON path such as `$.a[0].b`."),
                Parameter("matcher", .json, "What is asked there."),
            ],
            returns: .json, "A value that has a match at a path."),
        MethodDeclaration(
            "where",
            [
                Parameter("test", .function, "Gets the value; must not wait."),
                Parameter("text", .string, optional: true, "What it accepts, for failures."),
            ],
            returns: .json, "Whatever a function of the script accepts."),
        MethodDeclaration("any", [], "Anything but nil (a value, not a function)."),
        MethodDeclaration("absent", [], "Nothing (a value, not a function)."),
    ]

    /// Methods of the test context `t`.
    static let testContext: [MethodDeclaration] = [
        MethodDeclaration(
            "server",
            [
                Parameter("system", .json, "What require returned."),
                Parameter("options", .json, optional: true, "Options of the system."),
            ],
            returns: .json, "Starts a simulated server for this scenario alone."),
        MethodDeclaration(
            "actor",
            [
                Parameter("system", .json, "What require returned."),
                Parameter(
                    "options", .json, optional: true, "Options of the system; `name`, `target` and `server` besides."),
            ],
            returns: .json, "Makes a client that the scenario drives."),
        MethodDeclaration(
            "use", [Parameter("name", .string, "The name of a fixture.")], returns: .json,
            "The value of a fixture; its body runs when it is first used."),
        MethodDeclaration(
            "defer", [Parameter("function", .function, "Gets the test context.")],
            "Runs a function at the end, last first, also after failures, time-outs and interrupts; in a fixture, at the fixture's end."
        ),
        MethodDeclaration("skip", [Parameter("reason", .string, "Why.")], "Ends the scenario as skipped."),
        MethodDeclaration("fail", [Parameter("message", .string, "Why.")], "Ends the scenario as failed."),
        MethodDeclaration(
            "allow",
            [
                Parameter("what", .json, "An event or a list of names."),
                Parameter("fields", .json, optional: true, "Fields."),
            ], "Lets events pass that nothing expects."),
    ]

    /// Methods that every actor and every party of a server has besides those of its system.
    static let actor: [MethodDeclaration] = [
        MethodDeclaration("expect", Self.eventParameters, returns: .json, "Waits for events and returns what arrived."),
        MethodDeclaration(
            "expect_next", Self.eventParameters, returns: .json, "Like expect, but nothing else may arrive in between."),
        MethodDeclaration(
            "maybe", Self.eventParameters, returns: .json, "Like expect, but returns nil if nothing comes in time."),
        MethodDeclaration(
            "expect_silence", [Parameter("duration", .duration, "How long.")] + Self.filterParameters,
            "Fails if such an event arrives within a time."),
        MethodDeclaration(
            "never",
            Self.filterParameters + [
                Parameter("body", .function, optional: true, "As long as it runs; else to the end.")
            ],
            "Fails as soon as such an event arrives."),
        MethodDeclaration(
            "expect_transcript",
            [
                Parameter("name", .string, "The name of the file in the folder `transcripts` beside the script."),
                Parameter("options", .record(Script.transcriptOptions), optional: true, "Options."),
            ],
            "Compares the actor's conversation with the stored one; `repartee test --update` stores it anew."),
        MethodDeclaration(
            "events", [Parameter("what", .string, optional: true, "A kind; all unless given.")], returns: .list(.json),
            "The events so far, also those that expectations took."),
    ]
}
