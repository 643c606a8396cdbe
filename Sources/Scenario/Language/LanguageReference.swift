import Machines

/// The functions of the scenario language, as scripts see them.
///
/// A test holds the tables of functions against what a script finds.
enum LanguageReference {
    private typealias Parameter = ParameterDeclaration

    /// The tables of functions that every script finds without `require`, by their names.
    static let tables: [(name: String, functions: [MethodDeclaration])] =
        [("match", MatcherReference.functions)] + LibraryReference.tables + ToolboxReference.tables

    /// What the commands and handlers of a chat system in Lua get, in the order in which the reference shows it.
    static let ownTables = OwnSystemReference.tables

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
        Parameter("what", .json, optional: true, "The name of an event, event(name, fields), or any{…} of those."),
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

    private static let readFile = Parameter(
        "file", .string,
        "Its path beside the script or from the project's root; it lies below that, and has at most 16 MB."
    )

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
            "system",
            [Parameter("declaration", .record(LuaSystemDeclaration.members), "What the system is.")], returns: .json,
            "Declares a chat system of one's own; functions go into its tables `commands`, `on`, `server` and `parties`."
        ),
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
            "Runs a function once before the scenarios of the file or group, in an execution of its own; the table that it returns stands in `t.shared`."
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
                Parameter("value", .json, "The value; alone, it is no number, nor false, nil, null or empty."),
                Parameter("matcher", .json, optional: true, "What is asked of it; a text is compared, too."),
                Parameter("message", .string, optional: true, "What to say if it fails."),
            ], returns: .json, "Fails the scenario unless a value matches; returns what the matcher captured."),
        MethodDeclaration(
            "check",
            [
                Parameter("value", .json, "The value; alone, it is no number, nor false, nil, null or empty."),
                Parameter("matcher", .json, optional: true, "What is asked of it."),
                Parameter("message", .string, optional: true, "What to say if it fails."),
            ], returns: .boolean, "Like expect, but the scenario goes on; it fails at its end."),
        MethodDeclaration(
            "assert",
            [Parameter("value", .json, "The value."), Parameter("message", .json, optional: true, "What to say.")],
            returns: .json, "Fails the scenario if a value is false, nil or json.null; returns its arguments otherwise."
        ),
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
        MethodDeclaration(
            "maybe", [Parameter("item", .json, "An event.")], returns: .json,
            "The event or nothing; at the end of a `seq` it takes none, for what comes before it is enough."),
        MethodDeclaration(
            "expect_transcript",
            [
                Parameter("name", .string, "The name of the file in the folder `transcripts` beside the script."),
                Parameter("options", .record(TranscriptExpectation.options), optional: true, "Options."),
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
            "workload",
            [
                Parameter(
                    "shape", .record(WorkloadReference.members),
                    "What it is: one workload, or several of them, and what is beside the shape.")
            ],
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
            returns: .json,
            "Runs a function beside the rest of the scenario. It belongs to the hook, body or deferred function in which it "
                + "was spawned, which ends when it has ended, too, and fails if it fails. The thread that is returned has "
                + "join(), and cancel(), which ends it; local thread <close> = spawn(…) ends it with its block."),
        MethodDeclaration(
            "join", [Parameter("thread", .json, "What spawn returned; several may be given.")], returns: .json,
            "Waits until spawned functions have returned; returns the result of the last. Fails as they do."),
        MethodDeclaration(
            "print", [Parameter("value", .json, "Anything; several may be given.")],
            "Writes to the log of the scenario: texts as they are, tables and events with what is in them."),
        MethodDeclaration(
            "env",
            [
                Parameter("name", .string, "The name."),
                Parameter("default", .string, optional: true, "Without it, nil."),
            ],
            returns: .string,
            "An environment variable that `env` in repartee.lua names, that begins with `REPARTEE_`, or `CI`, `LANG`, `TZ`."
        ),
        MethodDeclaration(
            "secret", [Parameter("name", .string, "The name of an environment variable.")], returns: .string,
            "An environment variable whose value stands as *** in every log and report, in whatever way it is written."),
        MethodDeclaration(
            "read_text", [Self.readFile], returns: .string,
            "The text of a file, which must be UTF-8; a mark of its byte order is left out."),
        MethodDeclaration("read_bytes", [Self.readFile], returns: .string, "The bytes of a file."),
        MethodDeclaration(
            "keep_secret",
            [Parameter("value", .string, "What was learnt while the scenario plays, such as the token of a login.")],
            returns: .string,
            "Hides a value from now on as secret does, also in what was observed just before; returns it."),
    ]

    private static let ruleParameters = [
        Parameter("actor", .json, optional: true, "Whom it is about; left out, it is about every client."),
        Parameter("what", .json, optional: true, "The name of an event, event(name, fields), or any{…} of those."),
        Parameter("fields", .json, optional: true, "What is asked of the fields."),
    ]

    /// Methods of the test context `t` for what must hold of the whole conversation.
    private static let rules: [MethodDeclaration] = [
        MethodDeclaration(
            "never", Self.ruleParameters,
            "Fails as soon as such an event is observed, or has been; for all clients, also those to come."),
        MethodDeclaration(
            "always", Self.ruleParameters,
            "Fails as soon as an event of this kind is not such, and at the end if there was none."),
        MethodDeclaration(
            "eventually", Self.ruleParameters,
            "Fails at the end if no such event was observed; it need not be expected besides."),
        MethodDeclaration(
            "within_turns", [Parameter("turns", .integer, "How many, from 1 to 1000.")] + Self.ruleParameters,
            "Fails as soon as a client begins one turn more and no such event was observed, or at the end. A turn is what a "
                + "client does until it is answered, with the answers."),
    ]

    /// Methods of the test context `t`.
    static let testContext: [MethodDeclaration] =
        [
            MethodDeclaration(
                "server",
                [
                    Parameter("system", .json, "What require returned."),
                    Parameter(
                        "options", .json, optional: true,
                        "Options of the system; `shared`, `callback`, `port` and `host` besides."),
                ],
                returns: .json,
                "Starts a simulated server for this scenario alone; its `url` is where clients and bots reach it. With `shared` all "
                    + "users of a load test have it together; with `callback` it stands beside the target, for bots that answer by "
                    + "calling a URL, on a `port` and a `host` of this machine where these must be known."),
            MethodDeclaration(
                "actor",
                [
                    Parameter("system", .json, "What require returned."),
                    Parameter(
                        "options", .json, optional: true,
                        "Options of the system; `name`, `target`, `endpoint` and `server` besides."),
                ],
                returns: .json,
                "Makes a client that the scenario drives. It talks to the `server` that is given, to the `target` of repartee.lua (one "
                    + "of its `endpoints`), or else to that of the run."),
            MethodDeclaration(
                "use", [Parameter("name", .string, "The name of a fixture.")], returns: .json,
                "The value of a fixture; its body runs when it is first used."),
            MethodDeclaration(
                "defer", [Parameter("function", .function, "Gets the test context.")],
                "Runs a function at the end, last first, also after failures, time-outs and interrupts; in a fixture, at the fixture's end."
            ),
            MethodDeclaration(
                "network",
                [
                    Parameter(
                        "conditions", .record(NetworkConditions.parameters),
                        "What goes wrong from now on; `{}` heals the network."),
                    Parameter(
                        "actor", .actor, optional: true, "The client whose network it is; all clients' unless given."),
                ],
                "Changes the network between clients and whatever they speak to, simulated or real, on open connections as well; what was said before about the same clients no longer holds."
            ),
            MethodDeclaration(
                "attach",
                [
                    Parameter("name", .string, "What reports call it, such as \"screen.png\"."),
                    Parameter("bytes", .string, "What is in it: text, or any bytes; at most 10 MB."),
                    Parameter("type", .string, optional: true, "The media type; by the end of the name unless given."),
                ],
                "Puts a file beside the reports, in `attachments`, and names it in them; secrets in it stand as ***. A scenario "
                    + "attaches at most 100; the users of a load test attach nothing."),
            MethodDeclaration(
                "persona",
                [
                    Parameter("actor", .actor, "Whom the person speaks through."),
                    Parameter("options", .record(Persona.options), "Who it is, and what the person wants."),
                ], returns: .record(Persona.result),
                "Lets a model write what somebody says, turn by turn, until the person has what it wants or gives up. Answers of "
                    + "the model are kept in the cassette, as those of judges are."),
            MethodDeclaration(
                "skip", [Parameter("reason", .string, "Why.")],
                "Ends the scenario as skipped; an error in what runs after it: `after_each`, `after_all`, `t:defer`."),
            MethodDeclaration("fail", [Parameter("message", .string, "Why.")], "Ends the scenario as failed."),
            MethodDeclaration(
                "allow",
                [
                    Parameter("what", .json, "An event or a list of names."),
                    Parameter("fields", .json, optional: true, "Fields."),
                ], "Lets events pass that nothing expects."),
        ] + Self.rules

    /// Methods that every actor and every party of a server has besides those of its system.
    static let actor: [MethodDeclaration] = [
        MethodDeclaration(
            "expect", Self.eventParameters, returns: .json,
            "Waits for events and returns what arrived; fails at once when nothing can bring them any more."),
        MethodDeclaration(
            "check", Self.eventParameters, returns: .json,
            "Like expect, but a scenario in which nothing fits goes on, as one that has failed; returns nil then."),
        MethodDeclaration(
            "expect_next", Self.eventParameters, returns: .json,
            "Like expect, but nothing may arrive in between that is neither noise nor allowed."),
        MethodDeclaration(
            "maybe", Self.eventParameters, returns: .json,
            "Like expect, but returns nil if nothing comes in time, at once when nothing can come any more."),
        MethodDeclaration(
            "expect_silence", [Parameter("duration", .duration, "How long.")] + Self.filterParameters,
            "Fails if such an event arrives within a time that is not 0; without one, if any does that has to be expected."
        ),
        MethodDeclaration(
            "never",
            Self.filterParameters + [
                Parameter("body", .function, optional: true, "As long as it runs; else to the end.")
            ],
            "Fails as soon as such an event arrives; without one, as soon as any does, also noise and what is allowed."),
        MethodDeclaration(
            "expect_transcript",
            [
                Parameter("name", .string, "The name of the file in the folder `transcripts` beside the script."),
                Parameter("options", .record(TranscriptExpectation.options), optional: true, "Options."),
            ],
            "Compares the actor's conversation with the stored one; `repartee test --update` stores it anew."),
        MethodDeclaration(
            "events", Self.filterParameters, returns: .list(.json),
            "The events so far or those that are meant, also those that expectations took. Written with the colon, so that users of a load test keep them."
        ),
    ]

    /// What `t.user` has.
    static let userMembers = [
        ParameterDeclaration(
            "number", .integer, "The number of the virtual user, counted from 0, in load tests; 0 elsewhere."),
        ParameterDeclaration("iteration", .integer, "How often the user has played before."),
        ParameterDeclaration("name", .string, optional: true, "A name of the user's own; in load tests."),
        ParameterDeclaration("email", .string, optional: true, "An address that no mail reaches; in load tests."),
        ParameterDeclaration("token", .string, optional: true, "32 hexadecimal digits; in load tests."),
        ParameterDeclaration("role", .string, optional: true, "The role, if the workload has roles."),
        ParameterDeclaration(
            "room", .json, optional: true,
            "The room, with `name`, `number` and `size`, if the workload has rooms; outside of load tests one of its own."
        ),
        ParameterDeclaration("row", .json, optional: true, "The row of data, if the workload has data."),
    ]

    /// What `t` knows of the execution.
    static let testContextFields = [
        ParameterDeclaration("name", .string, "The whole name of the scenario."),
        ParameterDeclaration("seed", .string, "The seed of the scenario's own randomness, in digits."),
        ParameterDeclaration("target", .string, "`embedded`, or the name of the target."),
        ParameterDeclaration(
            "target_url", .string, optional: true,
            "The `url` of the target, such as that of a webhook for `desk:request`; nil if it is `embedded`."),
        ParameterDeclaration("clock", .choice(["virtual", "real"]), "Which time the run keeps."),
        ParameterDeclaration("user", .record(Self.userMembers), "Who plays."),
        ParameterDeclaration("row", .json, optional: true, "The row that the scenario plays, if it has rows."),
        ParameterDeclaration("shared", .json, "What the `before_all` hooks of the file and its groups returned."),
        ParameterDeclaration("stopping", .boolean, "Whether a load test lets what plays come to its end."),
    ]

    /// Methods of the forms that events bring.
    static let form: [MethodDeclaration] = [
        MethodDeclaration(
            "fill", [ParameterDeclaration("values", .map(.json), "Values by the keys of the fields.")], returns: .json,
            "Enters values and returns the form."),
        MethodDeclaration(
            "set",
            [
                ParameterDeclaration("key", .string, "The key."), ParameterDeclaration("value", .json, "The value."),
            ], returns: .json, "Enters a value without asking whether the form has the field, and returns the form."),
        MethodDeclaration("submit", [], "Sends the form."),
    ]
}
