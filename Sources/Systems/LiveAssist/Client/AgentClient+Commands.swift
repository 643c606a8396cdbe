import HTTPTypes
import JSON
import Machines

/// What scripts ask of an agent.
extension AgentClient {
    static var commands: CommandSet<AgentCommand> { AgentVocabulary.commands }

    mutating func perform(_ command: AgentCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .logIn(let username, let password):
            let pairs = [
                ("username", username), ("password", password ?? ""), ("type", "create"),
                ("targetServer", self.origin.base64), ("name", self.name), ("text", self.name),
            ]
            self.ask(.login, self.origin.form(.post, "/assistserver/agent", pairs), in: &step)
        case .join(let shortCode, let session, let consumer, let token):
            let named = session ?? consumer?["correlation_id"]?.string
            return self.joinSession(shortCode: shortCode, session: named, token: token, in: &step)
        case .call(let action):
            guard self.tellGateway(action.rawValue, in: &step) else {
                return .refused("there is no call; log in and expect \"call\" first")
            }
        case .view: return .done(.array(self.shown))
        case .form: return .done(self.form ?? .null)
        case .joined(let command, let name):
            guard self.state == .joined else {
                return .refused("\(name) needs a joined session; call join and expect \"connected\" first")
            }
            return self.perform(command, name: name, in: &step)
        }
        return .done(.null)
    }

    private mutating func joinSession(
        shortCode: String?, session: String?, token: String?, in step: inout Step
    ) -> CommandOutcome {
        guard self.state == .idle || self.state == .ended else {
            return .refused("the agent is in a session already; call leave_session first")
        }
        if let shortCode {
            self.state = .resolving
            let path = "/assistserver/shortcode/agent?" + FormEncoding.encode([("appkey", shortCode)])
            self.ask(.code, Request(self.origin.request(.get, path)), in: &step)
            return .done(.null)
        }
        guard let session, !session.isEmpty else {
            return .refused("join needs a short_code, a correlation_id or a consumer who has started support")
        }
        self.cid = session
        self.token = token ?? ""
        self.state = .resolving
        if self.token.isEmpty { self.askForToken(in: &step) } else { self.connect(in: &step) }
        return .done(.null)
    }

    private mutating func perform(_ command: JoinedCommand, name: String, in step: inout Step) -> CommandOutcome {
        switch command {
        case .leaveSession:
            self.stopWatching(in: &step)
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
            self.closeLink(in: &step)
            self.state = .ended
        case .requestCobrowse:
            self.hasRequested = true
            if let screen = self.directory.screen {
                self.send(
                    .permission(
                        topic: screen.id, target: self.directory.ownID, .requested,
                        participant: self.directory.ownID), in: &step)
            } else {
                self.tell(["type": "requestScreenShare"], in: &step)
            }
        case .pushLink(let url): self.tell(["type": "url", "url": .string(url)], in: &step)
        case .sendFrame(let text):
            guard let bytes = Base64.decode(text) else { return .refused("send_frame takes base64 text with padding") }
            step.ask(.transmit(.topics(self.link.number), .binary(bytes)))
        case .watching(let command):
            guard self.isWatching, let screen = self.directory.screen else {
                return .refused("\(name) needs co-browsing; request it and expect \"cobrowse_active\" first")
            }
            return self.perform(command, name: name, on: screen, in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: WatchingCommand, name: String, on screen: Topic, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .leaveCobrowse:
            self.stopWatching(in: &step)
            self.directory.setJoined(screen.id, false)
            self.send(TopicFrame(.leaveTopic, topic: screen.id, participant: self.directory.ownID), in: &step)
        case .zoom(let isOn):
            self.isZooming = isOn
            self.tell(["type": isOn ? "startZoom" : "endZoom"], in: &step)
            self.emit(.zoom, isOn ? "zoomStarted" : "zoomEnded", ["active": .bool(isOn)], in: &step)
        case .fillForm(let values): return self.fillForm(values, in: &step)
        case .pushDocument(let document): return self.push(document, on: screen, in: &step)
        case .closeDocument(let id): return self.closeDocument(id, on: screen, in: &step)
        case .draw(let path, let color, let width, let opacity):
            let element = Annotation.element(
                path: path, stroke: color ?? "#ff0000", width: width ?? 1, opacity: opacity ?? 1)
            return self.draw(.annotationAdded(element), in: &step)
        case .clearAnnotations: return self.draw(.annotationsSet(""), in: &step)
        case .scroll(let direction): self.say(.scroll(direction ?? .down), on: screen.id, in: &step)
        case .touch(let touch, let place):
            guard let (x, y) = self.pixels(of: place) else {
                return .refused("\(name) needs x and y, or an element that the agent sees")
            }
            return self.perform(touch, x, y, on: screen, in: &step)
        }
        return .done(.null)
    }

    // MARK: Drawing and input

    private func draw(_ message: WindowMessage, in step: inout Step) -> CommandOutcome {
        let own = self.directory.first { $0.type == "annotation" && $0.owner == self.directory.ownID }
        guard let own else { return .refused("the annotation topic is not open yet; wait for the screen") }
        self.say(message, on: own.id, in: &step)
        return .done(.null)
    }

    private func perform(
        _ touch: Touch, _ x: Int16, _ y: Int16, on screen: Topic, in step: inout Step
    ) -> CommandOutcome {
        switch touch {
        case .point:
            let own = self.directory.first { $0.type == "spotlight" && $0.owner == self.directory.ownID }
            guard let own else { return .refused("the spotlight topic is not open yet; wait for the screen") }
            self.say(.cursorPing(x: x, y: y), on: own.id, in: &step)
        case .click:
            self.say(.mouseDown(x: x, y: y, button: 0), on: screen.id, in: &step)
            self.say(.mouseUp(x: x, y: y, button: 0), on: screen.id, in: &step)
        case .mouseDown: self.say(.mouseDown(x: x, y: y, button: 0), on: screen.id, in: &step)
        case .mouseUp: self.say(.mouseUp(x: x, y: y, button: 0), on: screen.id, in: &step)
        case .doubleClick: self.say(.doubleClick(x: x, y: y), on: screen.id, in: &step)
        case .move: self.say(.mouseMove(x: x, y: y), on: screen.id, in: &step)
        case .type(let text): self.say(.inputAtLocation(x: x, y: y, text: text), on: screen.id, in: &step)
        }
        return .done(.null)
    }

    /// The named place, or the middle of the named element.
    private func pixels(of place: Place) -> (Int16, Int16)? {
        if let x = place.x, let y = place.y { return (Int16(clamping: x), Int16(clamping: y)) }
        guard let id = place.element, let shown = self.shown.last(where: { $0["id"]?.string == id }),
            let x = shown["x"]?.integer, let y = shown["y"]?.integer, let width = shown["width"]?.integer,
            let height = shown["height"]?.integer
        else { return nil }
        let (right, isWide) = x.addingReportingOverflow(width / 2)
        let (bottom, isHigh) = y.addingReportingOverflow(height / 2)
        return isWide || isHigh ? nil : (Int16(clamping: right), Int16(clamping: bottom))
    }

    private mutating func fillForm(_ values: JSONObject, in step: inout Step) -> CommandOutcome {
        guard let form, let topic = self.directory.first(where: { $0.type == "input" }) else {
            return .notOffered("there is no form; expect \"form\" first")
        }
        let fields = form["descriptors"]?.array ?? []
        var descriptors: [JSONValue] = []
        for (label, value) in values {
            guard let field = fields.first(where: { $0["label"]?.string == label }), let index = field["index"] else {
                let labels = fields.compactMap { $0["label"]?.string }.joined(separator: ", ")
                return .notOffered("the form has no field \"\(label)\"; it has \(labels)")
            }
            let isCheck = field["checked"] != nil
            let said = isCheck ? value : .string(value.string ?? value.description)
            descriptors.append(["index": index, isCheck ? "checked" : "value": said])
        }
        self.say(
            .inputPopulated(["screenId": form["screenId"] ?? 0, "descriptors": .array(descriptors)]), on: topic.id,
            in: &step)
        return .done(.null)
    }

    // MARK: Documents

    private mutating func closeDocument(_ id: Int64?, on screen: Topic, in step: inout Step) -> CommandOutcome {
        let id = id.flatMap(Int16.init(exactly:)) ?? self.documents.last?.id
        guard let id, self.documents.contains(where: { $0.id == id }) else {
            return .refused("no such document was pushed; take the id that push_document returned")
        }
        self.say(.closeRequest(id: id), on: screen.id, in: &step)
        return .done(.null)
    }

    private mutating func push(
        _ document: DocumentArguments, on screen: Topic, in step: inout Step
    ) -> CommandOutcome {
        // While the consumer shows nothing the vendor's console refuses by itself.
        guard self.isActive else { return .refused("the consumer has paused; expect \"cobrowse_active\" first") }
        guard self.documents.count < 1_000, self.nextDocument < .max else { return .refused("too many documents") }
        let id = self.nextDocument
        let metadata = document.metadata ?? ""
        if let text = document.data {
            guard let bytes = Base64.decode(text) else { return .refused("data is base64 text with padding") }
            self.documents.append(PushedDocument(id: id, content: bytes, metadata: metadata))
            self.say(.pushContentStart(id: id, type: document.type ?? ""), on: screen.id, in: &step)
        } else if let url = document.url {
            self.documents.append(PushedDocument(id: id, metadata: metadata))
            let suffix = metadata.isEmpty ? "" : "#sharedDocMetadata=" + FormEncoding.percentEncode(metadata)
            self.say(.pushDocument(id: id, url: url + suffix), on: screen.id, in: &step)
        } else {
            return .refused("push_document needs url, or data with type")
        }
        self.nextDocument += 1
        step.ask(.setTimer(.document(id), Self.documentTimeout))
        return .done(.integer(Int64(id)))
    }
}
