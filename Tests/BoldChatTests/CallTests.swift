import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

@Suite("Calls: retries, time limits, cancelation, suspension")
struct CallTests {
    private static let unreachable = TransportFailure(.cannotConnect, "nobody there")

    @Test("After a network error a call is tried 15 more times at once, then −101")
    func networkErrors() throws {
        var play = try Rehearsal()
        play.visitor("create_chat")
        for number in 1...15 {
            play.feed(.exchangeFailed(ExchangeID(UInt64(number)), Self.unreachable))
            #expect(play.count("createChat") == number + 1)
        }
        #expect(play.story.isEmpty)
        #expect(play.events(.callRepeated).count == 1)
        play.feed(.exchangeFailed(ExchangeID(16), Self.unreachable))
        #expect(play.events(.error).map { $0.fields["code"] } == [-101])
        #expect(play.events(.error).first?.fields["message"] == "the server could not be reached: nobody there")
        #expect(play.client.view.state == .idle)
        #expect(play.clientTimers.isEmpty)
    }

    @Test("A call that is given up because no answer came is no call whose answer is not wanted")
    func unanswered() {
        let request = Request(HTTPRequest(method: .post, scheme: "http", authority: "desk.test", path: "/a"))
        func outcomes(_ policy: RetryPolicy, _ input: PendingCalls.Input) -> [ExchangeOutcome] {
            var calls = PendingCalls(policy: policy, bodyResetsRetries: false)
            _ = calls.handle(.started(.emailHistory, request, limit: .seconds(30)))
            return calls.handle(input).compactMap {
                if case .perform(.cancel(_, let outcome)) = $0 { outcome } else { nil }
            }
        }
        #expect(outcomes(.immediate, .limitPassed(1)) == [.unanswered])
        #expect(outcomes(.scanned, .retryDue(1)) == [.unanswered], "the first try, before the second")
        #expect(outcomes(.immediate, .canceled(1)) == [.unwanted])
    }

    @Test("Bodies that are not JSON end by the time limit; with that quirk off by −102")
    func malformed() throws {
        var play = try Rehearsal()
        play.desk("break_next", ["method": "createChat", "how": "malformed", "times": 1000])
        play.visitor("create_chat")
        play.wait(.seconds(29))
        #expect(play.events.map(\.kind) == [.callRepeated])
        #expect(play.events.first?.fields["call"] == "createChat")
        play.wait(.seconds(1))
        #expect(play.events(.error).map { $0.fields["code"] } == [-104])
        let message = play.events(.error).first?.fields["message"]?.string ?? ""
        #expect(message.hasPrefix("the server did not answer within 30 seconds; of the last try: "))
        #expect(message.contains("the server's answer could not be read: HTTP 200 with \"{\"Status\": \"succ\""))
        var mended = try Rehearsal(client: ["quirks": ["body_resets_retries": false]])
        mended.desk("break_next", ["method": "createChat", "how": "malformed", "times": 1000])
        mended.visitor("create_chat")
        mended.wait(.seconds(5))
        #expect(mended.events(.error).map { $0.fields["code"] } == [-102])
        #expect(mended.count("createChat") == 16)
    }

    @Test("One broken answer is got over without a word")
    func oneBrokenAnswer() throws {
        for how in ["malformed", "drop", "status"] {
            var play = try Rehearsal()
            play.desk("break_next", ["method": "createChat", "how": .string(how)])
            play.visitor("create_chat")
            play.wait(.seconds(1))
            #expect(play.story == [.preChat], "\(how)")
            #expect(play.count("createChat") == 2)
        }
    }

    @Test("An answer that takes 30 seconds is too late")
    func late() throws {
        var play = try Rehearsal()
        play.desk("delay_next", ["method": "createChat", "delay": 31])
        play.visitor("create_chat")
        play.wait(.seconds(40))
        #expect(play.events(.error).map { $0.fields["code"] } == [-104])
        #expect(play.story == [.error])
        var patient = try Rehearsal()
        patient.desk("delay_next", ["method": "createChat", "delay": 29])
        patient.visitor("create_chat")
        patient.wait(.seconds(40))
        #expect(patient.story == [.preChat])
    }

    @Test("A canceled request is answered by nothing, and the session is where it was")
    func cancel() throws {
        var play = try Rehearsal()
        let request = try play.visitor("create_chat").value
        #expect(play.visitor("cancel_request", ["request": request]) == .done(true))
        play.settle()
        #expect(play.events.isEmpty)
        #expect(play.client.view.state == .idle)
        #expect(play.visitor("cancel_request", ["request": request]) == .done(false))
        play.visitor("create_chat")
        play.settle()
        let submit = try play.visitor("submit_pre_chat", Play.ada).value
        #expect(play.visitor("submit_pre_chat", Play.ada) == .done(.null))
        #expect(play.visitor("cancel_request", ["request": submit]) == .done(true))
        #expect(play.client.view.state == .preChatForm)
    }

    @Test("In the background answers are held back, and delivered on return")
    func suspension() throws {
        var play = try Rehearsal()
        play.visitor("create_chat")
        play.visitor("suspend")
        play.wait(.seconds(60))
        #expect(play.events.isEmpty)
        #expect(play.visitor("create_chat") == .done(.null))
        play.visitor("resume")
        play.settle()
        #expect(play.story == [.preChat])
        #expect(play.count("createChat") == 1)
    }

    @Test("A chat in the background is answered late, or has timed out")
    func suspendedChat() throws {
        var play = try Play.answered(server: ["client_timeout": 60])
        play.visitor("suspend")
        play.agent("Sam", "say", ["text": "Hello?"])
        play.wait(.seconds(30))
        play.visitor("say", ["text": "dropped"])
        play.visitor("end_session")
        play.visitor("resume")
        play.settle()
        #expect(play.client.view.state == .chatting)
        #expect(play.server.chats.newest(1).first?.transcript.messages.map(\.posting.text).contains("dropped") == false)
        var late = try Play.answered(server: ["client_timeout": 60])
        late.visitor("suspend")
        late.dropSockets()
        late.wait(.seconds(70))
        late.visitor("resume")
        late.settle()
        #expect(late.events(.postChat).map { $0.fields["reason"] } == ["timeout"])
    }

    @Test("An availability answer is used again for 60 seconds per visitor; a network error is not")
    func availability() throws {
        var play = try Rehearsal()
        play.visitor("check_availability")
        play.visitor("check_availability")
        play.settle()
        #expect(play.events(.available).count == 2)
        #expect(play.count("getChatAvailability") == 1)
        play.desk("close")
        play.wait(.seconds(59))
        play.visitor("check_availability")
        play.visitor("check_availability", ["options": ["visitor_id": "7"]])
        play.settle()
        #expect(play.story == [.available, .available, .available, .unavailable])
        play.wait(.seconds(2))
        play.visitor("check_availability")
        play.settle()
        #expect(play.events(.unavailable).count == 2)
        var failing = try Rehearsal()
        failing.desk("fail_next", ["method": "getChatAvailability", "message": "Invalid WebsiteID"])
        failing.visitor("check_availability")
        failing.settle()
        failing.visitor("check_availability")
        failing.settle()
        #expect(failing.events(.error).map { $0.fields["code"] } == [-100, -100])
        #expect(failing.count("getChatAvailability") == 1)
        var lost = try Rehearsal()
        lost.desk("break_next", ["method": "getChatAvailability", "how": "drop", "times": 16])
        lost.visitor("check_availability")
        lost.settle()
        lost.visitor("check_availability")
        lost.settle()
        #expect(lost.story == [.error, .available])
    }

    @Test("Another department is another question; the browser window asks every time")
    func availabilityKeys() throws {
        let departments: JSONValue = [["id": "1", "name": "A"], ["id": "2", "name": "B", "online": false]]
        var play = try Rehearsal(server: ["departments": departments])
        for department in ["1", "2", "1", "2"] {
            play.visitor("check_availability", ["options": ["department_id": .string(department)]])
            play.settle()
        }
        #expect(play.story == [.available, .unavailable, .available, .unavailable])
        #expect(play.count("getChatAvailability") == 2)
        var window = try Rehearsal(client: ["profile": "html"])
        window.visitor("check_availability")
        window.visitor("check_availability")
        window.settle()
        window.desk("close")
        window.visitor("check_availability")
        window.settle()
        #expect(window.story == [.available, .available, .unavailable])
        #expect(window.count("getChatAvailability") == 3)
    }

    @Test("One of two availability requests can be dropped; the other is answered")
    func canceledAvailability() throws {
        var play = try Rehearsal()
        let first = try play.visitor("check_availability").value
        play.visitor("check_availability")
        #expect(play.visitor("cancel_request", ["request": first]) == .done(true))
        play.settle()
        #expect(play.events(.available).count == 1)
    }

    @Test("The browser window scans every 15 seconds and gives up after two tries")
    func scanned() throws {
        var play = try Rehearsal(client: ["profile": "html"])
        play.visitor("create_chat")
        play.settle()
        play.desk("break_next", ["method": "submitPreChat", "how": "drop", "times": 5])
        play.visitor("submit_pre_chat", Play.ada)
        play.wait(.seconds(14))
        #expect(play.count("submitPreChat") == 1)
        play.wait(.seconds(1))
        #expect(play.count("submitPreChat") == 2)
        #expect(play.events(.error).map { $0.fields["code"] } == [-101])
        #expect(play.client.view.state == .preChatForm)
    }

    @Test("The browser window waits 15 seconds for a new chat, no longer")
    func watchdog() throws {
        var play = try Rehearsal(client: ["profile": "html"])
        play.desk("delay_next", ["method": "createChat", "delay": 20])
        play.visitor("create_chat")
        play.wait(.seconds(30))
        #expect(play.events(.error).map { $0.fields["code"] } == [-104])
    }

    /// Takes in what happens to calls, and returns the exchanges that are dropped without an answer.
    private static func canceled(_ inputs: [PendingCalls.Input], in calls: inout PendingCalls) -> [ExchangeID] {
        inputs.flatMap { calls.handle($0) }.compactMap { action in
            if case .perform(.cancel(let exchange, _)) = action { exchange } else { nil }
        }
    }

    @Test("A call that the browser window gives up is dropped, and a try that has failed is not dropped besides")
    func givenUp() {
        let request = Request(HTTPRequest(method: .post, scheme: "http", authority: "desk.test", path: "/a"))
        let limit = Duration.seconds(30)
        let window = PendingCalls(policy: .scanned, bodyResetsRetries: false)
        var once = window
        let ping: [PendingCalls.Input] = [.started(.ping, request, limit: limit), .retryDue(1)]
        #expect(Self.canceled(ping, in: &once) == [ExchangeID(1)])
        #expect(!once.contains { _ in true })
        var silent = window
        let mail = PendingCalls.Input.started(.emailHistory, request, limit: limit)
        #expect(Self.canceled([mail, .retryDue(1)], in: &silent) == [ExchangeID(1)])
        #expect(Self.canceled([.retryDue(1)], in: &silent) == [ExchangeID(2)])
        #expect(!silent.contains { _ in true })
        var failing = window
        let failed = PendingCalls.Input.exchangeFailed(ExchangeID(1), Self.unreachable)
        #expect(Self.canceled([mail, failed, .retryDue(1)], in: &failing) == [])
        #expect(Self.canceled([.retryDue(1)], in: &failing) == [ExchangeID(2)])
        #expect(!failing.contains { _ in true })
    }
}
