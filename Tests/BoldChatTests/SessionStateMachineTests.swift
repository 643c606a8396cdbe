import Testing

@testable import BoldChat

@Suite("Session state machine")
struct SessionStateMachineTests {
    typealias Machine = SessionStateMachine
    typealias State = SessionStateMachine.State
    typealias Input = SessionStateMachine.Input

    /// One way into each state.
    static let ways: [State: [Input]] = {
        let created = [Input.createRequested]
        let preChat = created + [.creationAnswered(.preChat)]
        let chatting = created + [.creationAnswered(.success)]
        let unavailable = created + [.creationAnswered(.unavailableWithForm)]
        let postChat = chatting + [.chatFinished(hasPostChat: true)]
        return [
            .idle: [], .creatingChat: created, .preChatForm: preChat,
            .sendingPreChatInfo: preChat + [.submitRequested(.preChat, isValid: true)], .chatting: chatting,
            .postChatForm: postChat, .sendingPostChatInfo: postChat + [.submitRequested(.postChat, isValid: true)],
            .unavailableForm: unavailable,
            .sendingUnavailableInfo: unavailable + [.submitRequested(.unavailable, isValid: true)],
            .finished: chatting + [.chatFinished(hasPostChat: false)],
        ]
    }()

    /// Every input.
    static let inputs: [Input] = {
        var inputs: [Input] = [.createRequested, .creationCanceled, .chatFailed, .historyFailed, .finishRequested]
        inputs += [true, false].flatMap { [.chatFinished(hasPostChat: $0), .chatUnavailable(hasForm: $0)] }
        inputs += Machine.Answer.allCases.map { .creationAnswered($0) }
        for form in FormKind.allCases {
            inputs += [true, false].map { .submitRequested(form, isValid: $0) }
            inputs += Machine.Answer.allCases.map { .submitAnswered(form, $0) }
            inputs.append(.submitCanceled(form))
        }
        return inputs
    }()

    private static let showing: [State: FormKind] = [
        .preChatForm: .preChat, .postChatForm: .postChat, .unavailableForm: .unavailable,
    ]
    private static let sending: [State: FormKind] = [
        .sendingPreChatInfo: .preChat, .sendingPostChatInfo: .postChat, .sendingUnavailableInfo: .unavailable,
    ]

    /// The vendor's table, written down again by hand: where a state goes on an input; nil where it stays.
    private static func next(_ state: State, _ input: Input) -> State? {
        switch (state, input) {
        case (_, .finishRequested): .finished
        case (_, .historyFailed): .postChatForm
        case (.idle, .createRequested), (.finished, .createRequested): .creatingChat
        case (.creatingChat, .creationCanceled), (.creatingChat, .creationAnswered(.failure)): .idle
        case (.creatingChat, .creationAnswered(let answer)): Self.answered(answer)
        case (.chatting, .chatFinished(let hasForm)): hasForm ? .postChatForm : .finished
        case (.chatting, .chatUnavailable(let hasForm)): hasForm ? .unavailableForm : .finished
        case (let state, .submitRequested(let form, true)) where Self.showing[state] == form:
            Self.sending.first { $0.value == form }?.key
        case (let state, .submitCanceled(let form)) where Self.sending[state] == form:
            Self.showing.first { $0.value == form }?.key
        case (let state, .submitAnswered(let form, .failure)) where Self.sending[state] == form:
            Self.showing.first { $0.value == form }?.key
        case (.sendingPreChatInfo, .submitAnswered(.preChat, let answer)): Self.answered(answer)
        case (let state, .submitAnswered(let form, .success)) where Self.sending[state] == form: .finished
        case (let state, .submitAnswered(let form, let answer)) where Self.sending[state] == form: Self.answered(answer)
        default: nil
        }
    }

    private static func answered(_ answer: Machine.Answer) -> State {
        switch answer {
        case .unavailableWithForm: .unavailableForm
        case .unavailable: .finished
        case .preChat: .preChatForm
        case .postChat: .postChatForm
        case .success: .chatting
        case .failure: .idle
        }
    }

    @Test(
        "Every state goes where the vendor's table says, on every input", arguments: SessionStateMachine.State.allCases)
    func table(state: SessionStateMachine.State) throws {
        let way = try #require(Self.ways[state])
        for input in Self.inputs {
            var machine = Machine()
            for earlier in way { _ = machine.handle(earlier) }
            #expect(machine.state == state)
            let output = machine.handle(input)
            #expect(machine.state == Self.next(state, input) ?? state, "\(state) on \(input)")
            // Only a way into `finished` ends a session, and it ends it once.
            if output.ends { #expect(machine.state == .finished && state != .finished, "\(state) on \(input)") }
            if output.startsChat { #expect(machine.state == .chatting) }
        }
    }

    @Test("A form is refused in a wrong state, ignored while it is being sent, checked before it is sent")
    func verdicts() {
        for (state, way) in Self.ways {
            for form in FormKind.allCases {
                for isValid in [true, false] {
                    var machine = Machine()
                    for earlier in way { _ = machine.handle(earlier) }
                    let verdict = machine.handle(.submitRequested(form, isValid: isValid)).verdict
                    if Self.sending[state] == form {
                        #expect(verdict == .ignore)
                    } else if Self.showing[state] == form {
                        #expect(verdict == (isValid ? .send : .invalidForm))
                    } else {
                        #expect(verdict == .wrongState)
                    }
                }
            }
        }
    }

    @Test("With its quirk off, a chat error finishes the session and a failed transcript changes nothing")
    func withoutQuirks() throws {
        let quirks = Quirks([.chatErrorKeepsSession: false, .historyFailureMovesState: false])
        for (state, way) in Self.ways {
            var machine = Machine(quirks: quirks)
            for earlier in way { _ = machine.handle(earlier) }
            _ = machine.handle(.historyFailed)
            #expect(machine.state == state)
            let output = machine.handle(.chatFailed)
            #expect(machine.state == (state == .chatting ? .finished : state))
            #expect(output.ends == (state == .chatting))
        }
        var quirky = Machine()
        _ = quirky.handle(.createRequested)
        _ = quirky.handle(.creationAnswered(.success))
        let output = quirky.handle(.chatFailed)
        #expect(quirky.state == .chatting && !output.ends)
    }

    @Test("Ending a session that is under way tells the server; a chat is finished first")
    func finishing() {
        for (state, way) in Self.ways {
            var machine = Machine()
            for earlier in way { _ = machine.handle(earlier) }
            let output = machine.handle(.finishRequested)
            #expect(output.closes == (state != .idle && state != .finished))
            #expect(output.finishesChat == (state == .chatting))
            #expect(!output.ends)
        }
    }
}
