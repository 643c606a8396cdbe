import JSON
import Machines

/// What skills and scripts write as tables: payloads of messages and what they are made of, keys of texts and of
/// states, and what a target's settings can say. It stands in the reference.
enum PayloadVocabulary {
    /// All of it, in the order of the reference.
    static let data: [DataDeclaration] =
        [AnswerVocabulary.answer, AnswerVocabulary.agent, AnswerVocabulary.part, Self.common]
        + Self.described + Self.parts
        + [Self.states, Self.texts, Self.settings]

    private static let described: [DataDeclaration] = (Self.payloads + Self.sent).map { payload in
        Self.payload(payload.type, payload.summary, payload.members)
    }

    private static let common = DataDeclaration(
        "What every payload may have",
        "A payload is what `say`, `send`, `skill` and `states` take in place of a text; it needs a `type`, but for a text.",
        [
            parameter("type", .choice(PayloadType.allCases.map(\.rawValue)), "What kind of message it is."),
            optional("headerText", .string, "The words above."), optional("footerText", .string, "The words below."),
            optional("footerForm", .json, "A form below, such as one for feedback."),
            optional("actions", .list(.json), "The buttons: actions, or texts that become postbacks."),
            optional("globalActions", .list(.json), "The buttons of the whole conversation."),
            optional(
                "channelExtensions",
                .record([
                    optional("displayType", .choice(["stars"]), "Makes stars of the buttons of a text."),
                    optional("mediaType", .string, "The MIME type of the file or of the pictures of cards."),
                    optional("replaceMessage", .boolean, "Whether it takes the place of the last form to fill in."),
                    optional("appendMessage", .boolean, "Whether it continues the bubble above."),
                    optional("agentName", .string, "The name of the agent who writes."),
                    optional(
                        "agentSession",
                        .record(AgentDetails.names.map { optional($0, .string, "As of the vendor's AgentDetails.") }),
                        "How the agent is shown."),
                ]), "Properties of particular channels; others are passed on."),
            PayloadSection.voice,
            optional("keywords", .list(.json), "Words that stand for postbacks: keywords, postback."),
            optional("skipAutoNumber", .boolean, "Whether buttons go without numbers where those are added; kept."),
            optional("properties", .json, "Properties that the skill adds; passed on."),
        ])

    /// The payloads by their types, with the members that only they have.
    static let payloads: [(type: PayloadType, summary: String, members: [ParameterDeclaration])] = [
        (.text, "A text.", [parameter("text", .string, "The words.")]),
        (
            .attachment, "A file.",
            [
                parameter(
                    "attachment",
                    .record([
                        parameter("type", .choice(Attachment.Kind.allCases.map(\.rawValue)), "Its kind."),
                        parameter("url", .string, "Where it is."), optional("title", .string, "What it is called."),
                    ]), "The file.")
            ]
        ),
        (
            .location, "A place.",
            [
                parameter(
                    "location",
                    .record([
                        parameter("latitude", .number, "Degrees north."),
                        parameter("longitude", .number, "Degrees east."),
                        optional("title", .string, "What it is called."),
                        optional("url", .string, "Where a map shows it."), PayloadSection.capitalURL,
                    ]), "The place.")
            ]
        ),
        (
            .card, "Cards, side by side or in a list.",
            [
                optional("layout", .choice(CardPayload.Layout.allCases.map(\.rawValue)), "horizontal unless given."),
                parameter("cards", .list(.json), "The cards."),
            ]
        ), (.table, "A table.", Self.table + [optional("tableTitle", .string, "The words above.")]),
        (.form, "Forms to read.", Self.forms + [Self.paging]),
        (
            .tableForm, "A table with a form behind each row.",
            Self.table + Self.forms + [
                optional("showFormButtonLabel", .string, "The words that show the form of a row."),
                optional("disclosedFormIndex", .integer, "The form that is shown from the start, from 0."),
            ]
        ),
        (
            .editForm, "A form to fill in.",
            [
                optional("title", .string, "The words above."),
                optional("errorMessage", .string, "What was wrong with the last submission."),
                optional("formColumns", .integer, "In how many columns fields stand; one unless given."),
                optional("fields", .list(.json), "The fields to fill in."),
                optional("formRows", .list(.json), "Fields in rows of columns, in their place."),
            ]
        ), (.raw, "A message for one channel only.", [parameter("payload", .json, "Anything.")]),
        (
            .textStream, "A piece of a text; `{ stream = { … }, interval = … }` makes all of them.",
            [
                parameter("text", .string, "The piece."),
                parameter("streamState", .choice(["start", "running", "end"]), "Where it stands."),
                optional("aggregateText", .string, "The text so far."), optional("streamId", .string, "Of which text."),
            ]
        ),
        (
            .status, "Whether somebody types.",
            [
                parameter("status", .choice(["RESPONDING", "LISTENING"]), "Types, or has stopped."),
                optional("text", .string, "What stands there so far."),
                optional("partyType", .string, "Who types, such as user."),
                optional("source", .string, "What says so, such as sdk."),
            ]
        ), (.error, "An error of the skill.", [parameter("errorMessage", .string, "The words.")]),
        (.command, "An order to the client.", [parameter("command", .string, "Such as clear or repeat.")]),
        (
            .outboundEvent, "An event for the application.",
            [
                parameter("eventType", .string, "Its name."), parameter("eventVersion", .string, "Its version."),
                parameter("eventData", .json, "What it tells."),
            ]
        ), (.sessionClosed, "The end of the session.", []),
        (
            .executeApplicationActionCommand, "Something that the application is to do.",
            [
                optional("action", .string, "What."), optional("applicationName", .string, "Which application."),
                optional("pageName", .string, "On which of its pages."),
                optional("actionType", .string, "Another name of action."),
            ]
        ),
        (
            .getDebugInfoCommand, "Asks for debugging data.", [parameter("infoTypes", .list(.string), "Which.")]
        ),
        (
            .updateApplicationContextCommand, "Where the user is in the application.",
            [parameter("context", .string, "Where."), parameter("source", .string, "Who says so.")] + Self.contextMore
        ),
    ]

    /// The payloads that only users send, as `send` of an actor takes them.
    static let sent: [(type: PayloadType, summary: String, members: [ParameterDeclaration])] = [
        (
            .postback, "What goes back by a button; with a label in place of the text it is the button itself.",
            Self.tapped
        ),
        (
            .formSubmission, "A form that was filled in.",
            [
                parameter("submittedFields", .map(.json), "The values by the ids of the fields."),
                optional("postback", .json, "What goes back."),
                optional("partialSubmitField", .string, "The field that submitted the form by itself."),
            ]
        ),
        (
            .inboundEvent, "An event for the skill.",
            [
                parameter("eventType", .string, "Its name."), parameter("eventVersion", .string, "Its version."),
                parameter("eventData", .json, "What it tells."),
                optional("contextProperties", .json, "Of its context."),
            ]
        ),
        (
            .suggest, "Asks for completions.",
            [
                parameter("query", .string, "What to complete."),
                optional("threshold", .integer, "How many completions at most."),
            ]
        ), (.closeSession, "Ends the session.", []),
    ]

    private static let tapped: [ParameterDeclaration] = {
        let common = ["type", "postback", "keywords", "skipAutoNumber"]
        let own = [
            parameter("postback", .json, "What goes back."), optional("text", .string, "The words on the button."),
        ]
        return own + PayloadSection.action.filter { !common.contains($0.name) }
    }()

    /// Returns what a payload may have by its type, or nil if the type is none of these: such a payload is taken as it
    /// is, as the vendor's clients do.
    ///
    /// A payload without a type that has a text is one.
    static func members(of payload: JSONObject) -> [ParameterDeclaration]? {
        let type = payload["type"]?.string ?? (payload["text"] == nil ? nil : PayloadType.text.rawValue)
        return type.flatMap { Self.membersByType[$0] }
    }

    private static let membersByType: [String: [ParameterDeclaration]] = {
        // Other properties of channels than those that stand in the reference are passed on.
        let extensions = PayloadSection.extensions
        let common = Self.common.members.filter { $0.name != extensions.name } + [extensions]
        return Dictionary(
            uniqueKeysWithValues: (Self.payloads + Self.sent).map { payload in
                let own = Set(payload.members.map(\.name))
                return (payload.type.rawValue, payload.members + common.filter { !own.contains($0.name) })
            })
    }()

    /// Finds members that payloads and what they are made of do not have.
    static let check = NestedMemberCheck(opened: Self.opened)

    /// Finds words that there are not, too.
    private static let strictCheck = NestedMemberCheck(checksWords: true, opened: Self.opened)

    private static func opened(_ name: String, _ table: JSONObject) -> [ParameterDeclaration]? {
        name == "popupContent" ? Self.members(of: table) : PayloadSection.members(named: name)
    }

    /// Returns which member of a payload is not declared, or nil if all are.
    ///
    /// - Parameter more: What the payload may have besides.
    static func problem(in payload: JSONObject, and more: [ParameterDeclaration] = []) -> String? {
        self.members(of: payload).flatMap { self.check.problem(in: payload, $0 + more, of: "the payload") }
    }

    /// Returns what a payload has that no skill can mean, or nil: a type, a member, a word or a place that there is
    /// not.
    ///
    /// Clients take what they do not know as it is; a script sends them that with `send_frame`.
    ///
    /// - Parameter more: What the payload may have besides.
    static func problem(inSaid payload: JSONObject, and more: [ParameterDeclaration] = []) -> String? {
        if let type = payload["type"], Self.members(of: payload) == nil {
            let remedy = "a message of a kind of your own is of the type \"raw\", and send_frame sends any"
            return "there is no payload of type \(type)"
                + TextDistance.hint(type.string ?? "", among: Self.membersByType.keys.sorted(), otherwise: remedy)
        }
        return Self.members(of: payload).flatMap {
            Self.strictCheck.problem(in: payload, $0 + more, of: "the payload")
        } ?? Self.place(payload["location"])
    }

    private static func place(_ location: JSONValue?) -> String? {
        let most: [(name: String, degrees: Double)] = [("latitude", 90), ("longitude", 180)]
        for (name, degrees) in most {
            guard let value = location?[name]?.double, !(-degrees...degrees).contains(value) else { continue }
            return
                "the payload.location.\(name) is a number of degrees from -\(Int(degrees)) to \(Int(degrees)), not \(value)"
        }
        return nil
    }

    private static let paging = optional(
        "paginationInfo",
        .record([
            parameter("totalCount", .integer, "How many results there are."),
            parameter("rangeSize", .integer, "How many a page holds."),
            parameter("rangeStart", .integer, "The first one, from 0."),
            optional("currentRangeSize", .integer, "How many this page holds."),
            optional("nextRangeSize", .integer, "How many the next one holds."),
            optional("hasPrevious", .boolean, "Told by the numbers unless given."),
            optional("hasNext", .boolean, "Told by the numbers unless given."),
            optional("status", .string, "The words about the page."),
        ]), "Which part of a longer result is shown.")

    private static let table = [
        parameter("headings", .list(.record(PayloadSection.heading)), "The heads of the columns."),
        parameter("rows", .list(.record(PayloadSection.row)), "The rows."), Self.paging,
    ]

    private static let forms = [
        parameter("forms", .list(.record(PayloadSection.form)), "The forms."),
        optional("formColumns", .integer, "In how many columns fields stand."),
    ]

    private static func payload(
        _ type: PayloadType, _ summary: String, _ members: [ParameterDeclaration]
    ) -> DataDeclaration {
        DataDeclaration("Payload of type `\(type.rawValue)`", summary, members)
    }

    /// What the context of an application may say besides.
    static let contextMore = [
        optional("properties", .json, "What the skill is to know of the place."),
        optional("event", .json, "An event for the skill."),
        optional("semanticObject", .string, "What the place is about."),
        optional("parameters", .json, "Values for the skill."),
        optional("reset", .boolean, "Whether the conversation begins anew."),
    ]

    /// What payloads are made of.
    private static let parts = [
        DataDeclaration(
            "A card", "Of a payload of type `card`; `tap` with its title opens its page.", PayloadSection.card),
        DataDeclaration("An action", "A button of a message, a card, a form or a field.", PayloadSection.action),
        DataDeclaration("A field", "Of a table or form to read, or of a form to fill in.", PayloadSection.field),
        DataDeclaration("A row of a form", "Of `formRows`.", PayloadSection.formRow),
    ]

    private static let states = DataDeclaration(
        "Keys of `states.NAME.on`", "By what a state goes on to another one, in any case; the first that fits counts.",
        [
            optional("WORDS", .string, "What the user says, or the words of a button."),
            optional("ACTION", .string, "The postback of a button if it is a text, or its member action."),
            optional("form", .string, "A form that was filled in; before it, the postback of its button."),
            optional("attachment", .string, "A file."), optional("location", .string, "A place."),
            optional("EVENT", .string, "The type of an event of the application; then event, for any."),
            optional("*", .string, "Anything else."),
        ])

    private static let texts = DataDeclaration(
        "Keys of `strings`", "The texts of the client, each with what it says unless given.",
        StringTable.entries.map { entry in
            let note = entry.effect == .held ? " Held: it shapes the screen's HTML only." : ""
            return optional(entry.key, .string, "`\(entry.text)`.\(note)")
        })

    private static let settings = DataDeclaration(
        "Settings of a target",
        "`targets.NAME.settings` in repartee.lua: what holds for all actors of the target unless they say otherwise.",
        [optional("secret", .string, "The key of the channel, with which `token_fixture` signs.")]
            + (NetworkProperties.all + FeatureFlags.all).filter { $0.scriptName != "url" }.flatMap(\.parameters)
            + [DataDeclaration.hosts])
}
