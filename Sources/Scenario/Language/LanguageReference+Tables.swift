import ChatCore

extension LanguageReference {
    /// The tables of functions that every script finds without `require`, by their names.
    static let tables: [(name: String, functions: [MethodDeclaration])] = [
        ("match", Self.match), ("random", Self.random), ("json", Self.json), ("log", Self.log),
        ("date", Self.date), ("utterances", Self.utterances), ("mailbox", Self.mailbox), ("metric", Self.metric),
    ]

    /// What `t` knows of the play.
    static let testContextFields = [
        ParameterDeclaration("name", .string, "The whole name of the scenario."),
        ParameterDeclaration("seed", .string, "The seed of the scenario's own randomness, in digits."),
        ParameterDeclaration("target", .string, "`embedded`, or the name of the target."),
        ParameterDeclaration("clock", .choice(["virtual", "real"]), "Which time the run keeps."),
        ParameterDeclaration(
            "user",
            .record([
                ParameterDeclaration("number", .integer, "The number of the virtual user; 0 outside of load tests."),
                ParameterDeclaration("iteration", .integer, "How often the user has played before."),
            ]), "Who plays."),
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
