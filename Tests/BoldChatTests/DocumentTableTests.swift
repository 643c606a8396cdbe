import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

@Suite("Every name of the vendor's pages on sessions and their appearance")
struct DocumentTableTests {
    private typealias Proof = DocumentTable.Proof

    private static let ownTexts = ["de-DE", "es-ES", "fr-CA", "fr-FR", "he-IL", "ja-JP", "pt-BR", "pt-PT"]

    private static let session = DocumentTable(
        "BoldChat, Creating Chat Session",
        [
            DocumentTable.rows(
                .acts, .scenario("goes from the form over a conversation to the survey"),
                [
                    "createChatSessionWithDelegate", "BCChatSession", "BCChat", "BCForm", "externalParams",
                    "didCreateChat:withPreChat:",
                ]),
            DocumentTable.rows(.acts, .scenario("to a request that was dropped reports nothing"), ["BCCancelable"]),
            DocumentTable.rows(
                .acts, .scenario("reports an access key that the account does not accept"),
                ["BCAccount", "didFailToCreateWithError:", "error.code"]),
            DocumentTable.rows(
                .acts, .scenario("is told at once that the desk is closed"),
                [
                    "BCUnavailableReason", "reason", "unavailableForm", "unavailableMessage",
                    "didCreateChat:unavailableWithReason:unavailableForm:unavailableMessage:",
                ]),
            DocumentTable.rows(.acts, .test("Messages of failures have the vendor's codes"), ["BCErrorCodes"]),
            DocumentTable.rows(.acts, .scenario("has the account's own texts"), ["chatSession.branding"]),
            DocumentTable.rows(
                .acts, .scenario("starts without a form when the app knows the visitor"),
                ["skipPreChat=NO", "didCreateChatWithoutPreChat:andDidStartChat:"]),
            DocumentTable.rows(.acts, .scenario("an unknown language falls back to English"), ["language=en-US"]),
            DocumentTable.rows(.acts, .scenario("a visitor without an id gets one"), ["visitorId=assigned"]),
            DocumentTable.rows(
                .acts, .scenario("is that of the preset, or of the form that the visitor fills in"),
                ["BCFormFieldLanguage"]),
            DocumentTable.rows(
                .acts, .scenario("a visitor's language comes before the department"), ["BCFormFieldDepartment"]),
            DocumentTable.rows(
                .acts, .test("name and first_name are two names of one preset"),
                ["BCFormFieldFirstName", "BCFormFieldName"]),
            DocumentTable.rows(
                .acts, .test("O: presets of a wrong form fail without a call"),
                ["BCFormFieldPhone", "BCFormFieldEmail"]),
            DocumentTable.rows(
                .acts, .test("G: the pre-chat form is skipped and its presets count"),
                ["BCFormFieldInitialQuestion", "BCFormFieldOverall"]),
            DocumentTable.rows(
                .acts, .scenario("agents see the reference and the information of a visitor"),
                ["BCFormFieldReference", "BCFormFieldInformation"]),
            DocumentTable.rows(
                .acts, .scenario("a preset of the survey is a number"),
                [
                    "BCFormFieldLastName", "BCFormFieldKnowledge", "BCFormFieldResponsiveness",
                    "BCFormFieldProfessionalism", "BCFormFieldComments",
                ]),
            DocumentTable.rows(.held, .scenario("a preset of the survey is a number"), ["BCFormFieldCustomUrl"]),
            DocumentTable.rows(.acts, .test("Which languages have texts is told, and they have them"), Self.ownTexts),
            DocumentTable.rows(
                .held, .test("Which languages have texts is told, and they have them"),
                BoldChatFacts.languages.filter { !Self.ownTexts.contains($0) }.map { "\($0)=English" }),
        ])

    private static let cells = Proof.test(
        "Each field has the cell of its type, with title, required mark and its own wrong mark")

    private static func proof(ofOutlet outlet: String) -> (DocumentTable.Verdict, Proof) {
        switch outlet {
        case "loadingActivityIndicator", "chatHistoryWebViewHolderView", "inputHolderView":
            (.held, .test("Views that only lie behind others can be read"))
        case "endview", "endLabel": (.acts, .test("The closing text says what was sent"))
        case "errorview", "errorLabel": (.acts, .test("Errors have a view of their own"))
        case "view", "loadingview", "chatHolderView", "preChatHolderView", "postChatHolderView", "tableView",
            "unavailableChatHolderView":
            (.acts, .test("Whatever is not on the screen can neither be pressed nor typed into, at any moment"))
        case "mainExternalActionButton", "endExternalActionButton", "errorExternalActionButton",
            "chatExternalActionButton":
            (.acts, .test("Buttons of the application report their external action, on their own view only"))
        case "missingView", "invalidEmailView", "invalidPhoneNumberView":
            (.acts, .test("What is wrong is marked at once, what is missing only after an attempt to submit"))
        case "pickerView", "valueLabel":
            (.acts, .test("A picker opens under its cell and closes with a second tap or a tap elsewhere"))
        case "starRatingView", "label":
            (.acts, .test("The post-chat form has its e-mail section with a footer, and stars from one to five"))
        case "cancelChatButton", "queuePositionLabel":
            (.acts, .test("The queue label and the cancel button are there only while the visitor waits"))
        case "typingLabel": (.acts, .test("The typing label names whoever types"))
        case "chatHistoryWebView", "emailChatHistoryButton", "endChatButton", "inputTextView", "sendButton":
            (.acts, .test("What is typed is sent with the button, and stands in the history"))
        default: (.acts, Self.cells)
        }
    }

    private static let outlets = BoldChatFacts.templates.flatMap { template in
        template.outlets.flatMap { outlet in
            let (verdict, proof) = Self.proof(ofOutlet: outlet)
            return DocumentTable.rows(verdict, proof, ["\(template.setting).\(outlet)"])
        }
    }

    private static let appearance = DocumentTable(
        "BoldChat, Static Appearance Customizations",
        [
            DocumentTable.rows(
                .held, .test("Templates and their owners are the page's"),
                BoldChatFacts.templates.map { "\($0.setting)=\($0.name)" }),
            DocumentTable.rows(
                .held, .test("Templates and their owners are the page's"),
                Set(BoldChatFacts.templates.map(\.owner)).sorted()),
            Self.outlets,
            DocumentTable.rows(
                .acts, .test("Buttons of the application report their external action, on their own view only"),
                BoldChatFacts.actions.filter { $0.contains("External") }),
            DocumentTable.rows(
                .acts, .scenario("the queue shows its position and a way out"), ["cancelChatPressed"]),
            DocumentTable.rows(
                .acts, .test("The transcript's button asks for an address in an alert"),
                ["emailChatHistoryPressed", "alert for the address"]),
            DocumentTable.rows(
                .acts, .test("What is typed is sent with the button, and stands in the history"),
                ["endChatPressed=not connected", "sendButtonPressed", "BCTextViewWithPlaceHolder"]),
            DocumentTable.rows(
                .acts,
                .test(
                    "Through a whole conversation exactly one view is visible, and loading lies on top while a request runs"
                ),
                ["endView", "pre-chat form", "chat view", "post-chat form", "loadingView", "one view at a time"]),
            DocumentTable.rows(.acts, .test("Errors have a view of their own"), ["errorView"]),
            DocumentTable.rows(
                .acts, .scenario("the queue shows its position and a way out"), ["unavailable chat form"]),
            DocumentTable.rows(
                .acts, .test("An outlet can be left out of one template only"), ["any outlet disconnected"]),
            DocumentTable.rows(
                .acts,
                .test(
                    "Templates are replaced by the vendor's settings; an unconnected outlet is missing and nothing else"
                ),
                ["several groups of xibs", "submission style"]),
            DocumentTable.rows(
                .acts, .test("Unknown outlets, settings and templates with an extension are refused"),
                ["names without extension"]),
            DocumentTable.rows(
                .acts, .test("The post-chat form has its e-mail section with a footer, and stars from one to five"),
                ["one to five stars", "ASStarRatingView", "BCStarRatingView", "rating"]),
            DocumentTable.rows(
                .acts, .test("The drawing escapes what peers sent and keeps plain formatting of operators"),
                ["agent messages of any HTML"]),
            DocumentTable.rows(.held, .test("Views that only lie behind others can be read"), ["chatHistoryHtmlName"]),
            DocumentTable.rows(
                .refused, .test("A handler for the insertion of messages is refused, with what to read instead"),
                ["chatViewEventHandler", "ChatViewEventHandler"]),
            DocumentTable.rows(.acts, .scenario("two agents type in one chat"), ["several agents type"]),
        ])

    @Test("acts, is held or is refused, and something proves it")
    func complete() throws {
        let sessionNames =
            BoldChatFacts.arguments + BoldChatFacts.types + BoldChatFacts.callbacks + BoldChatFacts.presets
            + BoldChatFacts.languages
        let owners = Set(BoldChatFacts.templates.map(\.owner))
        let outlets = BoldChatFacts.templates.flatMap { template in template.outlets.map { "\(template.setting).\($0)" }
        }
        let appearanceNames =
            BoldChatFacts.templates.map(\.setting) + owners + outlets + BoldChatFacts.actions + BoldChatFacts.others
        for (table, names) in [(Self.session, sessionNames), (Self.appearance, appearanceNames)] {
            print(table.text)
            let problems = try table.problems(names: names, scenarios: "boldchat", tests: "BoldChatTests")
            #expect(problems.isEmpty, "\(problems.joined(separator: "; "))")
        }
    }

    @Test("Templates and their owners are the page's")
    func templates() {
        for fact in BoldChatFacts.templates {
            let template = ScreenTemplate(rawValue: fact.setting)
            #expect(template?.standardName == fact.name)
            #expect(template?.owner == fact.owner)
            #expect(template?.outlets.map(\.rawValue) == fact.outlets)
        }
        #expect(BoldChatFacts.templates.count == ScreenTemplate.allCases.count)
    }

    @Test("Which languages have texts is told, and they have them")
    func languages() {
        let told = ServerVocabulary.options.first { $0.name == "languages" }?.summary ?? ""
        let words = Set(told.split { !$0.isLetter && $0 != "-" }.map(String.init))
        for language in BoldChatFacts.languages {
            let hasOwn = Branding.texts(for: language) != Branding.english
            #expect(hasOwn == Self.ownTexts.contains(language), "\(language)")
            #expect(words.contains(language) == hasOwn, "\(language)")
        }
    }

    @Test("Views that only lie behind others can be read")
    func containers() throws {
        var play = try Play.answered(client: ["view_settings": ["chatHistoryHtmlName": "history.html"]])
        var screen = play.client.properties["screen"]
        #expect(screen?["chat"]?["inputHolderView"] == true)
        #expect(screen?["chat"]?["chatHistoryWebViewHolderView"] == true)
        #expect(screen?["chat"]?["chatHistoryHtmlName"] == "history.html")
        play.visitor("finish")
        screen = play.client.properties["screen"]
        #expect(screen?["loadingActivityIndicator"] == true)
    }

    @Test("A handler for the insertion of messages is refused, with what to read instead")
    func handler() {
        #expect(throws: (any Error).self) { try Rehearsal(client: ["view_settings": ["chatViewEventHandler": "x"]]) }
        let told = ClientVocabulary.options.first { $0.name == "view_settings" }?.summary ?? ""
        #expect(told.contains("chatViewEventHandler") && told.contains("chatHistoryWebView"))
    }
}
