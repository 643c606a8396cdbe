public import Metrics

/// What every load run measures without being asked.
public enum BuiltInMetric: String, CaseIterable, Sendable {
    /// From the instant at which an iteration was due to the end of its script, hooks after it included; of those that
    /// were not skipped.
    case iteration
    /// From that instant to its actual start.
    case startDelay = "start_delay"
    /// From the beginning of a client to its connection.
    case connect
    /// Looking up the addresses of a host by its name.
    case lookup
    /// From the addresses of a host to a connection over TCP.
    case tcpConnect = "tcp_connect"
    /// The handshake of TLS.
    case tlsHandshake = "tls_handshake"
    /// From an open connection to an open WebSocket.
    case upgrade
    /// From the beginning of a client to the first form.
    case preChat = "pre_chat"
    /// From the first place in the queue to being accepted.
    case queue
    /// From being accepted, or else from the start of the chat or the first text to a bot, to the first text of the
    /// other side.
    case firstResponse = "first_response"
    /// From sending a text to its acknowledgement by the server.
    case acknowledgement
    /// Texts whose acknowledgement is declared (`acknowledged_by`, `ledger.acknowledged`) and never came.
    case unacknowledged
    /// From sending a text to its arrival at each other party.
    case delivery
    /// From a lost connection to the next.
    case reconnect
    /// From the end of a storm to the first text, acknowledgement or answer that a user hears whom it hit.
    case recovery
    /// Users that a storm hit and that ended without hearing such a thing again: recovery says nothing of them.
    case unrecovered
    /// From an HTTP request of any client to its whole answer, by the name of the request.
    case request
    /// From the beginning of a part of a scenario that `step` names to its end, by the name; of those that ended.
    case step
    /// From a plain HTTP request to its whole answer: `time` of the event `response`.
    case response
    /// From a plain HTTP request to the first text of its streamed answer.
    case firstToken = "first_token"
    /// From one piece with text of a streamed answer to the next.
    case tokenGap = "token_gap"
    /// From a plain HTTP request to the last text of its streamed answer.
    case lastToken = "last_token"
    /// Tokens that a language model read: `prompt_tokens` of the event `usage`.
    case modelInputTokens = "llm_tokens_input"
    /// Tokens that a language model wrote: `completion_tokens` of the event `usage`.
    case modelOutputTokens = "llm_tokens_output"
    /// What answers cost: `cost` of the event `usage`, or else its tokens by the `prices` of the target.
    case modelCost = "llm_cost"
    /// From a question to the first piece of its answer: `time_to_first_token` of `usage`.
    case timeToFirstToken = "llm_time_to_first_token"
    /// How late timers of the generator fire.
    case timerLateness = "timer_lateness"
    /// Iterations that have ended.
    case iterations
    /// Iterations that were skipped.
    case skipped
    /// Iterations that were broken off, because their time to finish was over or the run was ended at once.
    case brokenOff = "broken_off"
    /// Arrivals that were not started, because `max_users` were there already.
    case droppedArrivals = "dropped_arrivals"
    /// Iterations that began without a row of data, because all rows were used up.
    case iterationsWithoutRow = "iterations_without_row"
    /// The share of iterations that did not pass, of those that were not skipped.
    case failures
    /// Connections that were opened.
    case connections
    /// Requests on a connection that had carried another one, or that carries several at once.
    case reused
    /// Handshakes of TLS that resumed an earlier session of the user.
    case resumed
    /// Bytes on the wire of WebSocket messages that permessage-deflate compressed.
    case compressedWire = "compressed_wire"
    /// Bytes of the same messages before they were compressed.
    case compressedText = "compressed_text"
    /// Bytes that connections sent which the run opened, over TLS as they were encrypted.
    case dataSent = "data_sent"
    /// Bytes that connections received which the run opened, over TLS as they were encrypted.
    case dataReceived = "data_received"
    /// Texts that users sent.
    case sent
    /// Texts that users received.
    case received
    /// Errors that actors observed.
    case errors
    /// The share of answers by which a server refused for now (429, or 503 with Retry-After).
    case rateLimited = "rate_limited"
    /// Whole answers to HTTP requests of any client, by their status.
    case httpAnswers = "http_answers"
    /// The share of HTTP requests of any client that came to no whole answer, or to one with a status from 400 on.
    case httpFailed = "http_failed"
    /// HTTP requests that were sent again on another connection, since the server had ended theirs without an answer.
    case httpRepeated = "http_repeated"
    /// Users that play at the moment; in the last part of a second of a run, the most that did at once.
    case users

    /// The metric.
    public var metric: Metric {
        switch self {
        case .iteration, .startDelay, .connect, .lookup, .tcpConnect, .tlsHandshake, .upgrade, .preChat, .queue,
            .firstResponse, .acknowledgement, .delivery, .reconnect, .recovery, .request, .step, .response,
            .firstToken, .tokenGap, .lastToken, .timeToFirstToken, .timerLateness:
            Metric(self.rawValue, .trend, unit: .microseconds)
        case .iterations, .skipped, .brokenOff, .droppedArrivals, .iterationsWithoutRow, .unrecovered,
            .unacknowledged, .connections, .reused, .resumed, .compressedWire, .compressedText, .sent, .received,
            .errors, .modelInputTokens, .modelOutputTokens, .httpAnswers, .httpRepeated:
            Metric(self.rawValue, .counter)
        case .modelCost: Metric(self.rawValue, .counter, unit: .number)
        case .dataSent, .dataReceived: Metric(self.rawValue, .counter, unit: .bytes)
        case .failures, .rateLimited, .httpFailed: Metric(self.rawValue, .rate)
        case .users: Metric(self.rawValue, .gauge)
        }
    }

    /// Returns why a script cannot measure something of its own under a name; nil if it can.
    public static func refusal(of name: String) -> String? {
        guard BuiltInMetric(rawValue: name) != nil || DeliveryAccount.names.contains(name) else { return nil }
        return "\(name) is a metric of the tool itself; take another name"
    }

    /// What it measures, in one sentence.
    var summary: String {
        switch self {
        case .iteration:
            "From the instant at which an iteration was due to the end of its script, hooks after it included; of those "
                + "that were not skipped."
        case .startDelay: "From that instant to its actual start."
        case .connect: "From the beginning of a client to its connection."
        case .lookup: "Looking up the addresses of a host by its name."
        case .tcpConnect: "From the addresses of a host to a connection over TCP."
        case .tlsHandshake: "The handshake of TLS."
        case .upgrade: "From an open connection to an open WebSocket."
        case .preChat: "From the beginning of a client to the first form."
        case .queue: "From the first place in the queue to being accepted."
        case .firstResponse:
            "From being accepted, or else from the start of the chat or the first text to a bot, to the first text of "
                + "the other side."
        case .acknowledgement: "From sending a text to its acknowledgement by the server."
        case .unacknowledged:
            "Texts whose acknowledgement is declared (`acknowledged_by`, `ledger.acknowledged`) and never came."
        case .delivery: "From sending a text to its arrival at each other party."
        case .reconnect: "From a lost connection to the next."
        case .recovery:
            "From the end of a storm to the first text, acknowledgement or answer that a user hears whom it hit."
        case .unrecovered:
            "Users that a storm hit and that ended without hearing such a thing again: recovery says nothing of them."
        case .request: "From an HTTP request of any client to its whole answer, by the name of the request."
        case .step:
            "From the beginning of a part of a scenario that `step` names to its end, by the name; of those that ended."
        case .response: "From a plain HTTP request to its whole answer: `time` of the event `response`."
        case .firstToken: "From a plain HTTP request to the first text of its streamed answer."
        case .tokenGap: "From one piece with text of a streamed answer to the next."
        case .lastToken: "From a plain HTTP request to the last text of its streamed answer."
        case .modelInputTokens: "Tokens that a language model read: `prompt_tokens` of the event `usage`."
        case .modelOutputTokens: "Tokens that a language model wrote: `completion_tokens` of the event `usage`."
        case .modelCost:
            "What answers cost: `cost` of the event `usage`, or else its tokens by the `prices` of the target."
        case .timeToFirstToken: "From a question to the first piece of its answer: `time_to_first_token` of `usage`."
        case .timerLateness: "How late timers of the generator fire."
        case .iterations: "Iterations that have ended."
        case .skipped: "Iterations that were skipped."
        case .brokenOff:
            "Iterations that were broken off, because their time to finish was over or the run was ended at once."
        case .droppedArrivals: "Arrivals that were not started, because `max_users` were there already."
        case .iterationsWithoutRow: "Iterations that began without a row of data, because all rows were used up."
        case .failures: "The share of iterations that did not pass, of those that were not skipped."
        case .connections: "Connections that were opened."
        case .reused: "Requests on a connection that had carried another one, or that carries several at once."
        case .resumed: "Handshakes of TLS that resumed an earlier session of the user."
        case .compressedWire: "Bytes on the wire of WebSocket messages that permessage-deflate compressed."
        case .compressedText: "Bytes of the same messages before they were compressed."
        case .dataSent: "Bytes that connections sent which the run opened, over TLS as they were encrypted."
        case .dataReceived: "Bytes that connections received which the run opened, over TLS as they were encrypted."
        case .sent: "Texts that users sent."
        case .received: "Texts that users received."
        case .errors: "Errors that actors observed."
        case .rateLimited: "The share of answers by which a server refused for now (429, or 503 with Retry-After)."
        case .httpAnswers: "Whole answers to HTTP requests of any client, by their status."
        case .httpFailed:
            "The share of HTTP requests of any client that came to no whole answer, or to one with a status from 400 on."
        case .httpRepeated:
            "HTTP requests that were sent again on another connection, since the server had ended theirs without an answer."
        case .users: "Users that play at the moment."
        }
    }
}
