import JSON
import Machines

/// Streamed answers.
extension PlainHTTPClient {
    /// Reads what came of a stream.
    ///
    /// - Parameter stream: The stream, which the machine has let go of so that its text is changed in place.
    mutating func read(_ bytes: [UInt8], of number: UInt64, _ stream: inout Stream, in step: inout Step) {
        guard let exchange = self.exchanges[number] else { return }
        var offset = 0
        do throws(StreamReader.Overflow) {
            while let piece = try stream.reader.next(bytes.span, at: &offset) {
                self.tell(piece, number, exchange, &stream, in: &step)
                if piece.isFailure {
                    self.exchanges[number]?.state = .streaming(stream)
                    self.giveUp(
                        number, "stream_error", "the server says that it failed: \(piece.data.prefix(200))", in: &step)
                    return
                }
                if piece.isLast {
                    if let failure = stream.reader.toldFailure {
                        self.exchanges[number]?.state = .streaming(stream)
                        self.giveUp(
                            number, "stream_error", "the server says that it failed: \(failure)", in: &step)
                        return
                    }
                    self.complete(number, stream, in: &step)
                    step.ask(.setTimer(.answer(number), Self.drainTime))
                    self.readRest(bytes.span, at: offset, of: number, stream.reader, since: step.now, in: &step)
                    return
                }
            }
            self.exchanges[number]?.state = .streaming(stream)
            step.ask(.setTimer(.answer(number), exchange.options.silence))
        } catch {
            self.exchanges[number]?.state = .streaming(stream)
            self.giveUp(number, "too_large", "\(error.message); raise body_limit if that is right", in: &step)
        }
    }

    /// Reads what comes behind the end of a stream: a text there would go unheard.
    mutating func readRest(
        _ bytes: Span<UInt8>, at start: Int, of number: UInt64, _ reader: StreamReader, since end: Instant,
        in step: inout Step
    ) {
        var reader = reader
        var offset = start
        do throws(StreamReader.Overflow) {
            while let piece = try reader.next(bytes, at: &offset) {
                guard let text = piece.text, !text.isEmpty else { continue }
                self.complain(
                    number,
                    [
                        "code": "invalid_stream",
                        "message": .string("the stream went on behind its end: \(text.prefix(100))"),
                    ], in: &step)
                return
            }
            self.exchanges[number]?.state = .draining(since: end, reader)
        } catch {
            // What is too long to be read is dropped, as the rest of the body is.
        }
    }

    /// Takes in that the body of a stream ended.
    mutating func finish(_ number: UInt64, _ stream: inout Stream, in step: inout Step) {
        guard let exchange = self.exchanges[number] else { return }
        do throws(StreamReader.Overflow) {
            if let piece = try stream.reader.finish() { self.tell(piece, number, exchange, &stream, in: &step) }
        } catch {
            self.exchanges[number]?.state = .streaming(stream)
            self.failed(number, "too_large", "\(error.message); raise body_limit if that is right", in: &step)
            return
        }
        self.exchanges[number]?.state = .streaming(stream)
        if let failure = stream.reader.toldFailure {
            self.failed(number, "stream_error", "the server says that it failed: \(failure)", in: &step)
            return
        }
        if let awaited = stream.reader.awaitedEnd {
            self.failed(number, "incomplete", "the stream ended without \(awaited)", in: &step)
            return
        }
        if stream.reader.isWithinEvent {
            self.failed(number, "incomplete", "the stream ended in the middle of an event", in: &step)
            return
        }
        self.forget(number, in: &step)
        self.complete(number, stream, in: &step)
    }

    private func tell(
        _ piece: StreamReader.Piece, _ number: UInt64, _ exchange: Exchange, _ stream: inout Stream,
        in step: inout Step
    ) {
        stream.pieces += 1
        var common = self.common(number, exchange, step)
        common["number"] = .integer(Int64(stream.pieces))
        if piece.text != nil { common["gap"] = stream.timings.note(step.now)?.json }
        step.ask(.emit(AnswerFields.event(of: piece, common)))
        if !stream.hasComplained, let (code, problem) = stream.reader.problem(of: piece) {
            stream.hasComplained = true
            let message = "piece \(stream.pieces) of the stream \(problem): \(piece.data.prefix(100))"
            self.complain(number, ["code": .string(code), "message": .string(message)], in: &step)
        }
        if stream.reader.mode == .messages, piece.text != nil {
            self.tell(Messages.Message(text: piece.text, json: piece.json), number, in: &step)
        }
    }

    private func complete(_ number: UInt64, _ stream: Stream, in step: inout Step) {
        self.tellEnd(of: stream, number, isComplete: true, in: &step)
        guard stream.reader.mode != .messages, !stream.reader.text.isEmpty else { return }
        self.tell(
            Messages.Message(text: stream.reader.text, finishReason: stream.reader.finishReason), number, in: &step)
    }

    /// Tells that a stream has ended, and what came of it.
    func tellEnd(of stream: Stream, _ number: UInt64, isComplete: Bool, in step: inout Step) {
        let fields: JSONObject = [
            "request": .integer(Int64(clamping: number)), "complete": .bool(isComplete),
            "text": .string(stream.reader.text), "pieces": .integer(Int64(stream.pieces)),
        ]
        let all = fields.merging(stream.timings.fields).merging(stream.reader.reconnection)
        step.ask(.emit(ChatEvent(.streamEnded, all)))
    }
}
