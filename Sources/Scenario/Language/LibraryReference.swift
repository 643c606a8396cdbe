import Machines

/// Tables of functions for what conversations need besides actors.
enum LibraryReference {
    private typealias Parameter = ParameterDeclaration

    /// The tables, by their names.
    static let tables: [(name: String, functions: [MethodDeclaration])] = [
        ("random", Self.random), ("json", Self.json), ("log", Self.log), ("date", Self.date),
        ("utterances", Self.utterances), ("mailbox", Self.mailbox), ("metric", Self.metric),
    ]

    /// Functions of the table `random`; all are seeded by the run.
    private static let random: [MethodDeclaration] = [
        MethodDeclaration(
            "number",
            [
                Parameter("low", .number, optional: true, "The least; 0 unless given."),
                Parameter("high", .number, optional: true, "What it stays below; 1 unless given, and given with low."),
            ], returns: .number, "A number of the range."),
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
    private static let date: [MethodDeclaration] = [
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
            "epoch",
            [
                Parameter(
                    "date", .string,
                    "A day or a time, in UTC (`Z`) or with an offset (`+02:00`), or a date of a header of HTTP.")
            ],
            returns: .number, "Seconds since 1970."),
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
    private static let utterances: [MethodDeclaration] = [
        MethodDeclaration("all", [Self.utteranceLists], returns: .list(.json), "Every combination."),
        MethodDeclaration("first", [Self.utteranceLists], returns: .list(.json), "The first of each list."),
        MethodDeclaration(
            "sample", [Parameter("count", .integer, "How many."), Self.utteranceLists], returns: .list(.json),
            "Some combinations, chosen by the seed of the run."),
        MethodDeclaration(
            "pairwise", [Self.utteranceLists], returns: .list(.json),
            "Few combinations in which any two utterances of different lists meet."),
        MethodDeclaration(
            "adversarial", [Parameter("options", .record(AdversarialUtterances.members), "What is asked, and how.")],
            returns: .list(
                .record([
                    Parameter("name", .string, "The name of the row."),
                    Parameter("kind", .choice(UtteranceMutator.Kind.allCases.map(\.rawValue)), "The kind of mutator."),
                    Parameter("mutator", .choice(UtteranceMutator.allCases.map(\.rawValue)), "The mutator."),
                    Parameter("original", .string, "What was to be said."), Parameter("text", .string, "What is said."),
                ])),
            "Each utterance as somebody says it over whom a bot may fail; reports have the robustness by mutator."),
        MethodDeclaration(
            "read", [Parameter("file", .string, "A text file beside the script.")], returns: .list(.string),
            "The lines of a file, without empty ones and those that begin with `#`."),
    ]

    /// Functions of the table `json`.
    private static let json: [MethodDeclaration] = [
        MethodDeclaration(
            "encode", [Parameter("value", .json, "The value.")], returns: .string, "A value as JSON text."),
        MethodDeclaration(
            "array", [Parameter("list", .list(.json), optional: true, "Its elements; none unless given.")],
            returns: .list(.json),
            "A list that is one in JSON even if it is empty; a table without elements is an object otherwise."),
        MethodDeclaration(
            "decode",
            [
                Parameter("text", .string, "JSON text; a number beyond those of Lua is math.huge."),
                Parameter(
                    "how", .choice([JSONLibrary.unambiguous]), optional: true,
                    "Refuses an object with two members of one name, of which the last one counts unless given."),
            ],
            returns: .json,
            "A value from JSON text; raises an error."),
    ]

    /// Functions of the table `mailbox`.
    private static let mailbox: [MethodDeclaration] = [
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
    private static let metric: [MethodDeclaration] = [
        MethodDeclaration(
            "count",
            [
                Parameter("name", .string, "The name."),
                Parameter("count", .number, optional: true, "By how much it grows, not below zero; 1 unless given."),
                tags,
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
            "Notes one value of many whose distribution matters; it may have decimals and be below zero."),
        MethodDeclaration(
            "time", [Parameter("name", .string, "The name."), Parameter("duration", .duration, "How long."), tags],
            "Notes how long something took."),
        MethodDeclaration(
            "mark", [Parameter("label", .string, "What happened.")],
            "Marks the moment on the axis of time, as faults that a scenario brings about are marked unasked."),
    ]

    /// Functions of the table `log`.
    private static let log: [MethodDeclaration] = ["debug", "info", "warn"].map {
        MethodDeclaration($0, [Parameter("text", .string, "The text.")], "Writes to the log of the scenario.")
    }
}
