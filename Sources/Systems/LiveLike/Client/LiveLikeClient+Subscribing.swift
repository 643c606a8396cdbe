import HTTPTypes
import JSON
import Machines

/// The subscribe loop over all channels of all rooms, and what interrupts it.
extension LiveLikeClient {
    /// After this long without an answer a request of the loop counts as lost (PubNub's SDKs allow 310 s).
    static let subscribeLimit = Duration.seconds(310)

    /// Starts the loop again with the channels of the rooms as they are now, from the last token on.
    mutating func resubscribe(in step: inout ClientStep) {
        guard let application, let profile else { return }
        var channels: [String] = []
        for room in self.rooms where room.state != .asking {
            if let control = room.resource.controlChannel { channels.append(control) }
            channels.append(room.resource.chatChannel)
        }
        if let own = profile.channel { channels.append(own) }
        var parameters = self.carrierParameters.compactMap { pair in pair.1.map { (pair.0, $0) } }
        parameters.append(("pnsdk", "repartee"))
        if let timeout = application.presenceTimeout { parameters.append(("heartbeat", String(timeout))) }
        if !self.options.includesFiltered {
            parameters.append(("filter-expr", self.filterExpression(profile.id)))
        }
        self.loop.change(channels: channels, subscribeKey: application.subscribeKey, parameters: parameters)
        self.cancelSubscribe(in: &step)
        self.ask(in: &step)
    }

    /// The filter on the meta of a published message: the two platforms write it in two ways.
    private func filterExpression(_ id: String) -> String {
        switch self.options.platform {
        case .iOS: "!(content_filter LIKE '*filtered*') || sender_id == '\(id)'"
        case .android: "sender_id == '\(id)' || !(content_filter contains 'filtered')"
        }
    }

    /// Starts the next request of the loop.
    mutating func ask(in step: inout ClientStep) {
        guard let url = self.carrierURL(self.loop.path), !self.loop.channels.isEmpty else { return }
        if case .stopped = self.loop.state { step.ask(.setTimer("subscribe-limit", Self.subscribeLimit)) }
        self.loopAskedAt = step.now
        // The machine has a limit of its own, which the port's must not cut short.
        self.send(.subscribe, Request(url.request(.get, token: nil), timeLimit: Self.subscribeLimit * 2), in: &step)
    }

    private mutating func cancelSubscribe(in step: inout ClientStep) {
        switch self.loop.state {
        case .asking(let exchange):
            self.errands.cancel(exchange, in: &step)
        case .waiting: step.ask(.cancelTimer("subscribe-retry"))
        case .stopped, .denied: break
        }
    }

    /// Stops the loop and says goodbye to the carrier's presence.
    mutating func endLoop(in step: inout ClientStep) {
        guard self.loop.state != .stopped else { return }
        self.cancelSubscribe(in: &step)
        step.ask(.cancelTimer("subscribe-limit"))
        let channels = self.loop.channels
        self.loop.stopped()
        self.sendPresence("leave", channels: channels, in: &step)
    }

    /// Tells the carrier's presence that this member is there or leaves.
    mutating func sendPresence(_ verb: String, channels: [String], in step: inout ClientStep) {
        guard let key = self.application?.subscribeKey, !channels.isEmpty else { return }
        let list = channels.map(FormEncoding.percentEncode).joined(separator: ",")
        guard
            let url = self.carrierURL("/v2/presence/sub-key/\(FormEncoding.percentEncode(key))/channel/\(list)/\(verb)")
        else { return }
        let timeout = verb == "heartbeat" ? self.application?.presenceTimeout.map(String.init) : nil
        self.request(.farewell, .get, url.with(self.carrierParameters + [("heartbeat", timeout)]), in: &step)
    }

    /// Sends the heartbeat of the application and waits for the next one's time.
    mutating func heartbeat(in step: inout ClientStep) {
        guard let interval = self.application?.heartbeatInterval, interval > 0 else { return }
        self.sendPresence("heartbeat", channels: self.loop.channels, in: &step)
        step.ask(.setTimer("heartbeat", .seconds(min(interval, 3600))))
    }

    /// Gives up a request of the loop that the carrier has not answered in time.
    mutating func checkSubscribeLimit(in step: inout ClientStep) {
        let passed = step.now - self.loopAskedAt
        if case .asking = self.loop.state, passed >= Self.subscribeLimit {
            self.cancelSubscribe(in: &step)
            self.subscribeFailed(SDKError("invalidResponse", "the carrier did not answer in time"), in: &step)
        }
        guard self.loop.state != .stopped, self.loop.state != .denied else { return }
        let rest = Self.subscribeLimit - passed
        step.ask(.setTimer("subscribe-limit", rest > .zero ? rest : Self.subscribeLimit))
    }

    /// Takes an answer of the loop and starts the next request.
    mutating func subscribeAnswered(_ response: Response, in step: inout ClientStep) {
        if response.head.status.code == 403 { return self.subscribeDenied(response, in: &step) }
        guard response.head.status.kind == .successful, let reply = SubscribeReply(response.body) else {
            return self.subscribeFailed(SDKError(response), in: &step)
        }
        let isIdle = reply.items.isEmpty && !self.loop.isHandshake && reply.timeToken <= self.loop.timeToken
        let isBack = self.loop.answered(reply)
        if isBack {
            self.emit(
                .reconnected, ["channels": .integer(Int64(self.loop.channels.count))], callback: "CONNECTED", in: &step)
        }
        if isIdle, step.now == self.loopAskedAt {
            // A server that answers at once with nothing new would make the loop spin; it waits as after a failure.
            self.loop.paused()
            step.ask(.setTimer("subscribe-retry", self.options.retryInterval))
        } else {
            self.ask(in: &step)
        }
        for item in reply.items { self.receive(item, in: &step) }
        self.loadConfirmedRooms(in: &step)
    }

    /// Waits before the loop tries again, from its last token on.
    mutating func subscribeFailed(_ error: SDKError, in step: inout ClientStep) {
        let isFirst = self.loop.failures == 0
        self.loop.failed()
        let delay = self.options.retryDelay(attempt: self.loop.failures - 1)
        if isFirst {
            self.emit(
                .disconnected, ["reason": .string(error.message)], callback: "DISCONNECTED", in: &step)
        }
        self.emit(
            .reconnecting,
            ["attempt": .integer(Int64(self.loop.failures)), "in": .double(Double(delay.clampedNanoseconds) / 1e9)],
            callback: "reconnect", in: &step)
        step.ask(.setTimer("subscribe-retry", delay))
    }

    private mutating func subscribeDenied(_ response: Response, in step: inout ClientStep) {
        self.loop.denied()
        step.ask(.cancelTimer("subscribe-limit"))
        let detail = SDKError(response)
        let error = SDKError("accessDenied", "Access Denied: \(detail.message)", status: 403)
        let waiting = self.rooms.filter { $0.state != .connected }.map(\.id)
        for room in waiting { self.connectFailed(room, error, in: &step) }
        self.emit(error, callback: self.options.platform.callback(for: .error), in: &step)
    }
}
