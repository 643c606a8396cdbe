import JSON
import Machines
import NIOCore
import Reports
import RunRecord
import Scenario
import Transport

/// Serves the page of `repartee test --ui` while scenarios are played, and after.
///
/// It has a thread of its own, on whose event loop all it knows lives: the writer of reports hands over the entries and
/// goes on, and what people ask for waits here until ``takeWish()`` is called.
final class TestPage: Sendable {
    /// What people ask for.
    struct Wish: Sendable {
        /// Whether something is to be played.
        var playsNow = false

        /// The ids of the scenarios to play; nil for all.
        var scenarios: Set<String>?

        /// Whether files are to be watched.
        var watches = false
    }

    private struct State {
        var recorder = LiveRecorder()
        var interruption: Interruption?
        var wish = Wish()
    }

    private let thread = PageThread()
    private let state: NIOLoopBoundBox<State>

    /// Holds what plays before whatever a script does next.
    let gate = PlayGate()

    /// - Parameters:
    ///   - watches: Whether files are watched from the start.
    ///   - isHeld: Whether scripts are held from the start.
    init(watches: Bool, isHeld: Bool) {
        var state = State()
        self.gate.hold(isHeld)
        state.recorder.state.isHeld = isHeld
        state.wish.watches = watches
        state.recorder.state.isWatching = watches
        self.state = .makeBoxSendingValue(state, eventLoop: self.thread.eventLoop)
    }

    /// Opens the port.
    ///
    /// - Returns: The URL of the page.
    /// - Throws: ``TransportFailure`` if no port can be had.
    func open() async throws(TransportFailure) -> String {
        try await self.thread.open { [weak self] in self?.asked($0) }
    }

    /// Closes the port.
    func close() async { await self.thread.close() }

    // MARK: The run

    /// Prepares for a run.
    ///
    /// - Parameters:
    ///   - options: Where scripts are read, and what hides secrets in them.
    ///   - isWhole: Whether it plays all there is.
    ///   - canStep: Whether the gate holds it.
    ///   - interruption: What ends the run if somebody asks for that.
    func begin(_ options: HTMLOptions, isWhole: Bool, canStep: Bool, interruption: Interruption) {
        self.change { state in
            state.interruption = interruption
            state.recorder.begin(options, isWhole: isWhole)
            state.recorder.state.isPlaying = true
            state.recorder.state.canStep = canStep
            state.recorder.state.problem = nil
        }
    }

    /// Takes the next entries; from any thread.
    func record(_ entries: [RunEntry]) {
        self.change { state in for entry in entries { state.recorder.record(entry) } }
    }

    /// Says that nothing is played any more.
    ///
    /// - Parameter problem: Why nothing could be played, if so.
    func rest(_ problem: String?) {
        self.change { state in
            state.interruption = nil
            state.recorder.state.isPlaying = false
            state.recorder.state.problem = problem
        }
    }

    /// Returns what people have asked for since the last call.
    func takeWish() async -> Wish {
        let wish = try? await self.thread.eventLoop.submit { [self] in
            let wish = self.state.value.wish
            self.state.value.wish = Wish(watches: wish.watches)
            return wish
        }.get()
        return wish ?? Wish()
    }

    private func change(_ body: @escaping @Sendable (inout State) -> Void) {
        self.thread.eventLoop.execute { [self] in
            body(&self.state.value)
            self.tell()
        }
    }

    private func tell() {
        let recorder = self.state.value.recorder
        self.thread.port?.tell(version: recorder.version) { recorder.changes(after: $0) }
    }

    // MARK: Requests

    private func asked(_ question: PageQuestion) {
        guard let port = self.thread.port else { return }
        if let body = question.body {
            let refusal = self.wished(question.path, body)
            self.tell()
            return port.answer(question, doneUnless: refusal)
        }
        let parts = question.path.split(separator: "/", omittingEmptySubsequences: false)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("", nil) where parts.count == 1:
            port.answer(question, LiveRecorder.document, type: "text/html; charset=utf-8")
        case ("changes", nil) where parts.count == 1:
            port.wait(question)
            self.tell()
        case ("conversations", let number?):
            port.answer(question, self.state.value.recorder.conversation(of: number))
        case ("sources", let number?): port.answer(question, self.state.value.recorder.source(ofFile: number))
        default: port.answer(question, nil)
        }
    }

    /// Notes what somebody asks for.
    ///
    /// - Returns: Why not, if it cannot be.
    private func wished(_ what: String, _ body: JSONObject) -> PagePort.Refusal? {
        switch what {
        case "play": return self.play(body)
        case "stop": return self.stop()
        case "hold":
            guard let isOn = body["on"]?.bool else { return Self.lacksSwitch(what) }
            self.hold(isOn)
            return nil
        case "step": return self.step()
        case "watch":
            guard let isOn = body["on"]?.bool else { return Self.lacksSwitch(what) }
            self.state.value.wish.watches = isOn
            self.state.value.recorder.state.isWatching = isOn
            return nil
        default:
            return PagePort.Refusal(.absent, "There is nothing to ask for but play, stop, hold, step and watch.")
        }
    }

    private static func lacksSwitch(_ what: String) -> PagePort.Refusal {
        PagePort.Refusal(.malformed, "\(what) needs \"on\": true or false.")
    }

    private func play(_ body: JSONObject) -> PagePort.Refusal? {
        guard !self.state.value.recorder.state.isPlaying, !self.state.value.wish.playsNow else {
            return PagePort.Refusal(.untimely, "Scenarios are being played; stop them first, or wait.")
        }
        if let numbers = body["attempts"]?.array {
            let scenarios = self.state.value.recorder.scenarios(
                of: numbers.compactMap { $0.integer.map { Int(clamping: $0) } })
            guard !scenarios.isEmpty else {
                return PagePort.Refusal(.absent, "None of these scenarios is there any more.")
            }
            self.state.value.wish.scenarios = scenarios
        }
        self.state.value.wish.playsNow = true
        return nil
    }

    private func stop() -> PagePort.Refusal? {
        guard let interruption = self.state.value.interruption else {
            return PagePort.Refusal(.untimely, "Nothing is being played.")
        }
        interruption.request()
        // What is held would never see that the run is to end.
        self.hold(false)
        return nil
    }

    private func step() -> PagePort.Refusal? {
        let state = self.state.value.recorder.state
        guard state.isPlaying, state.isHeld, state.canStep else {
            return PagePort.Refusal(.untimely, "Nothing is held that could go on by a step.")
        }
        self.gate.step()
        return nil
    }

    /// Lets scripts be held before whatever they do next, or go on; to be called on the loop.
    private func hold(_ isOn: Bool) {
        self.gate.hold(isOn)
        self.state.value.recorder.state.isHeld = isOn
    }
}
