import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Forms")
struct FormTests {
    private static let wire: JSONValue = [
        "Fields": [
            ["Type": "text", "Key": "first_name", "Label": "Name", "LabelBranding": "k#name", "Required": true],
            ["Type": "text", "Key": "initial_question", "Label": "Q", "MultiLine": "true"],
            [
                "Type": "select", "Key": "department",
                "Options": [
                    ["Name": "Sales", "Value": "7", "NameBrandingKey": "k#sales"],
                    ["Name": "Repairs", "Value": "8", "Default": true, "Available": false, "AvailableLabel": "away"],
                    ["Name": "Other", "Value": "9", "Default": true, "Available": true],
                ],
            ],
            ["Type": "select", "Key": "language", "ShowSelector": false, "Value": "en-US"],
            ["Type": "moon", "Key": "custom_x"],
            ["Type": "text"],
            "nonsense",
        ]
    ]

    @Test("A preset of the survey is a number of stars from 1 to 5, and what else it is refused")
    func presetStars() throws {
        for (stars, isRight) in [(5, true), ("1", true), (9, false), (2.5, false), (-1, false), ("good", false)]
            as [(JSONValue, Bool)]
        {
            var play = try Rehearsal()
            let outcome = play.visitor("create_chat", ["options": ["external": ["overall": stars]]])
            play.settle()
            #expect(play.count("createChat") == (isRight ? 1 : 0), "\(stars)")
            guard !isRight else { continue }
            guard case .refused(let refusal) = outcome else {
                Issue.record("\(stars) is refused")
                continue
            }
            #expect(refusal.contains("the preset 'overall' is a number of stars from 1 to 5"))
        }
    }

    @Test("Scripts see what a field and its choices are marked with")
    func marks() throws {
        let wire: JSONValue = [
            "Type": "select", "Key": "department", "LabelBranding": "k#label", "ShowDepartmentStatus": true,
            "Options": [
                ["Name": "A", "Value": "a", "NameBrandingKey": "k#a"], ["Name": "B", "Value": "b", "Default": true],
            ],
        ]
        let field = try #require(FormField(wire: wire)).scriptValue(branding: [:])
        #expect(field["label_branding"] == "k#label" && field["show_department_status"] == true)
        #expect(field["options"]?[0]?["name_branding"] == "k#a" && field["options"]?[0]?["default"] == nil)
        #expect(field["options"]?[1]?["default"] == true)
    }

    @Test("Fields are read with the vendor's defaults")
    func reading() throws {
        let form = try #require(Form(kind: .preChat, wire: Self.wire))
        #expect(form.fields.map(\.key) == ["first_name", "initial_question", "department", "language", "custom_x"])
        #expect(form.fields[0].isRequired)
        #expect(form.fields[1].isMultiLine)
        #expect(form.fields[2].isShown)
        #expect(!form.fields[3].isShown)
        #expect(form.fields[4].type == .text)
        // The state of a department counts only together with its label.
        #expect(form.fields[2].options.map(\.isAvailable) == [nil, false, nil])
        #expect(form.fields[2].defaultOption?.value == "8")
    }

    @Test("A form survives being written and read")
    func roundTrip() throws {
        var form = try #require(Form(kind: .preChat, wire: Self.wire))
        // A type that is not known is written as the text field it was taken for.
        form.fields.removeAll { !$0.isKnownType }
        #expect(form.fields.count == 4)
        #expect(Form(kind: .preChat, wire: form.wire) == form)
    }

    @Test("Scripts see branding texts, defaults and the command that submits")
    func script() throws {
        let form = try #require(Form(kind: .preChat, wire: Self.wire))
        let value = form.scriptValue(branding: ["k#name": "Nom", "k#sales": "Ventes"])
        #expect(value["kind"] == "pre_chat")
        #expect(value["submit"] == "submit_pre_chat")
        let fields = try #require(value["fields"]?.array)
        #expect(fields[0]["label"] == "Nom")
        #expect(fields[0]["required"] == true)
        #expect(fields[1]["multi_line"] == true)
        #expect(fields[2]["value"] == "8")
        #expect(fields[2]["options"]?[0]?["name"] == "Ventes")
        #expect(fields[2]["options"]?[1]?["available"] == false)
        #expect(fields[3]["shown"] == false)
    }

    @Test("Only values that are not empty are submitted, defaults among them")
    func completing() throws {
        let form = try #require(Form(kind: .preChat, wire: Self.wire))
        let completed = form.completed(with: ["first_name": "Ada", "initial_question": "", "custom_y": "1"])
        #expect(completed.map(\.key) == ["first_name", "department", "language", "custom_y"])
        #expect(completed.map(\.value) == ["Ada", "8", "en-US", "1"])
    }

    @Test("name and first_name are two names of one preset")
    func presets() throws {
        var form = try #require(Form(kind: .preChat, wire: Self.wire))
        form.preset(["name": "Ada", "unknown": "x"])
        #expect(form.fields[0].value == "Ada")
    }

    @Test("A hostile form is cut, not trusted")
    func bounds() {
        let field: JSONValue = ["Key": "k", "Options": .array(Array(repeating: ["Value": "v"], count: 5000))]
        let form = Form(kind: .preChat, wire: ["Fields": .array(Array(repeating: field, count: 1000))])
        #expect(form?.fields.count == 200)
        #expect(form?.fields.first?.options.count == 1000)
        #expect(Form(kind: .preChat, wire: "x") == nil)
    }

    @Test(
        "E-mail addresses, strict and lenient",
        arguments: [
            ("ada@example.com", true, true), ("a.b+c%d_e-f@x-y.z.info", true, true), ("ada@example", false, false),
            ("ada@example.museum", false, true), ("ada@example.c", false, true), ("@example.com", false, false),
            ("a@b@c.com", false, true), ("ada@.com", false, false), ("see ada@x.io now", false, true),
            ("ada@exa mple.com", false, false), ("ädä@example.com", false, true), ("", false, false),
            ("a@x.c0m", false, true), ("a@x..com", false, true),
        ])
    func emails(text: String, strict: Bool, lenient: Bool) {
        #expect(FormRules.strict.isEmail(text) == strict)
        #expect(FormRules.lenient.isEmail(text) == lenient)
    }

    @Test(
        "Phone numbers, strict and lenient",
        arguments: [
            ("+1-555*#,;()09", true, true), ("555 1234", false, true), (" 555 ", false, true),
            ("5 x12 X3", false, true),
            ("call me", false, false), ("", false, false), ("٣", false, false),
        ])
    func phones(text: String, strict: Bool, lenient: Bool) {
        #expect(FormRules.strict.isPhone(text) == strict)
        #expect(FormRules.lenient.isPhone(text) == lenient)
    }

    @Test("All wrong fields are named, in the order of the form")
    func faults() {
        let form = Form(
            kind: .preChat,
            fields: [
                FormField("a", .text, label: nil, required: true), FormField("b", .email, label: nil),
                FormField("c", .phone, label: nil), FormField("d", .rating, label: nil),
                FormField("e", .label, label: nil, required: true), FormField("f", .text, label: nil),
            ])
        let faults = FormRules.strict.faults(in: form, values: ["b": "x", "c": "x", "d": "4.5"])
        #expect(faults.map(\.key) == ["a", "b", "c", "d"])
        #expect(faults.map(\.fault) == [.missing, .invalidEmail, .invalidPhone, .invalidRating])
        #expect(FormRules.strict.faults(in: form, values: ["a": "x", "d": "5"]).isEmpty)
    }

    @Test("Scripts define forms, and a mistake is explained")
    func definitions() throws {
        let fields: [JSONValue] = [
            ["key": "nps", "type": "radio", "options": [0, 1, ["name": "two", "value": "2", "default": true]]],
            ["key": "note", "label": "Note", "required": true, "multi_line": true],
        ]
        let form = try FormDefinition.read(fields, kind: .postChat)
        #expect(form.fields[0].options.map(\.value) == ["0", "1", "2"])
        #expect(form.fields[0].defaultOption?.name == "two")
        #expect(form.fields[1].isRequired && form.fields[1].isMultiLine)
        #expect(throws: ConfigurationError.self) { try FormDefinition.read([["type": "text"]], kind: .preChat) }
        #expect(throws: ConfigurationError.self) {
            try FormDefinition.read([["key": "x", "type": "slider"]], kind: .preChat)
        }
    }

    @Test(
        "A form that a script defines is checked member by member",
        arguments: [
            ["key": "email", "typ": "email"], ["key": "email", "required": "yes"], ["type": "text"],
            ["key": "topic", "type": "select", "options": [["nam": "Orders"]]],
            ["key": "topic", "type": "radio", "options": ["a"], "value": "b"], ["key": "a", "type": "colour"],
        ] as [JSONValue])
    func definitions(field: JSONValue) {
        #expect(throws: ConfigurationError.self) { try FormDefinition.read([field], kind: .preChat) }
    }
}
