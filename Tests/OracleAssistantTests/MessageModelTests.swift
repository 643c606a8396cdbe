import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The message model")
struct MessageModelTests {
    @Test(
        "every real message is decoded by its type and encoded again without loss",
        .enabled(if: SharedMaterial.folder != nil, Comment(rawValue: SharedMaterial.skipReason)),
        arguments: SharedMaterial.messageFiles)
    func roundTrip(_ name: String) throws {
        let value = try SharedMaterial.message(name)
        let payload = Payload(members: try #require(value.object))
        if case .unknown = payload { Issue.record("\(name) has a type that the model does not know") }
        #expect(payload.content.json == value)
        #expect(payload.content.json.description == value.description, "the order of members is kept")
    }

    @Test("all eighteen real messages are there", .enabled(if: SharedMaterial.folder != nil))
    func count() {
        #expect(SharedMaterial.messageFiles.count == 18)
    }

    @Test("real messages are seen as typed values", .enabled(if: SharedMaterial.folder != nil))
    func typedValues() throws {
        func payload(_ name: String) throws -> Payload {
            Payload(members: try #require(try SharedMaterial.message(name).object))
        }
        guard case .card(let cards) = try payload("cards.json"),
            case .editForm(let form) = try payload("editableForm.json"),
            case .editForm(let rows) = try payload("editableForm2.json"),
            case .table(let table) = try payload("table.json"),
            case .tableForm(let tableForm) = try payload("tableForm.json"),
            case .text(let text) = try payload("textWithActions.json"),
            case .text(let popup) = try payload("textWithPopupAction.json"),
            case .text(let footer) = try payload("textWithFooterForm.json"),
            case .textStream(let stream) = try payload("textStream.json"),
            case .command(let command) = try payload("command.json"),
            case .formSubmission(let submission) = try payload("formSubmission.json"),
            case .location(let location) = try payload("location.json")
        else { throw JSONSyntaxError(message: "a message has another type", offset: 0) }
        #expect(cards.cards.first?.actions.first?.kind == .postback)
        #expect(cards.globalActions.first?.kind == .location)
        #expect(
            form.form.fields.map(\.kind) == [
                .textInput, .toggle, .singleSelect, .multiSelect, .numberInput, .datePicker, .timePicker,
            ])
        #expect(form.submitAction?.label == "Submit")
        #expect(rows.form.fields.count == 10)
        #expect(rows.submitAction?.label == "Submit", "the submitting action stands in a field")
        #expect(table.rows.first?.fields.count == 4)
        #expect(table.pagination?.hasNext == true)
        #expect(tableForm.forms.first?.fields.last?.linkLabel == "LinkedIn")
        #expect(text.actions.map(\.kind) == [.postback, .call, .share, .location, .url])
        #expect(text.keywords.first?.words == ["word1", "word2"])
        guard case .editForm(let inner)? = popup.actions.first?.popupContent else {
            Issue.record("the popup has no form")
            return
        }
        #expect(inner.form.fields.count == 3)
        #expect(footer.footerForm?.fields.compactMap(\.action).count == 2)
        #expect(stream.state == .running)
        #expect(command.name == .repeatLouder)
        #expect(submission.submittedFields?.count == 2)
        #expect(location.location?.latitude == 23.5678)
    }

    @Test("a type nobody knows, members nobody knows and wrongly typed members survive")
    func unknownSurvives() throws {
        for text in [
            #"{"type":"hologram","text":1}"#, #"{"text":"no type"}"#, #"{"type":7}"#,
            #"{"type":"text","text":["not","a","text"],"actions":"none","future":{"a":[null,1e3]}}"#,
        ] {
            let value = try JSONReader.read(text)
            let payload = Payload(members: try #require(value.object))
            #expect(payload.content.json.description == text)
            #expect(payload.content.actions.isEmpty)
        }
    }

    @Test("every payload type is decoded to a case of its own", arguments: PayloadType.allCases)
    func everyType(_ type: PayloadType) {
        let payload = Payload(members: ["type": .string(type.rawValue)])
        #expect(payload.type == type)
        if case .unknown = payload { Issue.record("\(type) is unknown") }
    }

    @Test("random objects are decoded and encoded without loss")
    func fuzz() {
        var random = RandomSource(seed: 7)
        for _ in 0..<2000 {
            let members = RandomJSON.object(depth: 4, using: &random)
            let payload = Payload(members: members)
            #expect(payload.members == members)
            _ = MessageValidation.problem(in: payload)
            _ = MessageValidation.problem(inReceived: payload)
            _ = ServerFrame(.object(["messagePayload": .object(members)])).json
            _ = payload.content.globalActions.map(\.kind)
        }
    }

    @Test(
        "the client refuses to send what its rules forbid",
        arguments: [
            (#"{"type":"text","text":""}"#, "text that is not empty"),
            (#"{"type":"text","text":"a","actions":[{"type":"postback"}]}"#, "label or an imageUrl"),
            (#"{"type":"card","layout":"vertical","cards":[]}"#, "at least one card"),
            (#"{"type":"location","location":{"latitude":0,"longitude":4}}"#, "latitude"),
            (#"{"type":"raw","payload":{}}"#, "no rule"),
            (#"{"type":"editForm","fields":[{"displayType":"toggle","id":"a"}],"formColumns":1}"#, "valueOn"),
            (#"{"type":"table","headings":[{"label":"a"}],"rows":[]}"#, "at least one row"),
            (#"{"type":"updateApplicationContextCommand","context":"a","source":"moon"}"#, "source"),
            (#"{"type":"formSubmission"}"#, "submittedFields"),
            (#"{"type":"textStream","text":""}"#, "streamState"),
        ])
    func refusals(_ text: String, _ phrase: String) throws {
        let payload = Payload(members: try #require(try JSONReader.read(text).object))
        #expect(try #require(MessageValidation.problem(in: payload)).contains(phrase))
    }

    @Test("the documented oddities of names and types are read either way")
    func oddities() throws {
        func action(_ text: String) throws -> MessageAction { try #require(MessageAction(try JSONReader.read(text))) }
        #expect(try action(#"{"type":"call","URL":"https://a.test"}"#).kind == .url)
        #expect(try action(#"{"type":"call","URL":"https://a.test"}"#).url == "https://a.test")
        #expect(try action(#"{"type":"call","phoneNumber":"1"}"#).kind == .call)
        let form = try #require(Form(try JSONReader.read(#"{"field":[{"displayType":"text","label":"a"}]}"#)))
        #expect(form.fields.count == 1)
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(#"{"actions":[]],"userId":"guest"}"#) }
    }
}
