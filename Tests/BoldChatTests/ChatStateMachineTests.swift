import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Chat state machine")
struct ChatStateMachineTests {
    typealias State = ChatStateMachine.State
    typealias Input = ChatStateMachine.Input

    private static let connection = ChatConnection([
        "ClientID": "1", "WebSocketURL": "ws://h/", "LongPollURL": "http://h/?", "AnswerTimeout": 60,
    ])
    private static let message = VisitorMessage(id: "1", text: "x")
    private static let operatorEnd = LinkStateMachine.End.reported(.operator, time: "2024-01-01T00:00:00.000Z")
    private static let visitorEnd = LinkStateMachine.End.reported(.visitor, time: "2024-01-01T00:00:00.000Z")

    /// One way into each state.
    static let ways: [State: [Input]] = [
        .chatStarted: [], .ossStarting: [.started], .ossStarted: [.started, .linkConnected],
        .chatStarting: [.started, .linkConnected, .linkReset],
        .sendingVisitorMessagesBeforeFinishing: [.started, .linkConnected, .say(message), .finishRequested],
        .finishing: [.started, .linkConnected, .finishRequested],
        .finishingUpdateArrived: [.started, .linkConnected, .linkEnded(operatorEnd)],
        .gettingUnavailableForm: [.started, .linkConnected, .cancelRequested],
        .finished: [.started, .finishRequested], .error: [.started, .linkFailed],
    ]

    /// Every input.
    static let inputs: [Input] = [
        .started, .say(message), .typing(true), .finishRequested, .cancelRequested, .answerTimerFired, .linkConnected,
        .callAnswered(.message(message), isSuccess: true, raw: nil),
        .callAnswered(.typing(true), isSuccess: false, raw: nil),
        .callAnswered(.other("x"), isSuccess: true, raw: nil), .callRefused(.message(message)),
        .callRefused(.typing(true)), .callRefused(.other("x")), .callRefused(.connect),
        .eventReceived(
            OSSCall(method: "addMessage", params: ["MessageID": "4", "Values": ["PersonType": "operator"]])),
        .eventReceived(OSSCall(method: "addMessage", params: [:])),
        .eventReceived(OSSCall(method: "updateTyper", params: ["PersonID": "3", "Values": .null])),
        .eventReceived(OSSCall(method: "updateChat", params: ["Values": ["Answered": "now"]])),
        .eventReceived(OSSCall(method: "nonsense")), .eventReceived(OSSCall(method: "startChat")),
        .eventReceived(OSSCall(method: "finishChat")), .callAnswered(.connect, isSuccess: true, raw: nil),
        .linkEnded(.timeout), .linkEnded(.closed),
        .linkEnded(operatorEnd), .linkEnded(visitorEnd),
        .linkEnded(.reported(.disconnect, time: "t")),
        .linkEnded(.reported(.unknown, time: "t")), .linkReset, .linkFailed, .startAnswered(nil),
        .startAnswered(connection), .finishAnswered(isSuccess: true), .finishAnswered(isSuccess: false),
        .unavailableFormAnswered(isSuccess: true), .unavailableFormAnswered(isSuccess: false), .suspended, .resumed,
    ]

    /// The vendor's table by hand; nil where a state stays.
    private static func next(_ state: State, _ input: Input) -> State? {
        let isLive = [State.chatStarted, .ossStarting, .ossStarted, .sendingVisitorMessagesBeforeFinishing].contains(
            state)
        switch (state, input) {
        case (.chatStarted, .started): return .ossStarting
        case (.ossStarting, .linkConnected): return .ossStarted
        case (.chatStarting, .finishRequested): return .finishing
        case (.chatStarted, .finishRequested), (.ossStarting, .finishRequested), (.error, .finishRequested):
            return .finished
        case (.ossStarted, .finishRequested): return .finishing
        case (.sendingVisitorMessagesBeforeFinishing, .callAnswered(.message, _, _)),
            (.sendingVisitorMessagesBeforeFinishing, .callRefused(.message)):
            return .finishing
        case (.finishing, .finishAnswered(let success)), (.finishingUpdateArrived, .finishAnswered(let success)):
            return success ? .finished : .error
        case (.gettingUnavailableForm, .unavailableFormAnswered(let success)): return success ? .finished : .error
        case (.chatStarting, .startAnswered(let connection)): return connection == nil ? .error : .ossStarting
        case (.chatStarting, .cancelRequested), (.chatStarting, .answerTimerFired): return .gettingUnavailableForm
        case (_, .cancelRequested), (_, .answerTimerFired): return isLive ? .gettingUnavailableForm : nil
        case (_, .linkReset): return isLive ? .chatStarting : nil
        case (_, .linkFailed): return isLive ? .error : nil
        case (.ossStarted, .linkEnded(.reported(.operator, _))): return .finishingUpdateArrived
        case (_, .linkEnded(.reported(.operator, _))): return nil
        case (.finishing, .linkEnded): return .finishingUpdateArrived
        case (_, .linkEnded(.reported(.visitor, _))): return nil
        case (_, .linkEnded): return isLive ? .finishingUpdateArrived : nil
        default: return nil
        }
    }

    /// A chat after some inputs, as a profile has it.
    static func machine(after way: [Input], profile: Profile, quirks: Quirks) -> ChatStateMachine {
        var machine = ChatStateMachine(Self.connection, profile: profile, quirks: quirks)
        for input in way { _ = machine.handle(input) }
        return machine
    }

    private static func machine(in state: State, quirks: Quirks = .vendor) throws -> ChatStateMachine {
        var machine = ChatStateMachine(Self.connection, profile: .ios, quirks: quirks)
        for input in try #require(Self.ways[state]) { _ = machine.handle(input) }
        return machine
    }

    @Test(
        "Every state goes where the vendor's table says, on every input",
        arguments: ways.keys.sorted { "\($0)" < "\($1)" })
    func table(state: ChatStateMachine.State) throws {
        for input in Self.inputs {
            var machine = try Self.machine(in: state)
            #expect(machine.state == state)
            _ = machine.handle(input)
            #expect(machine.state == Self.next(state, input) ?? state, "\(state) on \(input)")
        }
    }

    @Test("What is said before there is a link is kept, what is said after the end is an error")
    func saying() throws {
        var early = try Self.machine(in: .chatStarted)
        #expect(early.handle(.say(Self.message)).isEmpty)
        #expect(early.handle(.typing(true)).isEmpty)
        _ = early.handle(.started)
        let actions = early.handle(.linkConnected)
        #expect(actions.suffix(2) == [.type(true), .say(Self.message)])
        for state in [State.finishing, .finishingUpdateArrived, .gettingUnavailableForm, .finished, .error] {
            var late = try Self.machine(in: state)
            #expect(Self.codes(late.handle(.say(Self.message))) == [-203])
            // While the end is under way, something still answers.
            let isOver = state == .finished || state == .error
            #expect(Self.codes(late.handle(.typing(true))) == (isOver ? [-203] : []))
            #expect(Self.codes(late.handle(.cancelRequested)) == (isOver ? [-203] : []))
            #expect(late.handle(.answerTimerFired).isEmpty)
            #expect(Self.codes(late.handle(.finishRequested)) == (state == .finished ? [-203] : []))
        }
        var suspended = try Self.machine(in: .ossStarted)
        _ = suspended.handle(.suspended)
        for (input, call) in [(Input.say(Self.message), "say"), (.typing(true), "typing")] {
            let actions = suspended.handle(input)
            #expect(actions.count == 1)
            guard case .emit(let event)? = actions.first else { continue }
            #expect(event.kind == .callIgnored && event.fields["call"] == .string(call))
        }
    }

    /// The codes of the errors that are reported.
    private static func codes(_ actions: [ChatStateMachine.Action]) -> [JSONValue] {
        actions.compactMap { action in
            if case .emit(let event) = action { event.fields["code"] } else { nil }
        }
    }

    @Test("What there is no room for is an error, and holds up no end")
    func refusing() throws {
        var early = try Self.machine(in: .chatStarted)
        for _ in 0..<ChatStateMachine.keptLimit { #expect(early.handle(.say(Self.message)).isEmpty) }
        #expect(Self.codes(early.handle(.say(Self.message))) == [-100])
        var machine = try Self.machine(in: .sendingVisitorMessagesBeforeFinishing)
        let actions = machine.handle(.callRefused(.message(Self.message)))
        #expect(Self.codes(actions) == [-100])
        #expect(actions.suffix(2) == [.cancelAnswerTimer, .call(.finishChat)])
        #expect(Self.codes(machine.handle(.callRefused(.typing(true)))) == [-100])
    }

    @Test("What was not answered before a reset is said again after it")
    func resaying() throws {
        var machine = try Self.machine(in: .ossStarted)
        _ = machine.handle(.say(Self.message))
        #expect(machine.handle(.linkReset) == [.call(.startChat)])
        _ = machine.handle(.startAnswered(Self.connection))
        #expect(machine.handle(.linkConnected).contains(.say(Self.message)))
    }

    @Test("An operator's end while the last messages are sent hangs, unless that quirk is off")
    func hanging() throws {
        var hanging = try Self.machine(in: .sendingVisitorMessagesBeforeFinishing)
        #expect(hanging.handle(.linkEnded(Self.operatorEnd)).isEmpty)
        var mended = try Self.machine(
            in: .sendingVisitorMessagesBeforeFinishing, quirks: Quirks([.endWhileSendingHangs: false]))
        #expect(mended.handle(.linkEnded(Self.operatorEnd)).contains(.call(.finishChat)))
    }

    @Test("An end by the same visitor elsewhere is ignored, unless that quirk is off")
    func visitorElsewhere() throws {
        var ignoring = try Self.machine(in: .ossStarted)
        #expect(ignoring.handle(.linkEnded(Self.visitorEnd)).isEmpty)
        var mended = try Self.machine(in: .ossStarted, quirks: Quirks([.foreignVisitorEndIgnored: false]))
        #expect(mended.handle(.linkEnded(Self.visitorEnd)).contains(.call(.finishChat)))
    }

    @Test("Over long polling the chat is never accepted, unless that quirk is off")
    func longPoll() throws {
        let event = OSSCall(method: "updateChat", params: ["Values": ["Answered": "2024-01-01T00:00:00Z"]])
        var polling = try Self.machine(in: .ossStarted)
        #expect(polling.handle(.eventReceived(event), isLongPoll: true).isEmpty)
        var mended = try Self.machine(in: .ossStarted, quirks: Quirks([.longPollNeverAccepts: false]))
        #expect(mended.handle(.eventReceived(event), isLongPoll: true) == [.emit(ChatEvent(.accepted))])
        #expect(mended.handle(.eventReceived(event), isLongPoll: false).isEmpty)
    }

    @Test("Random inputs never trap and never leave the end")
    func random() throws {
        var random = RandomSource(seed: 3)
        for _ in 0..<500 {
            var machine = ChatStateMachine(Self.connection, profile: .ios, quirks: .vendor)
            for _ in 0..<40 {
                let wasFinished = machine.state == .finished
                let input = try #require(Self.inputs.randomElement(using: &random))
                let actions = machine.handle(input)
                if wasFinished {
                    #expect(machine.state == .finished)
                    #expect(!actions.contains { if case .call = $0 { true } else { false } })
                }
            }
        }
    }
}
