import Machines
import Metrics
public import Scenario

/// What in a run can produce a figure, as far as it is known before the run.
///
/// A threshold on a figure that nothing produces would only be found broken at the end, after an hour perhaps.
public struct MetricSources {
    private let systems: [UsedSystem]
    private let usesLedger: Bool
    private let usesSockets: Bool
    private let hasStorms: Bool
    private let hasArrivals: Bool
    private let hasRows: Bool

    private let mentions: ScriptMentions

    /// Creates the sources of a run.
    ///
    /// - Parameters:
    ///   - systems: The systems that the scripts use.
    ///   - mentions: What the texts of the scripts mention.
    ///   - usesLedger: Whether texts carry envelopes.
    ///   - usesSockets: Whether users connect to a server outside of this process.
    ///   - hasStorms: Whether storms strike during the run.
    ///   - hasArrivals: Whether users arrive at a rate or at recorded instants.
    ///   - hasRows: Whether users get rows of data.
    public init(
        systems: [UsedSystem], mentions: ScriptMentions, usesLedger: Bool, usesSockets: Bool, hasStorms: Bool,
        hasArrivals: Bool, hasRows: Bool
    ) {
        self.systems = systems
        self.mentions = mentions
        self.usesLedger = usesLedger
        self.usesSockets = usesSockets
        self.hasStorms = hasStorms
        self.hasArrivals = hasArrivals
        self.hasRows = hasRows
    }

    /// Returns what would produce a metric, in words, if nothing in the run can; nil otherwise, and for metrics that
    /// are no times of conversations.
    public func missingSource(of metric: String) -> String? {
        // These come from the workload, whatever it plays.
        if let metric = BuiltInMetric(rawValue: metric), [.droppedArrivals, .iterationsWithoutRow].contains(metric) {
            return self.missingSource(of: metric)
        }
        // Which systems are played is not known where none is named, or one only while a scenario plays.
        guard !self.systems.isEmpty, self.mentions.isComplete else { return nil }
        if let metric = BuiltInMetric(rawValue: metric), metric != .sent { return self.missingSource(of: metric) }
        guard DeliveryAccount.names.contains(metric) else { return nil }
        if !self.usesLedger, metric != BuiltInMetric.sent.rawValue {
            return "texts that carry envelopes: --ledger, or ledger = true in the workload"
        }
        return self.sendsTexts ? nil : Self.sending
    }

    private func missingSource(of metric: BuiltInMetric) -> String? {
        switch metric {
        case .connect:
            self.observes(.connected, .initialized, .sessionCreated)
                ? nil : "a system with the event connected, initialized or session_created"
        case .lookup, .tcpConnect, .tlsHandshake:
            self.usesSockets ? nil : "connections over sockets: --target; users reach simulated servers in memory"
        case .preChat: self.observes(.preChat) ? nil : "a system with the event pre_chat"
        case .queue:
            self.observes(.queue) && self.observes(.accepted, .agentJoined)
                ? nil : "a system with the events queue, and accepted or agent_joined"
        case .firstResponse: self.canRespond ? nil : Self.responding
        case .acknowledgement:
            self.sendsTexts && (self.mentions.hasLedgerOption || self.systems.contains(where: \.acknowledgesTexts))
                ? nil
                : "a command that sends a text in a system with the event message_sent, or that is acknowledged_by another "
                    + "in a system of your own; or the option ledger of a websocket or http actor"
        case .unacknowledged:
            self.mentions.hasLedgerOption || self.systems.contains(where: \.declaresAcknowledgements)
                ? nil
                : "a command that is acknowledged_by an event in a system of your own; or acknowledged in the option "
                    + "ledger of a websocket actor"
        case .delivery:
            if !self.usesLedger {
                "texts that carry envelopes: --ledger, or ledger = true in the workload"
            } else {
                self.sendsTexts ? nil : Self.sending
            }
        case .reconnect:
            self.observes(.disconnected, .reconnecting) && self.observes(.connected, .reconnected)
                ? nil : "a system with the events disconnected or reconnecting, and connected or reconnected"
        case .recovery, .unrecovered:
            self.hasStorms
                ? nil : "storms in the workload, such as storms = { { at = \"30s\", network = { cut = true } } }"
        case .droppedArrivals:
            self.hasArrivals
                ? nil : "an executor of arrivals in the workload, such as executor = \"constant_arrival_rate\""
        case .iterationsWithoutRow: self.hasRows ? nil : "rows of data in the workload, such as rows = \"users.csv\""
        case .step:
            self.mentions.hasSteps ? nil : "a step of a scenario, such as step(\"log in\", function() … end)"
        case .response:
            self.observes(.response, with: "time")
                ? nil : "a system with the event response that has the field time, in seconds, such as http"
        case .rateLimited: self.observes(.response) ? nil : "a system with the event response, such as http"
        case .firstToken:
            self.observes(.token, with: "time")
                ? nil : "a system with the event token that has the field time, in seconds, such as http"
        case .tokenGap:
            self.observes(.token, with: "gap")
                ? nil : "a system with the event token that has the field gap, in seconds, such as http"
        case .lastToken:
            self.observes(.streamEnded, with: "time_to_last")
                ? nil
                : "a system with the event stream_ended that has the field time_to_last, in seconds, such as http"
        case .modelInputTokens, .modelOutputTokens, .modelCost, .timeToFirstToken:
            self.observes(.usage) ? nil : "a system with the event usage, such as openai"
        case .received:
            self.observes(.message) || self.mentions.hasLedgerOption
                ? nil : "a system with the event message, or the option ledger of a websocket actor"
        // Whether a system makes HTTP requests or opens WebSockets is nothing that it declares.
        case .request, .httpAnswers, .httpFailed, .httpRepeated, .upgrade, .connections, .reused, .resumed,
            .compressedWire, .compressedText, .dataSent, .dataReceived, .iteration, .startDelay, .timerLateness,
            .iterations, .skipped, .brokenOff, .failures, .sent,
            .errors, .users:
            nil
        }
    }

    private static let sending =
        "a command that sends a text: sends = \"text\" in a system of your own, or the option ledger of a websocket or "
        + "http actor"

    private static let responding =
        "a system with the event message, and accepted, agent_joined or chat_started; a system of your own that sends "
        + "texts; or the option ledger of a websocket or http actor"

    /// Whether a client or a party observes one of some events.
    private func observes(_ kinds: EventKind...) -> Bool { self.events.contains { kinds.contains($0.kind) } }

    /// Whether a client or a party observes an event that has a field.
    private func observes(_ kind: EventKind, with field: String) -> Bool {
        self.events.contains { event in event.kind == kind && event.fields.contains { $0.name == field } }
    }

    /// The events of clients and parties of all systems.
    private var events: [EventDeclaration] {
        self.systems.flatMap { $0.system.events + $0.system.parties.flatMap(\.events) }
    }

    /// Whether a system of the run declares that it sends texts, each of which can carry an envelope.
    public var sendsTexts: Bool {
        self.mentions.hasLedgerOption
            || self.systems.contains { used in
                let methods = used.system.client.methods + used.system.parties.flatMap(\.methods)
                return methods.contains { $0.sends != nil }
            }
    }

    private var canRespond: Bool {
        self.mentions.hasLedgerOption
            || self.observes(.message, .autoMessage)
                && (self.observes(.accepted, .agentJoined, .chatStarted)
                    || self.sendsTexts && self.systems.contains(where: \.isOwn))
    }
}
