import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Vocabulary")
struct VocabularyTests {
    @Test("Every callback of the vendor has a declared event; only those of forms and ends have two")
    func callbacks() {
        let declared = Set(ClientVocabulary.events.map(\.kind))
        #expect(CallbackTable.entries.count == 30)
        #expect(Set(CallbackTable.entries.map(\.selector)).count == 30)
        for entry in CallbackTable.entries {
            #expect(!entry.events.isEmpty && declared.isSuperset(of: entry.events), "\(entry.selector)")
            if entry.events.count == 2 {
                #expect(entry.events == [.error, .formInvalid] || entry.events == [.postChat, .ended])
            }
        }
    }

    @Test("Names are unique, events are declared once, noise is declared")
    func consistency() {
        let system = BoldChatSystem.system
        for methods in [system.client.methods, system.server.methods] + system.parties.map(\.methods) {
            #expect(Set(methods.map(\.name)).count == methods.count)
            for method in methods {
                #expect(!method.summary.isEmpty)
                #expect(Set(method.parameters.map(\.name)).count == method.parameters.count)
                // An argument that may be missing cannot come before one that may not.
                let firstOptional = method.parameters.firstIndex(where: \.isOptional) ?? method.parameters.count
                #expect(method.parameters[firstOptional...].allSatisfy { $0.isOptional }, "\(method.name)")
            }
        }
        for events in [system.events] + system.parties.map(\.events) {
            #expect(Set(events.map(\.kind)).count == events.count)
        }
        let declared = Set(system.events.map(\.kind))
        #expect(system.noise.allSatisfy { declared.contains($0.kind) })
    }

    @Test("Noise hides nothing that a tester would want to fail on")
    func noise() {
        let events = [
            ChatEvent(.message, ["from": "operator"]), ChatEvent(.message, ["from": "system"]), ChatEvent(.queue),
            ChatEvent(.ended, ["reason": "visitor"]), ChatEvent(.error), ChatEvent(.unavailable),
            ChatEvent(.formInvalid),
            ChatEvent(.typing, ["active": true]), ChatEvent(.autoMessage), ChatEvent(.preChat), ChatEvent(.postChat),
        ]
        for event in events {
            #expect(!ClientVocabulary.noise.contains { $0.matches(event) }, "\(event.kind)")
        }
    }

    @Test("A form has the members that are declared of it")
    func formMembers() throws {
        let play = try Play.created()
        let form = try #require(play.events(.preChat).first?.fields["form"]?.object)
        let event = try #require(BoldChatSystem.system.events.first { $0.kind == .preChat })
        guard case .record(let members)? = event.fields.first?.type,
            case .list(.record(let fieldMembers))? = members.first(where: { $0.name == "fields" })?.type
        else {
            Issue.record("a form is a table with a list of fields")
            return
        }
        #expect(Set(form.names) == Set(members.map(\.name)))
        let fields = try #require(form["fields"]?.array)
        #expect(!fields.isEmpty)
        for field in fields {
            let names = Set(try #require(field.object).names)
            #expect(names.isSubset(of: fieldMembers.map(\.name)))
            #expect(names.isSuperset(of: fieldMembers.filter { !$0.isOptional }.map(\.name)))
        }
    }

    @Test("The reference lists every control and every outlet of the screen")
    func screenParts() {
        let members = BoldChatSystem.system.data.flatMap(\.members)
        for control in ScreenControl.allCases { #expect(members.contains { $0.name == control.rawValue }) }
        for action in ScreenControl.actions.keys {
            #expect(members.contains { $0.summary.contains("`\(action)`") }, "\(action)")
        }
        let outlets = members.flatMap { if case .choice(let words) = $0.type { words } else { [String]() } }
        #expect(Set(outlets) == Set(ScreenOutlet.allCases.map(\.rawValue)))
    }

    @Test("A method that does not exist is refused, on every side")
    func unknownMethods() throws {
        var play = try Rehearsal()
        for outcome in [play.visitor("fly"), play.agent("Sam", "fly"), play.desk("fly")] {
            guard case .refused = outcome else {
                Issue.record("an unknown method is refused")
                return
            }
        }
    }

    @Test("Every declared method does something or says why not", arguments: 1...4 as ClosedRange<UInt64>)
    func everyMethod(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        for stage in 0..<4 {
            var play = stage == 0 ? try Rehearsal() : stage == 1 ? try Play.created() : try Play.answered()
            if stage == 3 { play.visitor("finish") }
            for _ in 0..<120 {
                let methods = [ClientVocabulary.methods, ServerVocabulary.agent.methods, ServerVocabulary.methods]
                let side = Int.random(in: 0..<3, using: &random)
                let name = try #require(methods[side].randomElement(using: &random)).name
                switch side {
                case 0: play.visitor(name)
                case 1: play.agent("Sam", name)
                default: play.desk(name)
                }
                play.wait(.milliseconds(Int64.random(in: 0...4000, using: &random)))
            }
            play.visitor("resume")
            play.tearDown()
            play.wait(.seconds(60))
            #expect(play.clientTimers.isEmpty, "seed \(seed), stage \(stage): \(play.clientTimers)")
        }
    }

    @Test("The 41 languages of the vendor and the fallback are set up; others fall back")
    func languages() throws {
        #expect(LanguageList.all.count == 42)
        #expect(Set(LanguageList.all).count == 42)
        let account = try Account([:])
        #expect(account.language(for: "DE-de") == "de-DE")
        #expect(account.language(for: "xx") == "en-US")
        for language in LanguageList.all {
            #expect(Set(account.branding(for: language).keys).isSuperset(of: Branding.english.keys))
        }
        let own = try Account(["branding": ["en-US": ["k": "base", "api#chat#send": "Go"], "de-DE": ["k": "eigen"]]])
        #expect(own.branding(for: "de-DE")["k"] == "eigen")
        #expect(own.branding(for: "fr-FR")["k"] == "base")
        #expect(own.branding(for: "en-US")["api#chat#send"] == "Go")
    }

    @Test("The same seed gives the same conversation")
    func determinism() throws {
        let first = try Play.answered(seed: 7)
        let second = try Play.answered(seed: 7)
        #expect(first.events == second.events)
        #expect(first.calls.map(\.parameters) == second.calls.map(\.parameters))
        let other = try Play.answered(seed: 8)
        #expect(first.events != other.events)
    }
}
