import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("What an actor observed")
struct EventLogWalkTests {
    /// The same as a plain list in which nothing is ever let go.
    private struct Model {
        var events: [(text: String, weight: Int, disposition: EventDisposition)] = []
        var cursor = 0

        var leftovers: [Int] { self.events.indices.filter { self.events[$0].disposition == .open } }
    }

    @Test(
        "taking, allowing and letting go in any order leaves the leftovers that a plain list has",
        arguments: 1...20 as ClosedRange<UInt64>)
    func walk(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var (log, model) = (EventLog(), Model())
        var released = 0
        let limit = Int.random(in: 1...8, using: &random)
        for step in 0..<400 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<6:
                let text = String("abcd".randomElement(using: &random) ?? "a")
                let isNoise = Int.random(in: 0..<6, using: &random) == 0
                let weight = Int.random(in: 1...9, using: &random)
                let place = log.append(.message(text), weight: weight, at: .start, isNoise: isNoise)
                #expect(place == model.events.count)
                model.events.append((text, weight, isNoise ? .noise : .open))
            case 6..<9:
                // An expectation takes some of those that it may take, which is all behind the cursor.
                let places = (model.cursor..<model.events.count).filter { _ in
                    Int.random(in: 0..<4, using: &random) == 0
                }
                log.take(places)
                for place in places {
                    model.events[place].disposition = .taken
                    model.cursor = place + 1
                }
            case 9:
                let before = log.forgottenCount
                let weight = log.forget(by: .last(limit))
                #expect(weight == model.events[before..<log.forgottenCount].reduce(0) { $0 + $1.weight })
                released += weight
                #expect(log.forgottenCount <= max(before, model.cursor - limit))
            case 10:
                let text = String("abcd".randomElement(using: &random) ?? "a")
                log.markNoise { $0.fields["text"]?.string == text }
                for place in model.leftovers where model.events[place].text == text {
                    model.events[place].disposition = .noise
                }
            default:
                guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                log.takeAll()
                for place in model.leftovers {
                    model.events[place].disposition = .taken
                    // The cursor of the log stands behind the last that was open and kept.
                    if place >= log.forgottenCount { model.cursor = max(model.cursor, place + 1) }
                }
            }
            #expect(log.count == model.events.count, "step \(step)")
            #expect(log.cursor == model.cursor, "step \(step)")
            #expect(log.remaining == model.cursor..<model.events.count, "step \(step)")
            #expect(log.leftovers.map(\.number) == model.leftovers.map { $0 + 1 }, "step \(step)")
            let held = log.forgottenCount..<log.count
            #expect(held.allSatisfy { log[$0].number == $0 + 1 && log[$0].disposition == model.events[$0].disposition })
        }
        let kept = (log.forgottenCount..<log.count).reduce(0) { $0 + log[$1].weight }
        #expect(released + kept == model.events.reduce(0) { $0 + $1.weight }, "no event is let go twice or never")
    }

    @Test("what is held grows with what nobody expected, and not with what was taken")
    func bounded() {
        var (good, bad) = (EventLog(), EventLog())
        for _ in 0..<10_000 {
            let place = good.append(.message("a"), at: .start, isNoise: false)
            good.take([place])
            _ = good.forget(by: .last(8))
            _ = bad.append(.message("stray"), at: .start, isNoise: false)
            let next = bad.append(.message("a"), at: .start, isNoise: false)
            bad.take([next])
            _ = bad.forget(by: .last(8))
        }
        #expect(good.heldCount <= 16)
        #expect(bad.heldCount >= 10_000 && bad.leftovers.count == 10_000)
    }

    @Test("what the scenario allows is told from what the system calls noise")
    func allowed() {
        var log = EventLog()
        _ = log.append(.message("a"), at: .start, isNoise: true)
        _ = log.append(.message("b"), at: .start, isNoise: false, isAllowed: true)
        _ = log.append(.message("c"), at: .start, isNoise: false)
        log.markNoise { $0 == .message("c") }
        #expect(log.events.map(\.isAllowed) == [false, true, true])
        #expect(log.events.allSatisfy { $0.disposition == .noise } && log.leftovers.isEmpty)
    }

    @Test("an event that was taken stays taken, whatever is allowed later")
    func takenStays() {
        var log = EventLog()
        log.take([log.append(.message("a"), at: .start, isNoise: false)])
        log.markNoise { _ in true }
        #expect(log[0].disposition == .taken && !log[0].isAllowed)
    }

    @Test("noise may be taken, too, and an earlier place does not bring the cursor back")
    func cursor() {
        var log = EventLog()
        for text in ["a", "b", "c"] { _ = log.append(.message(text), at: .start, isNoise: text == "b") }
        log.take([2, 1])
        #expect(log.cursor == 3 && log[1].disposition == .taken)
        log.take([])
        #expect(log.cursor == 3 && log.remaining.isEmpty)
        #expect(log.leftovers.map(\.number) == [1])
    }
}

@Suite("What actors of a role observe")
struct ActorVocabularyTests {
    private static var vocabulary: ActorVocabulary {
        ActorVocabulary(
            events: ParrotClient.system.events,
            noise: [EventPattern(.squawk), EventPattern(.message, ["text": "…"])],
            absences: ParrotClient.system.absences)
    }

    private static var check: ExpectationCheck { ExpectationCheck(vocabulary: Self.vocabulary, name: "bird") }

    private static func mistake(_ matcher: EventMatcher) -> String? {
        do throws(UsageError) {
            try Self.check.require(matcher)
            return nil
        } catch { return error.message }
    }

    private static func matcher(_ kind: EventKind?, _ fields: [String] = []) -> EventMatcher {
        EventMatcher(id: 1, kind: kind, fields: fields.map { MemberMatcher(name: $0, matcher: .anything) })
    }

    @Test("noise is what fits a pattern of its kind")
    func noise() {
        #expect(Self.vocabulary.isNoise(ChatEvent(.squawk, ["text": "x"])))
        #expect(Self.vocabulary.isNoise(.message("…")))
        #expect(!Self.vocabulary.isNoise(.message("a")) && !Self.vocabulary.isNoise(ChatEvent(.error)))
    }

    @Test("what it observes may be expected, with its fields, the wire form, and fields that a server may add")
    func expected() {
        for fields in [[], ["text"], ["raw"], ["metadata"], ["text", "raw"]] {
            #expect(Self.mistake(Self.matcher(.message, fields)) == nil, "\(fields)")
        }
        #expect(Self.mistake(Self.matcher(nil, ["txet"])) == nil)
    }

    @Test("a field in almost the letters of a declared one is refused")
    func fields() {
        #expect(
            Self.mistake(Self.matcher(.message, ["txet"]))
                == "message of bird has no field \"txet\"; did you mean \"text\"?")
    }

    @Test("what it never observes is refused: with what the product lacks, what was meant, or what there is")
    func never() {
        #expect(
            Self.mistake(Self.matcher(.typing))
                == "A parrot has no typing indicators, so bird never observes \"typing\"")
        #expect(
            Self.mistake(Self.matcher(EventKind("mesage")))
                == "bird never observes \"mesage\"; did you mean \"message\"?")
        #expect(
            Self.mistake(Self.matcher(.accepted))
                == "bird never observes \"accepted\"; it observes error, message, squawk")
    }

    @Test("a silence that nothing can break is refused, with an event that could")
    func silence() {
        func mistake(_ allowed: Set<EventKind>) -> String? {
            do throws(UsageError) {
                try Self.check.requireBreakableSilence { allowed.contains($0) }
                return nil
            } catch { return error.message }
        }
        #expect(mistake([]) == nil && mistake([.message]) == nil && mistake([.error]) == nil)
        let text = mistake([.message, .error])
        #expect(text?.contains("bird:expect_silence cannot fail without an event") == true)
        #expect(text?.hasSuffix("as in bird:expect_silence(\"1s\", \"error\")") == true)
    }

    @Test("only some systems tell that somebody else has come")
    func others() {
        #expect(!Self.vocabulary.tellsOfOthers)
        let other = ActorVocabulary(
            events: [EventDeclaration(.accepted, [], "Somebody has accepted.")], noise: [], absences: [:])
        #expect(other.tellsOfOthers)
    }
}

@Suite("The actors of a play")
struct CastTests {
    @Test("what may pass is asked of each event, and a kind passes as a whole only where nothing more is asked")
    func allowed() {
        var cast = Cast()
        #expect(!cast.allows(.message("a")) && !cast.allowsAll(.message))
        cast.allow(.message("a", id: 1))
        #expect(cast.allows(.message("a")) && !cast.allows(.message("b")) && !cast.allowsAll(.message))
        cast.allow(EventMatcher(id: 2, kind: .message, fields: []))
        #expect(cast.allows(.message("b")) && cast.allowsAll(.message) && !cast.allowsAll(.error))
        cast.allow(EventMatcher(id: 3, kind: nil, fields: []))
        #expect(cast.allows(ChatEvent(.error)) && cast.allowsAll(.error))
    }

    @Test("actors of one name are told apart in what a scenario reports")
    func names() throws {
        let played = try MiniRun.parrot(
            """
            local other = t:actor(parrot)
            local named = t:actor(parrot, { name = "Polly" })
            other:say "a"
            named:say "b"
            """)
        #expect(played.messages.count == 2)
        #expect(played.messages[0].hasPrefix("bird 2 observed") && played.messages[1].hasPrefix("Polly observed"))
        let joined = played.happenings.compactMap { happening -> String? in
            if case .actorJoined(let name, _, let role) = happening.what { "\(name)/\(role)" } else { nil }
        }
        #expect(joined == ["bird/bird", "bird 2/bird", "Polly/bird"])
    }

    @Test("a leftover that repeats an earlier event under another id says that, and is no event to allow")
    func renamed() throws {
        let run = try ScriptRun(
            body: """
                local S = system { name = "probe", events = { message = { text = "string", id = "string" } } }
                function S.commands.hear(me, text, id) me:emit("message", { text = text, id = id }) end
                function S.server.text() end
                local ada = t:actor(S, { name = "ada" })
                ada:hear("a", "m1")
                ada:hear("b", "m2")
                ada:expect("message", { text = "a" })
                ada:expect("message", { text = "b" })
                ada:hear("a", "m3")
                """)
        #expect(run.messages.first?.hasSuffix("first #3 message, which repeats #1 under another id") == true)
        let detail = try #require(run.end.problems.first?.detail)
        #expect(detail.contains("look whether the other side says it twice"), "\(detail)")
    }

    @Test("a leftover that repeats an earlier event says so")
    func repeated() throws {
        let played = try MiniRun.parrot("bird:say \"a\" bird:expect \"message\" bird:say \"a\"")
        #expect(played.messages.first?.hasSuffix("first #2 message, which repeats #1") == true)
        // To allow the event would also let the next duplicate pass.
        let detail = try #require(played.end.problems.first?.detail)
        #expect(
            detail.contains("expect it as often: bird:expect \"message\"") && !detail.contains("allow"), "\(detail)")
    }
}
