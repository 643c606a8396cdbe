import HTTPTypes
import JSON
import Machines

extension OracleClient {
    // MARK: Recognition

    /// The title of the alerts about speech.
    private var alert: JSONObject { ["title": .string(self.words("odais_alert"))] }

    /// Begins to record, or says why not.
    mutating func startRecording(_ arguments: JSONObject, in step: inout Step) -> CommandOutcome {
        let recording: Recording
        if let encoded = (arguments["file"]?["base64"] ?? arguments["wav"])?.string {
            guard let bytes = Base64.decode(encoded), let read = Recording(wav: bytes) else {
                return .refused(
                    "start_recording takes a WAV file with uncompressed samples of 16 bits: file is its path, wav its "
                        + "bytes in base64; convert others, as with `sox in.mp3 -b 16 out.wav`")
            }
            recording = read
        } else {
            recording = Recording(
                tone: arguments["frequency"]?.double ?? 220, seconds: arguments["duration"]?.double ?? 1,
                amplitude: arguments["amplitude"]?.double ?? 0.5)
        }
        guard self.speech.isEnabled else {
            self.fail("RecognitionNotAvailable", self.words("odais_speech_error"), self.alert, in: &step)
            return .done(.null)
        }
        guard arguments["permission"]?.bool ?? true else {
            self.fail("RecognitionNotAvailable", self.words("odais_speech_permission_denied"), self.alert, in: &step)
            return .done(.null)
        }
        guard self.speech.hasSupportedLocale else {
            self.fail("RecognitionNotAvailable", self.words("odais_speech_unsupported_locale"), self.alert, in: &step)
            return .done(.null)
        }
        guard self.connection.status == .open else {
            self.fail("RecognitionNotReady", self.words("odais_speech_error"), self.alert, in: &step)
            return .done(.null)
        }
        guard !self.speech.isRecording else {
            self.fail("RecognitionMultipleConnection", self.words("odais_speech_error"), self.alert, in: &step)
            return .done(.null)
        }
        // The client falls silent while the user speaks; defined here.
        if let function = self.voices.service?.isSpeaking {
            step.ask(.callScript(self.calls.begin(.isSpeaking), function, []))
        } else if self.voices.reading != nil {
            self.stopSpeech(in: &step)
        }
        let hasToken = self.settings.flag("clientAuthEnabled")
        for effect in self.speech.start(recording, self.address, hasToken: hasToken) { step.ask(effect) }
        return .done(.null)
    }

    /// The connection to the recognition is open.
    mutating func recordingBegan(in step: inout Step) {
        self.emit(
            .recordingStarted,
            ["locale": .string(self.speech.locale), "prompt": .string(self.words("odais_speech_start"))], in: &step)
        let token = self.settings.flag("clientAuthEnabled") ? self.tokens.current : nil
        for effect in self.speech.first(token: token) { step.ask(effect) }
    }

    /// Sends the next piece of sound.
    mutating func streamAudio(in step: inout Step) {
        let (effects, level) = self.speech.next()
        for effect in effects { step.ask(effect) }
        guard let level else { return }
        // The limits of the visualizer are not public; these are defined here.
        let verdict = level < 0.02 ? "too_soft" : level > 0.5 ? "too_loud" : "good"
        self.emit(
            .speechLevel, ["level": .double((level * 1000).rounded() / 1000), "verdict": .string(verdict)], in: &step)
    }

    /// The recognition has said something.
    mutating func speechReceived(_ message: WebSocketMessage, in step: inout Step) {
        guard case .text(let text) = message, let value = try? JSONReader.read(text) else { return }
        let words = value["nbest"]?[0]?["utterance"]?.string ?? ""
        switch value["event"]?.string {
        case "partialResult": self.emit(.speechPartial, ["text": .string(words)], raw: value, in: &step)
        case "finalResult":
            for effect in self.speech.stop() { step.ask(effect) }
            if words.isEmpty {
                self.recordingFailed(code: "RecognitionNoSpeechTimeout", message: text, in: &step)
                return
            }
            var fields: JSONObject = ["text": .string(words), "sent": .bool(self.speech.sendsItself)]
            fields["request_id"] = value["requestId"]
            self.emit(.speechFinal, fields, raw: value, in: &step)
            self.emit(.recordingStopped, ["reason": "recognized"], in: &step)
            guard self.speech.sendsItself else {
                self.typing.place(words)
                return
            }
            var metadata = JSONObject()
            metadata["speechId"] = value["requestId"]
            self.send(
                Outgoing(["type": "text", "text": .string(words)], kind: .visible, metadata: metadata), in: &step)
        case "error":
            self.recordingFailed(
                code: value["code"]?.string ?? "RecognitionProcessingFailure", message: text, in: &step)
        default: break
        }
    }

    /// The recognition's connection has ended.
    mutating func speechClosed(_ closure: WebSocketClosure, in step: inout Step) {
        self.recordingFailed(
            code: "RecognitionNoResponse", message: "The recognition ended (\(closure.code) \(closure.reason)).",
            in: &step)
    }

    /// The recording has come to nothing.
    mutating func recordingFailed(code: String, message: String, in step: inout Step) {
        for effect in self.speech.stop() + self.speech.lost() { step.ask(effect) }
        let key =
            switch code {
            case "RecognitionNoSpeechTimeout": "odais_no_speech_error"
            case "RecognitionTooMuchSpeechTimeout": "odais_too_much_speech_error"
            default: "odais_speech_error"
            }
        self.emit(.recordingStopped, ["reason": "failed"], in: &step)
        self.fail(code, self.words(key), self.alert.merging(["detail": .string(message)]), in: &step)
    }

    // MARK: Synthesis

    /// Reads a message aloud, if messages are read at all.
    mutating func readAloud(_ payload: Payload, in step: inout Step) {
        guard self.voices.isEnabled, !self.voices.isMuted else { return }
        let written: String? = if case .text(let message) = payload { message.words } else { nil }
        guard let text = payload.content.voice?.spokenText ?? written, !text.isEmpty else { return }
        self.speak(text, in: &step)
    }

    /// Reads a text aloud.
    mutating func speak(_ text: String, in step: inout Step) {
        guard self.voices.isEnabled else {
            self.fail("TtsNotAvailable", "Reading aloud is switched off (enable_speech_synthesis).", in: &step)
            return
        }
        if let function = self.voices.service?.speak {
            step.ask(.callScript(self.calls.begin(.speaking(text)), function, [.string(text)]))
            return
        }
        guard self.voices.queue.count < SpeechSynthesis.queueLimit else { return }
        self.voices.queue.append(text)
        self.readNext(in: &step)
    }

    private mutating func readNext(in step: inout Step) {
        guard self.voices.reading == nil, self.voices.voicesRequest == nil, !self.voices.queue.isEmpty
        else { return }
        let token = self.settings.flag("clientAuthEnabled") ? self.tokens.current : nil
        let request = self.voices.nextRequest()
        if self.voices.voices == nil {
            self.voices.voicesRequest = request
            let head = self.address.httpRequest(.get, path: "/tts/voices", token: token)
            step.ask(.send(.voices(request), Request(head)))
            return
        }
        let text = self.voices.queue.removeFirst()
        let voice = self.voices.voice
        self.voices.reading = SpeechSynthesis.Reading(request: request, text: text, voice: voice)
        let extra = [("text", text), ("stream", "chunked"), ("voice", voice?.name ?? "")]
        step.ask(
            .send(
                .voices(request),
                Request(self.address.httpRequest(.get, path: "/tts/speak", extra: extra, token: token))))
    }

    /// A request for voices or speech has ended.
    mutating func voicesAnswered(
        _ request: UInt64, _ result: Result<Response, TransportFailure>, in step: inout Step
    ) {
        let response = try? result.get()
        let isGood = response?.head.status.kind == .successful
        if request == self.voices.voicesRequest {
            self.voices.voicesRequest = nil
            self.voicesNamed(isGood ? response?.body : nil, in: &step)
        } else if let reading = self.voices.reading, reading.request == request {
            self.voices.reading = nil
            if isGood, let response {
                var fields: JSONObject = ["text": .string(reading.text), "service": "server"]
                fields["voice"] = reading.voice.map { .string($0.name) }
                fields["language"] = reading.voice.map { .string($0.language) }
                fields["size"] = .integer(Int64(response.body.count))
                self.emit(.speechSpoken, fields, in: &step)
            } else {
                self.fail("TtsNotAvailable", "The server could not read the text aloud.", in: &step)
            }
        } else {
            return
        }
        self.readNext(in: &step)
    }

    /// Takes in the server's list of voices, or that there is none: what waits cannot be read aloud then, and the next text
    /// asks for them again (defined here).
    private mutating func voicesNamed(_ body: [UInt8]?, in step: inout Step) {
        if let body, let voices = SpeechSynthesis.voices(in: body) {
            self.voices.voices = voices
            return
        }
        self.voices.queue = []
        self.fail("TtsNotAvailable", "The server did not name its voices.", in: &step)
    }

    /// Stops reading aloud.
    mutating func stopSpeech(in step: inout Step) {
        for effect in self.voices.stop() { step.ask(effect) }
        if let function = self.voices.service?.stop {
            step.ask(.callScript(self.calls.begin(.fallingSilent), function, []))
        } else {
            self.emit(.speechStopped, in: &step)
        }
    }
}
