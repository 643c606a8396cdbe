import Machines

/// The table `match`.
enum MatcherReference {
    private typealias Parameter = ParameterDeclaration

    /// Functions and values of the table `match`.
    static let functions: [MethodDeclaration] = [
        MethodDeclaration(
            "contains", [Parameter("text", .string, "The part.")], returns: .json, "Text that contains a part."),
        MethodDeclaration(
            "glob", [Parameter("text", .string, "`*` any text, `?` a character.")], returns: .json, "Text like this."),
        MethodDeclaration(
            "regex",
            [Parameter("text", .string, "A regular expression; `.` is one code point, `\\d` one of 0 to 9.")],
            returns: .json, "Text that matches as a whole."),
        MethodDeclaration(
            "pattern", [Parameter("text", .string, "A Lua pattern.")], returns: .json, "Text that matches as a whole."),
        MethodDeclaration(
            "fuzzy",
            [
                Parameter("text", .string, "The text."),
                Parameter("ratio", .number, optional: true, "Above 0 up to 1; 0.8 unless given."),
            ],
            returns: .json, "Text that is nearly this (Levenshtein ratio)."),
        MethodDeclaration(
            "word_error_rate",
            [
                Parameter("text", .string, "The text."),
                Parameter("most", .number, optional: true, "From 0 to below 1; 0.2 unless given."),
            ],
            returns: .json,
            "Text in which few words are put in, left out or replaced; case and punctuation do not count."),
        MethodDeclaration(
            "token_set",
            [
                Parameter("text", .string, "The text."),
                Parameter("ratio", .number, optional: true, "Above 0 up to 1; 0.8 unless given."),
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
            "A list, a text or a table of so many elements, characters or members."),
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
            "schema",
            [
                Parameter(
                    "schema", .json,
                    "A JSON Schema of type, properties, required, additionalProperties, items, enum, const, minimum, maximum, minLength, maxLength, pattern, anyOf."
                )
            ],
            returns: .json, "A value that fits a JSON Schema, such as the arguments of a tool call."),
        MethodDeclaration(
            "personal_data",
            [
                Parameter(
                    "kinds", .list(.choice(PersonalData.allCases.map(\.rawValue))), optional: true,
                    "Which; all unless given.")
            ],
            returns: .json,
            "Text with an e-mail address, a phone number, an IBAN or a card number anywhere, a number that is one of a card, or a table with either; check digits must be right."
        ),
        MethodDeclaration(
            "leaks", [Parameter("text", .string, "What must not be given away, such as the instructions of a model.")],
            returns: .json,
            "Text that has eight words of another in a row, or all if it has fewer, or a table with such a text; case and punctuation do not count."
        ),
        MethodDeclaration(
            "json", [Parameter("matcher", .json, "What is asked of the value.")], returns: .json,
            "Text that holds such a value as JSON."),
        MethodDeclaration(
            "where",
            [
                Parameter("test", .function, "Gets the value; must not wait."),
                Parameter("text", .string, optional: true, "What it accepts, for failures."),
            ],
            returns: .json, "Whatever a function of the script accepts."),
        MethodDeclaration(
            "judged",
            [
                Parameter("criterion", .string, "What is asked of the text, in words."),
                Parameter("options", .record(ModelCriterion.judgedOptions), "Who judges."),
            ],
            returns: .json, "Text of which a judge of `repartee.lua` says that it meets a criterion."),
        MethodDeclaration(
            "means",
            [
                Parameter("text", .string, "The text."),
                Parameter("options", .record(ModelCriterion.meansOptions), optional: true, "How near it must be."),
            ],
            returns: .json, "Text that is near this in meaning, by the embeddings of `repartee.lua`."),
        MethodDeclaration("any", [], "Anything but nil (a value, not a function)."),
        MethodDeclaration("absent", [], "Nothing; the null of JSON is something (a value, not a function)."),
    ]
}
