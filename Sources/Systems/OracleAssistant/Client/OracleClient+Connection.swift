import JSON
import Machines

extension OracleClient {
    /// Opens the connection after `initialize` or `connect`.
    mutating func connect(in step: inout Step) {
        self.connectsOnOpening = false
        guard self.isOnline else {
            self.fail("NetworkOffline", "The device is offline; call go_online first.", in: &step)
            return
        }
        if self.connection.status == .closing {
            self.connectsAfterClose = true
            return
        }
        if self.connection.status == .open {
            if self.settings.flag("clientAuthEnabled") {
                // A token may have changed, so the vendor's client opens an authenticated connection anew.
                self.perform(self.connection.restart(with: self.connection.settings), in: &step)
                return
            }
            // As the vendor's promise of a connection does, a connection that is there is reported at once.
            self.emit(.connected, ["user_id": .string(self.address.userID), "already": true], in: &step)
            return
        }
        if self.address.userID.isEmpty, !self.settings.flag("clientAuthEnabled") {
            let digits = (0..<5).map { _ in "\(Int.random(in: 0...9, using: &step.random))" }.joined()
            self.address.userID = "user-\(self.epochMilliseconds(at: step.now))-\(digits)"
            self.connection.adopt(self.address)
        }
        self.perform(self.connection.connect(), in: &step)
    }

    /// Does what the connection's machine asks for.
    mutating func perform(_ actions: [ConnectionAction], in step: inout Step) {
        for action in actions {
            switch action {
            case .perform(let effect): step.ask(effect)
            case .statusChanged(let status): self.statusChanged(status, in: &step)
            case .tokenWanted: self.provideToken(in: &step)
            case .opened(let again): self.connectionOpened(again: again, in: &step)
            case .dropped(let reason):
                self.emit(.reconnecting, ["reason": .string(reason)], in: &step)
            case .ended(let code, let message): self.connectionEnded(code, message, in: &step)
            case .received(let text, let value): self.received(text, value, in: &step)
            case .pollLost(let reason): self.emit(.pollLost, ["reason": .string(reason)], in: &step)
            case .sendFailed(let message): self.fail("NetworkFailure", message, in: &step)
            }
        }
    }

    private mutating func statusChanged(_ status: ConnectionStatus, in step: inout Step) {
        self.emit(
            .linkChanged,
            [
                "status": .string(status.rawValue), "code": .integer(status.code),
                "label": .string(self.words(status.stringKey)),
            ], in: &step)
    }

    private mutating func connectionOpened(again: Bool, in step: inout Step) {
        let fields: JSONObject = [
            "user_id": .string(self.address.userID), "polling": .bool(self.connection.isPolling),
        ]
        self.emit(again ? .reconnected : .connected, fields, in: &step)
        self.sendFirstMessages(in: &step)
    }

    private mutating func connectionEnded(_ code: String?, _ message: String, in step: inout Step) {
        for effect in self.speech.stop() { step.ask(effect) }
        if code == TokenRefusal.expired.code { self.tokens.forget() }
        defer {
            if self.connectsAfterClose {
                self.connectsAfterClose = false
                self.connect(in: &step)
            }
        }
        if self.endsAfterClose {
            self.endsAfterClose = false
            self.conversationEnded(in: &step)
            return
        }
        var fields: JSONObject = ["reason": .string(code ?? "ConnectionExplicitClose"), "message": .string(message)]
        if code == "NetworkFailure" {
            fields["banner"] = .string(self.words("connectionFailureMessage"))
            fields["retry"] = .string(self.words("connectionRetryLabel"))
        }
        self.emit(.disconnected, fields, in: &step)
        if let code { self.fail(code, message, in: &step) }
    }

    // MARK: Tokens

    private mutating func provideToken(in step: inout Step) {
        let seconds = Double(self.epochMilliseconds(at: step.now)) / 1000
        if let token = self.tokens.usable(at: seconds) {
            self.tokenArrived(token, in: &step)
            return
        }
        switch self.tokens.source {
        case .none: self.tokenRefused(.absent, in: &step)
        case .fixed(let token): self.tokenArrived(token, in: &step)
        case .provider(let function):
            step.ask(.callScript(self.calls.begin(.token), function, []))
        case .fixture(let secret, let claims, let lifetime):
            var claims = claims
            let issued = seconds.rounded(.down)
            claims["iat"] = claims["iat"] ?? .integer(Int64(issued))
            claims["exp"] = claims["exp"] ?? .integer(Int64((issued + lifetime).rounded()))
            claims["channelId"] = claims["channelId"] ?? .string(self.settings.address.channelID)
            claims["userId"] = claims["userId"] ?? .string(self.settings.address.userID)
            self.tokenArrived(ChannelToken(claims: claims, secret: secret).text, in: &step)
        }
    }

    /// Checks a token as the vendor's clients do, and opens the connection with it.
    mutating func tokenArrived(_ text: String, in step: inout Step) {
        do throws(TokenRefusal) {
            guard !text.isEmpty else { throw .absent }
            let claims = try ChannelClaims(ChannelToken(reading: text).claims)
            try claims.requireLife(at: Double(self.epochMilliseconds(at: step.now)) / 1000)
            self.tokens.keep(text, expiresAt: claims.expiresAt)
            self.address.channelID = claims.channelID
            self.address.userID = claims.userID
            self.connection.adopt(self.address)
            self.perform(self.connection.tokenArrived(text), in: &step)
        } catch {
            self.tokenRefused(error, in: &step)
        }
    }

    /// Ends the try to connect for want of a token.
    mutating func tokenRefused(_ refusal: TokenRefusal, in step: inout Step) {
        self.tokens.forget()
        self.perform(self.connection.tokenRefused(code: refusal.code, message: refusal.message), in: &step)
    }

    // MARK: First messages

    /// Sends profile, language, hidden message and device token, in this order, once in a session.
    mutating func sendFirstMessages(in step: inout Step) {
        let isDue = self.isExpanded || self.settings.word("initMessageOptions") == "init"
        guard self.needsFirstMessages, isDue, self.connection.status == .open, !self.settings.flag("enableHeadless")
        else { return }
        self.needsFirstMessages = false
        if let profile = self.settings.values["initUserProfile"]?.object { self.sendProfile(profile, in: &step) }
        if self.languages.isConfigured { self.sendLanguage(in: &step) }
        switch self.settings.values["initUserHiddenMessage"] {
        case .string(let text):
            self.send(Outgoing(["type": "text", "text": .string(text)], kind: .hidden), in: &step)
        case .object(let message):
            self.send(Outgoing(message["messagePayload"]?.object ?? message, kind: .hidden), in: &step)
        default: break
        }
        if let token = self.settings.word("deviceToken") {
            self.transmit(
                ClientFrame.deviceToken(token, deviceType: self.settings.word("deviceType") ?? "ios").json, in: &step)
        }
    }

    /// Sends news of the user.
    mutating func sendProfile(_ profile: JSONObject, in step: inout Step) {
        var members = profile
        members["sdkMetadata"] = .object(self.metadata)
        self.transmit(.object(members), in: &step)
    }

    /// Tells the skill which language the user wants.
    mutating func sendLanguage(in step: inout Step) {
        let profile: JSONObject =
            self.language.map { ["languageTag": .string($0)] } ?? ["languageTag": nil, "locale": nil]
        self.transmit(["profile": .object(profile)], in: &step)
    }

    /// The version and what the script added to it.
    var metadata: JSONObject {
        let version: JSONObject = ["version": .string(self.settings.word("sdkVersion") ?? "")]
        return version.merging(self.settings.values["sdkMetadata"]?.object ?? [:])
    }

    /// Writes a frame; returns whether the connection was open.
    @discardableResult
    mutating func transmit(_ value: JSONValue, in step: inout Step) -> Bool {
        guard let actions = self.connection.send(value.description) else { return false }
        self.perform(actions, in: &step)
        return true
    }
}
