import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Answers that the client cannot go on with")
struct AnswerExaminationTests {
    /// Replaces members of the answers of a method; null takes one away.
    private static func spoil(_ play: inout Rehearsal, _ method: String, _ members: JSONObject) {
        play.intercept = { called, response in
            guard called == method, var answer = (try? JSONReader.read(response.body))?.object else { return response }
            for (name, value) in members { answer[name] = value.isNull ? nil : value }
            return Response(json: .object(answer))
        }
    }

    static let creations: [(members: JSONObject, fault: String)] = [
        (["ChatKey": .null], "createChat, for it has no ChatKey"),
        (["ChatKey": ""], "createChat, for it has no ChatKey"),
        (["ChatKey": [1]], "its ChatKey is not a text"),
        (["PreChat": "yes"], "its PreChat is \"yes\", not a form"),
        (["PreChat": ["Fields": ["x": 1]]], ", not a form"), (["PreChat": [1]], ", not a form"),
        (["ClientTimeout": "long"], "its ClientTimeout is \"long\", not a whole number"),
    ]

    @Test("A chat that is created by such an answer is none", arguments: Self.creations, ["ios", "html"])
    func creation(spoilt: (members: JSONObject, fault: String), profile: String) throws {
        var play = try Rehearsal(client: ["profile": .string(profile)])
        Self.spoil(&play, "createChat", spoilt.members)
        play.visitor("create_chat")
        play.settle()
        #expect(play.events.map(\.kind) == [.error])
        let error = play.events.first
        #expect(error?.fields["code"] == -102 && error?.fields["domain"] == "BCAccount")
        #expect(error?.fields["operation"] == "create_chat")
        let message = error?.fields["message"]?.string ?? ""
        #expect(message.hasPrefix("the server's answer could not be read: createChat, for "), "\(message)")
        #expect(message.contains(spoilt.fault), "\(message)")
        #expect(error?.raw?["Status"] == "success")
        #expect(play.client.view.state == .idle)
    }

    @Test("Whom no chat is possible for needs no key")
    func unavailable() throws {
        var play = try Rehearsal(server: ["open": false, "unavailable": false])
        Self.spoil(&play, "createChat", ["ChatKey": .null])
        play.visitor("create_chat")
        play.settle()
        #expect(play.story == [.unavailable])
    }

    @Test("A pre-chat form without fields is one to the browser window, and none to the iOS engine")
    func emptyForm() throws {
        for form: JSONValue in [[:], ["Fields": []], ["Fields": [:]], ["Fields": .null]] {
            for (profile, kind) in [("ios", EventKind.chatStarted), ("html", .preChat)] {
                var play = try Rehearsal(client: ["profile": .string(profile)])
                Self.spoil(&play, "createChat", ["PreChat": form])
                play.visitor("create_chat")
                play.settle()
                #expect(play.events.first { $0.kind != .sessionCreated }?.kind == kind)
            }
        }
    }

    @Test("A post-chat form that is none fails the end, with the vendor's code")
    func postChat() throws {
        var play = try Play.answered()
        Self.spoil(&play, "finishChat", ["PostChat": "later"])
        play.visitor("finish")
        play.settle()
        let error = try #require(play.events(.error).first)
        #expect(error.fields["code"] == -301 && error.fields["operation"] == "finish")
        #expect(error.fields["message"]?.string?.contains("finishChat, for its PostChat is \"later\"") == true)
        #expect(error.raw?["PostChat"] == "later")
        #expect(play.events(.ended).isEmpty && play.events(.postChat).isEmpty)
    }

    @Test("An availability that is no truth value is an error, and is asked for again")
    func availability() throws {
        var play = try Rehearsal()
        Self.spoil(&play, "getChatAvailability", ["Available": "perhaps"])
        play.visitor("check_availability")
        play.settle()
        #expect(play.events.map(\.kind) == [.error])
        #expect(play.events.first?.fields["code"] == -102)
        play.intercept = nil
        play.visitor("check_availability")
        play.settle()
        #expect(play.events.last?.kind == .available)
    }
}
