import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Forms to fill in")
struct FormTests {
    static let form: JSONObject = [
        "type": "editForm", "title": "Before we start", "formColumns": 1,
        "fields": [
            [
                "displayType": "textInput", "id": "name", "label": "Name", "required": true, "maxLength": 5,
                "clientErrorMessage": "Please tell us your name",
            ],
            ["displayType": "textInput", "id": "email", "label": "E-mail", "inputStyle": "email"],
            [
                "displayType": "singleSelect", "id": "topic", "layoutStyle": "list", "defaultValue": "billing",
                "options": [["label": "Billing", "value": "billing"], ["label": "Delivery", "value": "delivery"]],
            ],
            [
                "displayType": "toggle", "id": "news", "valueOn": "true", "valueOff": "false",
                "defaultValue": "false", "autoSubmit": true,
            ],
            ["displayType": "numberInput", "id": "age", "minValue": 18, "maxValue": 120],
            ["displayType": "datePicker", "id": "day", "minDate": "2024-01-01", "maxDate": "2024-12-31"],
            ["displayType": "timePicker", "id": "time", "minTime": "09:00", "maxTime": "17:00"],
            [
                "displayType": "multiSelect", "id": "toppings",
                "options": [["label": "Cheese", "value": "c"], ["label": "Ham", "value": "h"]],
            ],
            ["displayType": "textInput", "id": "code", "validationRegularExpression": "[A-Z]{2}[0-9]+"],
        ],
        "actions": [["type": "submitForm", "label": "Start chat", "postback": ["action": "startChat"]]],
    ]

    static func entry(_ values: JSONObject) -> FormEntry.Outcome {
        FormEntry(form: EditFormPayload(members: Self.form)).check(values)
    }

    @Test(
        "values that a field does not take are refused with a reason",
        arguments: [
            (["name": ""], "name", "required"), (["name": "longer"], "name", "max_length"),
            (["name": 5], "name", "type"), (["email": "nobody"], "email", "format"),
            (["topic": "weather"], "topic", "option"), (["news": "perhaps"], "news", "option"),
            (["age": 17], "age", "min"), (["age": 121], "age", "max"), (["age": "old"], "age", "type"),
            (["day": "1.1.2024"], "day", "format"), (["day": "2023-12-31"], "day", "min"),
            (["day": "2024-02-30"], "day", "format"), (["day": "2023-02-29"], "day", "format"),
            (["day": "2024-13-05"], "day", "format"), (["day": "2024-00-05"], "day", "format"),
            (["day": "0000-01-01"], "day", "format"), (["day": "2024-04-00"], "day", "format"),
            (["time": "24:00"], "time", "format"), (["time": "10:60"], "time", "format"),
            (["time": "17:01"], "time", "max"), (["toppings": ["c", "x"]], "toppings", "option"),
            (["toppings": ["c", "h", "c"]], "toppings", "option"),
            (["code": "a1"], "code", "pattern"), (["shoe": 43], "shoe", "unknown"),
        ] as [(JSONObject, String, String)])
    func refused(_ values: JSONObject, _ key: String, _ reason: String) throws {
        let complete = (["name": "Ada"] as JSONObject).merging(values)
        guard case .problems(let problems) = Self.entry(complete) else {
            Issue.record("nothing was refused")
            return
        }
        #expect(problems.map(\.key) == [key])
        #expect(problems.map(\.reason) == [reason])
    }

    @Test("defaults fill what was not entered, and a toggle and a list take a short form")
    func accepted() {
        let values: JSONObject = ["name": "Ada", "news": true, "toppings": "h", "age": 36, "code": "AB12"]
        #expect(
            Self.entry(values)
                == .values([
                    "name": "Ada", "topic": "billing", "news": "true", "age": 36, "toppings": ["h"], "code": "AB12",
                ]))
    }

    @Test("what a form says of its fields and buttons is told")
    func told() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        let fields: JSONValue = [
            [
                "displayType": "textInput", "id": "name", "label": "Name", "placeholder": "Ada", "minLength": 2,
                "maxLength": 9, "multiLine": true, "inputStyle": "text", "validationRegularExpression": "[A-Z].*",
                "autoSubmit": true,
            ],
            [
                "displayType": "singleSelect", "id": "topic", "label": "Topic", "layoutStyle": "radioGroup",
                "options": [["label": "Billing", "value": "b", "imageUrl": "https://a.example/b.png"]],
            ],
            [
                "displayType": "toggle", "id": "news", "label": "News", "valueOn": "y", "valueOff": "n",
                "labelOn": "Yes",
            ],
        ]
        let submit: JSONValue = ["type": "submitForm", "label": "Go", "style": "primary", "displayType": "link"]
        rehearsal.serve(
            "say", ["message": ["type": "editForm", "formColumns": 1, "fields": fields, "actions": [submit]]])
        rehearsal.run(.seconds(1))
        let event = try #require(rehearsal.last(.form))
        #expect(
            event.fields["form"]?["fields"] == [
                [
                    "key": "name", "type": "textInput", "label": "Name", "required": false, "placeholder": "Ada",
                    "auto_submit": true, "input_style": "text", "multi_line": true,
                    "validation_regular_expression": "[A-Z].*", "min_length": 2, "max_length": 9,
                ],
                [
                    "key": "topic", "type": "singleSelect", "label": "Topic", "required": false,
                    "options": [["label": "Billing", "value": "b", "image_url": "https://a.example/b.png"]],
                    "layout_style": "radioGroup",
                ],
                [
                    "key": "news", "type": "toggle", "label": "News", "required": false, "value_on": "y",
                    "value_off": "n", "label_on": "Yes",
                ],
            ])
        #expect(event.fields["actions"]?[0]?["style"] == "primary")
        #expect(event.fields["actions"]?[0]?["display_type"] == "link")
    }

    @Test("a form to read tells of pictures and other media")
    func media() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        let fields: JSONValue = [
            ["displayType": "media", "label": "Photo", "value": "https://a.example/p", "mediaType": "image"],
            ["displayType": "link", "label": "Page", "value": "https://a.example", "imageUrl": "https://a.example/i"],
        ]
        rehearsal.serve("say", ["message": ["type": "form", "formColumns": 1, "forms": [["fields": fields]]]])
        rehearsal.run(.seconds(1))
        let told = rehearsal.last(.message)?.fields["forms"]?[0]?["fields"]
        #expect(told?[0]?["media_type"] == "image")
        #expect(told?[1]?["image_url"] == "https://a.example/i")
    }

    @Test("days and times of the calendar are taken", arguments: ["2024-02-29", "2024-04-30", "2024-12-31"])
    func calendar(_ day: String) {
        let values: JSONObject = ["name": "Ada", "day": .string(day), "time": "09:59", "toppings": ["c", "h"]]
        guard case .values(let taken) = Self.entry(values) else {
            Issue.record("\(day) is refused")
            return
        }
        #expect(taken["day"] == .string(day))
    }

    @Test("a form is refused here, submitted, and replaced by the server's with its own complaint")
    func roundTrip() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1])
        rehearsal.functions[1] = { arguments in
            guard arguments[0]["type"] == "formSubmission" else { return .success(.object(Self.form)) }
            if arguments[0]["submittedFields"]?["name"] == "Eve" {
                var again = Self.form
                again["errorMessage"] = "Not you"
                again["channelExtensions"] = ["replaceMessage": "True"]
                return .success(.object(again))
            }
            return .success("Thanks")
        }
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        let form = try #require(rehearsal.last(.form)?.fields["form"])
        #expect(form["submit"] == "submit_form")
        #expect(form["fields"]?.array?.count == 9)
        rehearsal.forget()
        rehearsal.do("submit_form", ["values": [:]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.sent.isEmpty)
        #expect(rehearsal.last(.formInvalid)?.fields["keys"] == ["name"])
        #expect(rehearsal.last(.formInvalid)?.fields["problems"]?[0]?["message"] == "Please tell us your name")
        rehearsal.do("submit_form", ["values": ["name": "Eve"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.form)?.fields["form"]?["error"] == "Not you")
        #expect(try rehearsal.read("screen")["messages"]?.array?.filter { $0["type"] == "editForm" }.count == 1)
        rehearsal.do("submit_form", ["values": ["name": "Ada"]])
        rehearsal.run(.seconds(1))
        #expect(
            rehearsal.sent.last?["messagePayload"] == [
                "type": "formSubmission",
                "submittedFields": ["name": "Ada", "topic": "billing", "news": "false"],
                "postback": ["action": "startChat"],
            ])
        #expect(rehearsal.texts == ["Thanks"])
        #expect(rehearsal.last(.formSubmitted)?.fields["hidden"] == true)
    }

    @Test("a field that submits itself sends what was entered so far, and names itself")
    func partial() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.serve("say", ["message": .object(Self.form)])
        rehearsal.run(.seconds(1))
        rehearsal.do("change_field", ["key": "name", "value": "Ada"])
        #expect(rehearsal.sent.isEmpty)
        rehearsal.do("change_field", ["key": "toppings", "value": "c"])
        rehearsal.do("change_field", ["key": "news", "value": "perhaps"])
        #expect(rehearsal.sent.isEmpty, "nobody can choose that")
        #expect(rehearsal.last(.formInvalid)?.fields["keys"] == ["news"])
        #expect(rehearsal.last(.formInvalid)?.fields["problems"]?[0]?["reason"] == "option")
        rehearsal.do("change_field", ["key": "news", "value": true])
        #expect(rehearsal.sent.last?["messagePayload"]?["partialSubmitField"] == "news")
        #expect(
            rehearsal.sent.last?["messagePayload"]?["submittedFields"]
                == ["name": "Ada", "toppings": ["c"], "news": "true"])
    }

    @Test("a popup shows its form, whose submitting action goes back with the values")
    func popup() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.serve(
            "say",
            [
                "message": [
                    "text": "Sorry",
                    "actions": [["type": "popup", "label": "Feedback", "popupContent": .object(Self.form)]],
                ]
            ])
        rehearsal.run(.seconds(1))
        rehearsal.do("tap", ["label": "Feedback"])
        #expect(rehearsal.last(.form)?.fields["popup"] == true)
        rehearsal.do("submit_form", ["values": ["name": "Ada"]])
        #expect(rehearsal.sent.last?["messagePayload"]?["type"] == "formSubmission")
    }

    @Test("the steps of a live-agent conversation come as events of their own, and as messages on the wire")
    func steps() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.serve("pre_chat", ["form": .object(Self.form)])
        rehearsal.serve("queue", ["position": 2])
        rehearsal.serve("unavailable", ["message": "We are closed."])
        rehearsal.serve(
            "survey",
            [
                "message": [
                    "text": "How was it?", "channelExtensions": ["displayType": "stars"], "actions": ["1", "2", "3"],
                ]
            ])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.preChat)?.fields["form"]?["title"] == "Before we start")
        #expect(rehearsal.last(.queue)?.fields["position"] == 2)
        #expect(rehearsal.last(.queue)?.fields["text"] == "You are number 2 in the queue.")
        #expect(rehearsal.last(.unavailable)?.fields["text"] == "We are closed.")
        #expect(rehearsal.last(.postChat)?.fields["rating"] == true)
        #expect(rehearsal.do("rate", ["stars": 3]) == .done("Rate 3 star"))
        #expect(rehearsal.sent.last?["messagePayload"]?["postback"] == ["action": "3"])
        if case .done = rehearsal.do("rate", ["stars": 4]) { Issue.record("there are only three stars") }
        if case .done = rehearsal.do("rate", ["stars": -1]) { Issue.record("stars begin with one") }
    }
}
