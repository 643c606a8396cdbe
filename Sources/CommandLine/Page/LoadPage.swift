import JSON
import Machines
import NIOCore
import Reports
import Scenario
import Secrets
import Transport

/// Serves the page of `repartee load --ui` while users play, and after.
///
/// It has a thread of its own, on whose event loop all it knows lives; what the page shows is rendered on the thread
/// that writes the reports.
final class LoadPage: Sendable {
    private struct State {
        var version = 0
        var isPlaying = true
        /// What the page shows, as JSON; nil before the first user begins.
        var shown: [UInt8]?
    }

    private let thread = PageThread()
    private let state: NIOLoopBoundBox<State>
    private let interruption: Interruption
    private let vault: SecretVault

    /// - Parameters:
    ///   - interruption: What ends the run if somebody asks for that.
    ///   - vault: What the page must not show.
    init(_ interruption: Interruption, vault: SecretVault) {
        self.interruption = interruption
        self.vault = vault
        self.state = .makeBoxSendingValue(State(), eventLoop: self.thread.eventLoop)
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

    /// Shows how the run stands; from any thread.
    func show(_ content: LoadReport.Content) { self.replace(content, isPlaying: true) }

    /// Shows what the run came to.
    func end(_ content: LoadReport.Content) { self.replace(content, isPlaying: false) }

    private func replace(_ content: LoadReport.Content, isPlaying: Bool) {
        let shown = JSONWriter.write(
            .object([
                "title": .string(self.vault.masked(content.title)), "facts": .string(self.vault.masked(content.facts)),
                "body": .string(self.vault.masked(content.markup)),
            ]))
        self.thread.eventLoop.execute { [self] in
            self.state.value.shown = shown
            self.state.value.isPlaying = isPlaying
            self.state.value.version += 1
            self.tell()
        }
    }

    private func tell() {
        let state = self.state.value
        let head = "{\"version\":\(state.version),\"playing\":\(state.isPlaying),\"page\":"
        self.thread.port?.tell(version: state.version) { _ in
            Array(head.utf8) + (state.shown ?? Array("null".utf8)) + Array("}".utf8)
        }
    }

    private func asked(_ question: PageQuestion) {
        guard let port = self.thread.port else { return }
        switch (question.path, question.body) {
        case ("", nil): port.answer(question, LoadReport.liveDocument, type: "text/html; charset=utf-8")
        case ("changes", nil):
            port.wait(question)
            self.tell()
        case ("stop", .some):
            let isPlaying = self.state.value.isPlaying
            if isPlaying { self.interruption.request() }
            port.answer(
                question, doneUnless: isPlaying ? nil : PagePort.Refusal(.untimely, "The run has ended."))
        default: port.answer(question, nil)
        }
    }
}
