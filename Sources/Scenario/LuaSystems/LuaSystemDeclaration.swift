import JSON
import Machines

/// What a script says of a chat system of its own: `system { name = …, events = …, … }`.
///
/// It is the same that a system in Swift declares, and checked the same way: whatever is misspelt, unknown or of a
/// wrong type is a mistake of the script, told with what was meant.
struct LuaSystemDeclaration: Hashable {
    /// A kind of party on the server's side.
    struct Party: Hashable {
        let name: String
        let summary: String
        let events: [EventDeclaration]
        let noise: [EventPattern]
    }

    /// What the script wrote, with what the system has that it extends.
    let table: JSONObject

    let name: String
    let title: String

    /// What a client is called in reports unless the scenario names it.
    let clientName: String
    let options: [ParameterDeclaration]
    let serverOptions: [ParameterDeclaration]
    let events: [EventDeclaration]
    let noise: [EventPattern]

    /// The events of clients that bring a form, which a command submits.
    let forms: Set<EventKind>

    /// By which events a client tells that not all is well, besides those that do in every system.
    let troubles: [EventPattern]
    let absences: [EventKind: String]
    let properties: [ParameterDeclaration]

    /// How messages are told apart on links over TCP; nil if its simulated server takes none.
    let framing: LinkFraming?

    /// What its messages are, where those are JSON of kinds that it declares.
    let json: JSONMessages?
    let parties: [Party]

    /// The members of a declaration.
    static let members = [
        ParameterDeclaration("name", .string, "The name in reports and targets; other than those of built-in systems."),
        ParameterDeclaration(
            "extends", .json, optional: true,
            "Another system in Lua, such as `require \"socketio\"`, whose declaration and functions it has: what it declares itself is added, or takes the place of what has the same name."
        ),
        ParameterDeclaration("title", .string, optional: true, "What people call it; the name unless given."),
        ParameterDeclaration("client", .string, optional: true, "What a client is called; \"client\" unless given."),
        ParameterDeclaration(
            "options", .map(.json), optional: true, "The options of `t:actor`, by name: a type such as \"string?\"."),
        ParameterDeclaration(
            "server_options", .map(.json), optional: true, "The options of `t:server`, by name: a type."),
        ParameterDeclaration(
            "events", .map(.json), "What a client observes, by the event's name: its fields, by name: a type."),
        ParameterDeclaration(
            "noise", .list(.string), optional: true,
            "The events that a scenario need not expect; `error` cannot be one of them."),
        ParameterDeclaration(
            "troubles", .list(.string), optional: true,
            "The events by which a client tells that not all is well, for `--faults` and for commands that cannot go on then."
        ),
        ParameterDeclaration(
            "absences", .map(.string), optional: true,
            "What the product does not have, by the event that would tell of it, as the beginning of a sentence."),
        ParameterDeclaration(
            "properties", .map(.json), optional: true,
            "The members of the client's `me` that scenarios read on the actor, by name: a type; with `?`, it may be missing."
        ),
        ParameterDeclaration(
            "frames", .json, optional: true,
            "How messages are told apart on links over TCP, as in `me:open`; its simulated server then takes such links."
        ),
        ParameterDeclaration(
            "json", .record(JSONMessages.members), optional: true,
            "The messages of its links, where those are objects of JSON: they are read and checked, and go to `S.json` and `S.server.json` by their kinds, or are events of these names."
        ),
        ParameterDeclaration(
            "parties", .map(.json), optional: true,
            "Who plays on the server's side, by name: { events = …, noise = …, about = … }."),
    ]

    /// The members of a party's declaration.
    private static let partyMembers = [
        ParameterDeclaration("events", .map(.json), optional: true, "What it observes."),
        ParameterDeclaration("noise", .list(.string), optional: true, "What a scenario need not expect."),
        ParameterDeclaration("about", .string, optional: true, "Who it is, for those who look it up."),
    ]

    /// What every client of a system in Lua observes, unless its system declares it otherwise.
    private static let standardEvents = [
        EventDeclaration(
            .error,
            [
                ParameterDeclaration("code", .string, "What kind of failure."),
                ParameterDeclaration("message", .string, "What happened."),
                ParameterDeclaration("status", .integer, optional: true, "The HTTP status, where there was one."),
                ParameterDeclaration("body", .string, optional: true, "What a server answered that refused."),
            ], "A connection could not be opened, or the system's own handlers say that something is wrong.")
    ]

    /// What is told where something else is to be extended.
    static let noBase = UsageError(
        "system: extends is a chat system in Lua, as in extends = require \"socketio\"; those that are built in cannot be "
            + "extended")

    /// Reads a declaration.
    ///
    /// - Parameters:
    ///   - table: The table that the script gave to `system`.
    ///   - reserved: The names of the built-in systems.
    /// - Throws: ``UsageError`` that says what is wrong and what to do.
    init(_ table: JSONObject, reserved: some Sequence<String>) throws(UsageError) {
        // A system that is extended has been put together with the table by now. Without it members seem to be missing
        // that the script meant to take from there.
        guard table["extends"] == nil else { throw Self.noBase }
        let checked = try ArgumentChecker(call: "system", member: "member").record(table, Self.members)
        let name = checked["name"]?.string ?? ""
        guard Self.isName(name) else {
            throw UsageError(
                "system: name is lower-case letters, digits and _, such as \"support\", not \"\(name)\"")
        }
        guard !reserved.contains(name) else {
            throw UsageError("system: there is a built-in system \"\(name)\" already; choose another name")
        }
        self.table = table
        self.name = name
        for member in ["title", "client"] where checked[member]?.string?.isEmpty == true {
            throw UsageError(
                "system: \(member) is what people read in reports, and not empty; leave it out, or name it")
        }
        self.title = checked["title"]?.string ?? name
        self.clientName = checked["client"]?.string ?? "client"
        self.options = try Self.parameters(checked["options"], of: "system: options")
        self.serverOptions = try Self.parameters(checked["server_options"], of: "system: server_options")
        let declared = try Self.events(checked["events"], of: "system: events")
        self.forms = try Self.forms(among: declared)
        let standard = Self.standardEvents + (self.forms.isEmpty ? [] : [FormEntry.declaration])
        self.events = declared + standard.filter { event in !declared.contains { $0.kind == event.kind } }
        self.noise = try Self.patterns(checked["noise"], among: self.events, of: "system: noise")
        // All that a server does wrong would pass in each scenario.
        guard !self.noise.contains(where: { $0.kind == .error }) else {
            throw UsageError(
                "system: noise: \"error\" tells what goes wrong, such as a message that is none of those declared, so that "
                    + "scenarios have to expect it; one that need not says allow = { \"error\" }")
        }
        self.troubles = try Self.patterns(checked["troubles"], among: self.events, of: "system: troubles")
        self.absences = try Self.absences(checked["absences"], besides: self.events)
        let properties = try Self.parameters(checked["properties"], of: "system: properties")
        if let hidden = properties.first(where: { LuaSystem.reservedNames.contains($0.name) }) {
            throw UsageError(
                "system: properties: every actor has a member \"\(hidden.name)\" already, which hides the property; "
                    + "choose another name")
        }
        self.properties = properties
        var framing: LinkFraming?
        if let frames = checked["frames"] { framing = try LinkFrames.framing(frames, of: "system") }
        self.framing = framing
        var json: JSONMessages?
        if let messages = checked["json"]?.object {
            json = try JSONMessages(messages, events: declared, of: "system: json")
            try Self.checkError(among: self.events)
        }
        self.json = json
        self.parties = try Self.parties(checked["parties"])
    }

    /// Returns whether a text can be the name of a system, an event or a member.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "_")
            }
    }

    /// Returns what is said of an option that is not there: what was meant, or what there is and how a system in Lua
    /// declares one.
    ///
    /// - Parameters:
    ///   - owner: Who would have it, as scripts know it.
    ///   - kind: What it is called there, such as "option"; nil if the owner says it.
    ///   - known: The options that there are.
    ///   - member: The member of `system { … }` that declares such options.
    static func unknownOption(
        _ name: String, of owner: String, as kind: String? = nil, among known: [String], in member: String
    ) -> UsageError {
        let text = UnknownMember.text(name, of: owner, as: kind, among: known)
        guard Self.isName(name), TextDistance.suggestion(for: name, among: known) == nil else {
            return UsageError(text)
        }
        return UsageError("\(text); system { \(member) = { \(name) = \"any?\" } } declares it")
    }

    private static func kind(_ name: String, of place: String) throws(UsageError) -> EventKind {
        guard Self.isName(name) else {
            throw UsageError(
                "\(place): an event's name is lower-case letters, digits and _, such as \"agent_joined\", not \"\(name)\""
            )
        }
        return EventKind(rawValue: name)
    }

    private static func events(_ value: JSONValue?, of place: String) throws(UsageError) -> [EventDeclaration] {
        var events: [EventDeclaration] = []
        for (name, fields) in value?.object ?? [:] {
            let kind = try Self.kind(name, of: place)
            let fields = try Self.parameters(fields, of: "\(place).\(name)")
            if let foreign = fields.first(where: { LuaTypeReader.isOfScripts($0.type) }) {
                throw UsageError(
                    "\(place).\(name): \(foreign.name) cannot be an actor, a function or a file, for no event tells of one"
                )
            }
            events.append(EventDeclaration(kind, fields, ""))
        }
        return events
    }

    /// Returns those of the events that bring a form.
    ///
    /// - Throws: ``UsageError`` if one stands where scripts do not look for it, or its refusal could not be told.
    private static func forms(among events: [EventDeclaration]) throws(UsageError) -> Set<EventKind> {
        var forms: Set<EventKind> = []
        for event in events {
            for field in event.fields where DeclaredForm.isForm(field) {
                guard field.name == DeclaredForm.field else {
                    throw UsageError(
                        "system: events.\(event.kind.rawValue): scripts fill the form of an event as event.form, so that its "
                            + "field is called form, not \(field.name)")
                }
                forms.insert(event.kind)
            }
        }
        guard forms.isEmpty || !events.contains(where: { $0.kind == FormEntry.declaration.kind }) else {
            throw UsageError(
                "system: events: a system with forms has the event \"form_invalid\" of itself, with form, keys and reasons; "
                    + "leave it out")
        }
        return forms
    }

    private static func patterns(
        _ value: JSONValue?, among events: [EventDeclaration], of place: String
    ) throws(UsageError) -> [EventPattern] {
        var patterns: [EventPattern] = []
        for name in value?.array?.compactMap(\.string) ?? [] {
            let kind = try Self.kind(name, of: place)
            guard events.contains(where: { $0.kind == kind }) else {
                throw UsageError(
                    "\(place): \"\(name)\" is not among the events"
                        + TextDistance.hint(
                            name, among: events.map(\.kind.rawValue), otherwise: "declare it there"))
            }
            patterns.append(EventPattern(kind))
        }
        return patterns
    }

    private static func absences(
        _ value: JSONValue?, besides events: [EventDeclaration]
    ) throws(UsageError) -> [EventKind: String] {
        var absences: [EventKind: String] = [:]
        for (kind, sentence) in value?.object ?? [:] {
            let absent = try Self.kind(kind, of: "system: absences")
            guard !events.contains(where: { $0.kind == absent }) else {
                throw UsageError(
                    "system: absences: the system has the event \"\(kind)\"; absences are for what it does not have")
            }
            guard sentence.string?.isEmpty == false else {
                throw UsageError(
                    "system: absences: \(kind) is the beginning of a sentence, such as \"The shop says queue instead\"")
            }
            absences[absent] = sentence.string
        }
        return absences
    }

    private static func parties(_ value: JSONValue?) throws(UsageError) -> [Party] {
        var parties: [Party] = []
        for (name, value) in value?.object ?? [:] {
            guard Self.isName(name), let members = value.object else {
                throw UsageError(
                    "system: parties takes tables by names of lower-case letters, such as { agent = { events = { … } } }"
                )
            }
            let place = "system: parties.\(name)"
            let party = try ArgumentChecker(call: place, member: "member").record(members, Self.partyMembers)
            let events = try Self.events(party["events"], of: "\(place).events")
            if let event = events.first(where: { $0.fields.contains(where: DeclaredForm.isForm) }) {
                throw UsageError(
                    "\(place).events.\(event.kind.rawValue): clients fill in forms, and parties do not; declare it as \"table\""
                )
            }
            let noise = try Self.patterns(party["noise"], among: events, of: "\(place).noise")
            let summary = party["about"]?.string ?? ""
            parties.append(Party(name: name, summary: summary, events: events, noise: noise))
        }
        return parties
    }

    /// Makes sure that the event `error` can tell of a message that is none: a system may declare it otherwise.
    private static func checkError(among events: [EventDeclaration]) throws(UsageError) {
        let fields = events.first { $0.kind == .error }?.fields ?? []
        let told = ProtocolError.fields
        let holdsWords = fields.allSatisfy { field in
            told.contains(field.name) ? field.type == .string || field.type == .json : field.isOptional
        }
        guard holdsWords, ["code", "message"].allSatisfy({ name in fields.contains { $0.name == name } }) else {
            throw UsageError(
                "system: json: a message that is none is told by the event \"error\", so events.error has "
                    + "code = \"string\" and message = \"string\", and else what may be missing")
        }
    }

    /// Reads names with types.
    static func parameters(
        _ value: JSONValue?, of place: String
    ) throws(UsageError) -> [ParameterDeclaration] {
        guard let value else { return [] }
        guard let members = value.object else {
            throw UsageError("\(place) takes a table of names and types, such as { text = \"string\" }")
        }
        var parameters: [ParameterDeclaration] = []
        for (name, type) in members {
            guard let text = type.string else {
                throw UsageError("\(place): the type of \(name) is a text such as \"string?\", not \(type)")
            }
            let (declaration, summary) = LuaTypeReader.divided(text)
            let (read, isOptional) = try LuaTypeReader.type(declaration, of: "\(place): \(name)")
            parameters.append(ParameterDeclaration(name, read, optional: isOptional, summary))
        }
        return parameters
    }
}
