import JSON
import Machines

/// An actor as whoever judges a fault knows it.
protocol TracedActor {
    /// Whether it is a client of its system, be it one of the project itself.
    var isClient: Bool { get }

    /// The events, besides those of every system, by which it tells that not all is well.
    var troubles: [EventPattern] { get }

    /// Whether what it observes now answers the end of a connection, or that none came about.
    var answersAnEnd: Bool { get }

    /// Returns the text that a command of it sends, as its system declares it; nil where nothing is declared.
    func text(sentBy command: Command) -> String?

    /// Returns the text of the conversation that an event shows; nil if it shows none.
    func text(shownBy event: ChatEvent) -> String?
}

extension Actor: TracedActor {
    /// The handlers of clients in Lua that hear of an end.
    private static let handlersOfEnds: Set<String> = ["closed", "failed"]

    var troubles: [EventPattern] { self.vocabulary.troubles }

    /// What a system calls the event does not matter, only in which handler it is emitted.
    var answersAnEnd: Bool {
        self.execution.threads.current?.handler.map(Self.handlersOfEnds.contains) ?? false
    }

    func text(sentBy command: Command) -> String? {
        let method = self.backend?.declaration(of: command.name).map { CommandMethod($0) }
        return self.text(sentBy: command, method)?.text(in: command)
    }

    func text(shownBy event: ChatEvent) -> String? {
        if let text = self.ledger?.text(of: event) { return text }
        switch event.kind {
        case .message, .frame: return event.fields["text"]?.string
        // It is a text that went out.
        case .messageSent: return nil
        default: return self.vocabulary.namesTexts ? event.fields["text"]?.string : nil
        }
    }
}
