import HTTPTypes
import JSON
import Machines

/// What scripts ask of an agent.
extension AgentClient {
    /// What only a consumer does.
    private static let foreignMethods = Set(ConsumerVocabulary.methods.map(\.name))
        .subtracting(AgentVocabulary.methods.map(\.name))

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        guard !Self.foreignMethods.contains(command.name) else {
            return .refused("\(command.name) is not a method of an agent; give the actor role = \"consumer\" for it")
        }
        let arguments = command.arguments
        switch command.name {
        case "log_in":
            let pairs = [
                ("username", arguments["username"]?.string ?? ""), ("password", arguments["password"]?.string ?? ""),
                ("type", "create"), ("targetServer", self.origin.base64), ("name", self.name), ("text", self.name),
            ]
            self.errands.send(.login, self.origin.form(.post, "/assistserver/agent", pairs), in: &step)
        case "join": return self.joinSession(arguments, in: &step)
        case "answer_call", "reject_call", "hang_up":
            let action = ["answer_call": "answer", "reject_call": "reject"][command.name] ?? "hang_up"
            guard self.tellGateway(action, in: &step) else {
                return .refused("there is no call; log in and expect \"call\" first")
            }
        case "view": return .done(.array(self.shown))
        case "form": return .done(self.form ?? .null)
        default: return self.performInSession(command, in: &step)
        }
        return .done(.null)
    }

    private mutating func joinSession(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        guard self.state == .idle || self.state == .ended else {
            return .refused("the agent is in a session already; call leave_session first")
        }
        if let code = arguments["short_code"]?.string {
            self.state = .resolving
            let path = "/assistserver/shortcode/agent?" + FormEncoding.encode([("appkey", code)])
            self.errands.send(.code, Request(self.origin.request(.get, path)), in: &step)
            return .done(.null)
        }
        let cid = arguments["correlation_id"]?.string ?? arguments["consumer"]?["correlation_id"]?.string ?? ""
        guard !cid.isEmpty else {
            return .refused("join needs a short_code, a correlation_id or a consumer who has started support")
        }
        self.cid = cid
        self.token = arguments["session_token"]?.string ?? ""
        self.state = .resolving
        if self.token.isEmpty { self.askForToken(in: &step) } else { self.connect(in: &step) }
        return .done(.null)
    }

    private mutating func performInSession(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let arguments = command.arguments
        guard self.state == .joined else {
            return .refused("\(command.name) needs a joined session; call join and expect \"connected\" first")
        }
        switch command.name {
        case "leave_session":
            self.stopWatching(in: &step)
            self.link.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
            self.link.close(in: &step)
            self.state = .ended
            return .done(.null)
        case "request_cobrowse":
            self.hasRequested = true
            if let screen = self.directory.screen {
                self.link.send(
                    .permission(
                        topic: screen.id, target: self.directory.ownID, .requested,
                        participant: self.directory.ownID), in: &step)
            } else {
                self.tell(["type": "requestScreenShare"], in: &step)
            }
            return .done(.null)
        case "push_link":
            self.tell(["type": "url", "url": arguments["url"] ?? ""], in: &step)
            return .done(.null)
        case "send_frame":
            guard let bytes = Base64.decode(arguments["base64"]?.string ?? "") else {
                return .refused("send_frame takes base64 text with padding")
            }
            step.ask(.transmit(self.link.connection, .binary(bytes)))
            return .done(.null)
        default: break
        }
        guard self.isWatching, let screen = self.directory.screen else {
            return .refused("\(command.name) needs co-browsing; request it and expect \"cobrowse_active\" first")
        }
        switch command.name {
        case "leave_cobrowse":
            self.stopWatching(in: &step)
            self.directory.setJoined(screen.id, false)
            self.link.send(
                TopicFrame(.leaveTopic, topic: screen.id, participant: self.directory.ownID), in: &step)
        case "start_zoom", "end_zoom":
            self.isZooming = command.name == "start_zoom"
            self.tell(["type": self.isZooming ? "startZoom" : "endZoom"], in: &step)
            self.emit(
                .zoom, self.isZooming ? "zoomStarted" : "zoomEnded", ["active": .bool(self.isZooming)], in: &step)
        case "fill_form": return self.fillForm(arguments, in: &step)
        case "push_document", "close_document": return self.performDocument(command, screen, in: &step)
        default: return self.performInput(command, screen, in: &step)
        }
        return .done(.null)
    }

    // MARK: Drawing and input

    private mutating func performInput(
        _ command: Command, _ screen: Topic, in step: inout ClientStep
    ) -> CommandOutcome {
        let arguments = command.arguments
        let drawing = self.directory.first { $0.type == "annotation" && $0.owner == self.directory.ownID }
        switch command.name {
        case "draw", "clear_annotations":
            guard let drawing else { return .refused("the annotation topic is not open yet; wait for the screen") }
            guard command.name == "draw" else {
                self.say(.annotationsSet(""), on: drawing.id, in: &step)
                return .done(.null)
            }
            let element = Annotation.element(
                path: arguments["path"]?.string ?? "", stroke: arguments["color"]?.string ?? "#ff0000",
                width: arguments["width"]?.double ?? 1, opacity: arguments["opacity"]?.double ?? 1)
            self.say(.annotationAdded(element), on: drawing.id, in: &step)
            return .done(.null)
        case "scroll":
            let word = arguments["direction"]?.string ?? "down"
            guard let direction = ScrollDirection.allCases.first(where: { $0.word == word }) else {
                return .refused("scroll takes up, down, left or right, not \(word)")
            }
            self.say(.scroll(direction), on: screen.id, in: &step)
            return .done(.null)
        default: break
        }
        guard let (x, y) = self.place(arguments) else {
            return .refused("\(command.name) needs x and y, or an element that the agent sees")
        }
        switch command.name {
        case "point":
            guard let spot = self.directory.first(where: { $0.type == "spotlight" && $0.owner == self.directory.ownID })
            else { return .refused("the spotlight topic is not open yet; wait for the screen") }
            self.say(.cursorPing(x: x, y: y), on: spot.id, in: &step)
        case "click":
            self.say(.mouseDown(x: x, y: y, button: 0), on: screen.id, in: &step)
            self.say(.mouseUp(x: x, y: y, button: 0), on: screen.id, in: &step)
        case "mouse_down": self.say(.mouseDown(x: x, y: y, button: 0), on: screen.id, in: &step)
        case "mouse_up": self.say(.mouseUp(x: x, y: y, button: 0), on: screen.id, in: &step)
        case "double_click": self.say(.doubleClick(x: x, y: y), on: screen.id, in: &step)
        case "move_mouse": self.say(.mouseMove(x: x, y: y), on: screen.id, in: &step)
        case "type_text":
            self.say(.inputAtLocation(x: x, y: y, text: arguments["text"]?.string ?? ""), on: screen.id, in: &step)
        default:
            return .refused("\(command.name) is not a method of an agent; give the actor role = \"consumer\" for it")
        }
        return .done(.null)
    }

    /// The named place, or the middle of the named element.
    private func place(_ arguments: JSONObject) -> (Int16, Int16)? {
        if let x = arguments["x"]?.integer, let y = arguments["y"]?.integer {
            return (Int16(clamping: x), Int16(clamping: y))
        }
        guard let id = arguments["element"]?.string, let shown = self.shown.last(where: { $0["id"]?.string == id }),
            let x = shown["x"]?.integer, let y = shown["y"]?.integer, let width = shown["width"]?.integer,
            let height = shown["height"]?.integer
        else { return nil }
        let (right, isWide) = x.addingReportingOverflow(width / 2)
        let (bottom, isHigh) = y.addingReportingOverflow(height / 2)
        return isWide || isHigh ? nil : (Int16(clamping: right), Int16(clamping: bottom))
    }

    private mutating func fillForm(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        guard let form, let topic = self.directory.first(where: { $0.type == "input" }) else {
            return .notOffered("there is no form; expect \"form\" first")
        }
        let fields = form["descriptors"]?.array ?? []
        var descriptors: [JSONValue] = []
        for (label, value) in arguments["values"]?.object ?? [:] {
            guard let field = fields.first(where: { $0["label"]?.string == label }), let index = field["index"] else {
                let labels = fields.compactMap { $0["label"]?.string }.joined(separator: ", ")
                return .notOffered("the form has no field \"\(label)\"; it has \(labels)")
            }
            let isCheck = field["checked"] != nil
            descriptors.append([
                "index": index, isCheck ? "checked" : "value": isCheck ? value : .string(Self.text(value)),
            ])
        }
        self.say(
            .inputPopulated(["screenId": form["screenId"] ?? 0, "descriptors": .array(descriptors)]), on: topic.id,
            in: &step)
        return .done(.null)
    }

    private static func text(_ value: JSONValue) -> String { value.string ?? value.description }

    // MARK: Documents

    private mutating func performDocument(
        _ command: Command, _ screen: Topic, in step: inout ClientStep
    ) -> CommandOutcome {
        let arguments = command.arguments
        guard command.name == "push_document" else {
            let id = arguments["id"]?.integer.flatMap(Int16.init(exactly:)) ?? self.documents.last?.id
            guard let id, self.documents.contains(where: { $0.id == id }) else {
                return .refused("no such document was pushed; take the id that push_document returned")
            }
            self.say(.closeRequest(id: id), on: screen.id, in: &step)
            return .done(.null)
        }
        // While the consumer shows nothing the vendor's console refuses by itself.
        guard self.isActive else { return .refused("the consumer has paused; expect \"cobrowse_active\" first") }
        guard self.documents.count < 1_000, self.nextDocument < .max else { return .refused("too many documents") }
        let id = self.nextDocument
        let metadata = arguments["metadata"]?.string ?? ""
        if let text = arguments["data"]?.string {
            guard let bytes = Base64.decode(text) else { return .refused("data is base64 text with padding") }
            self.documents.append(PushedDocument(id: id, content: bytes, metadata: metadata))
            self.say(.pushContentStart(id: id, type: arguments["type"]?.string ?? ""), on: screen.id, in: &step)
        } else if let url = arguments["url"]?.string {
            self.documents.append(PushedDocument(id: id, metadata: metadata))
            let suffix = metadata.isEmpty ? "" : "#sharedDocMetadata=" + FormEncoding.percentEncode(metadata)
            self.say(.pushDocument(id: id, url: url + suffix), on: screen.id, in: &step)
        } else {
            return .refused("push_document needs url, or data with type")
        }
        self.nextDocument += 1
        step.ask(.setTimer(TimerName("document-\(id)"), Self.documentTimeout))
        return .done(.integer(Int64(id)))
    }
}
