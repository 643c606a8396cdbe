import HTTPTypes
import JSON
import Machines
import Metrics
import Patterns
import RunRecord
import Transport

@testable import BoldChat
@testable import LiveAssist
@testable import LiveLike
@testable import OracleAssistant
@testable import PlainHTTP
@testable import Scenario
@testable import Secrets

/// What reads bytes that somebody else chose: each with the input that libFuzzer or a test gives it.
///
/// Nothing may trap, and what says that bytes mean the same however they are divided must keep its word.
enum Decoder: String, CaseIterable {
    case webSocket, httpRequest, httpResponse, serverSentEvents, lines, json, jsonPath, form, multipart
    case oss, oracleFrame, pubNub, subscribeFilter, topicFrame, windowMessage, picture
    case regex, template, csv, runRecord, histogram, loadResult, masking

    /// Has it read bytes.
    func read(_ bytes: [UInt8]) {
        switch self {
        case .webSocket: Self.readWebSocket(bytes)
        case .httpRequest: Self.readRequests(bytes)
        case .httpResponse: Self.readResponses(bytes)
        case .serverSentEvents: Self.readEvents(bytes)
        case .lines: Self.readLines(bytes)
        case .json: Self.readJSON(bytes)
        case .jsonPath:
            let (path, text) = Self.halves(bytes)
            guard let path = try? JSONPath(path), let value = try? JSONReader.read(text) else { return }
            _ = path.values(in: value)
        case .form:
            let pairs = FormEncoding.decode(String(decoding: bytes, as: UTF8.self))
            precondition(FormEncoding.decode(FormEncoding.encode(pairs)).map(\.1) == pairs.map(\.1))
        case .multipart:
            _ = MultipartFile(field: "file", in: bytes, contentType: "multipart/form-data; boundary=b")
            let (type, body) = Self.halves(bytes)
            _ = MultipartForm.parts(of: Array(body.utf8), contentType: "multipart/form-data; \(type)")
        case .oss:
            guard case .call(let call)? = OSSFrame(.binary(bytes)) else { return }
            var conversation = Conversation()
            _ = conversation.receive(call, profile: .html)
        case .oracleFrame:
            guard let value = try? JSONReader.read(bytes) else { return }
            _ = ServerFrame(value).json
            _ = ClientFrame(value)
            guard let members = value.object else { return }
            let payload = Payload(members: members)
            _ = MessageValidation.problem(in: payload)
            _ = MessageValidation.problem(inReceived: payload)
            _ = MessageValidation.problem(inSaid: payload)
            _ = payload.content.globalActions.map(\.kind)
        case .pubNub:
            for item in SubscribeReply(bytes)?.items ?? [] {
                let listener = Delivery.Listener(
                    profile: "p", profileChannel: nil, room: "lobby", channels: item.channel.map { [$0] } ?? [])
                _ = try? Delivery(item, for: listener)
            }
        case .subscribeFilter: _ = SubscribeFilter(String(decoding: bytes, as: UTF8.self))
        case .topicFrame: _ = TopicFrame(bytes)?.privateTopic
        case .windowMessage:
            guard let message = WindowMessage(bytes) else { return }
            precondition(WindowMessage(message.bytes) != nil)
        case .picture: _ = ScreenPicture.decode(bytes)
        case .regex:
            let (pattern, text) = Self.halves(bytes)
            guard let regex = try? TextRegex(pattern, longest: TextRegex.longestOfServer) else { return }
            _ = regex.matches(text)
            for range in regex.ranges(in: text, limit: 100) { precondition(!range.isEmpty) }
        case .template:
            let (template, text) = Self.halves(bytes)
            _ = TextTemplate(template).captures(in: text)
            _ = Glob(template).matches(text)
        case .csv: _ = try? CSVReader.records(String(decoding: bytes, as: UTF8.self))
        case .runRecord: _ = try? RecordReader.read(bytes)
        case .histogram:
            guard let histogram = try? Histogram(encoded: bytes) else { return }
            _ = histogram.value(atPercentile: 99)
        case .loadResult: _ = try? LoadResult(bytes)
        case .masking: Self.mask(bytes)
        }
    }

    /// The two texts of an input, which a zero divides.
    private static func halves(_ bytes: [UInt8]) -> (String, String) {
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        return (
            String(decoding: bytes[..<end], as: UTF8.self), String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
        )
    }

    /// The bytes in pieces whose lengths the bytes themselves choose.
    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while let first = rest.first {
            pieces.append(Array(rest.prefix(Int(first % 7) + 1)))
            rest = rest.dropFirst(Int(first % 7) + 1)
        }
        return pieces
    }

    private static func readWebSocket(_ bytes: [UInt8]) {
        func events(_ role: WebSocketCodec.Role, _ pieces: [[UInt8]]) -> [WebSocketCodec.Event] {
            var codec = WebSocketCodec(role: role, messageLimit: 1 << 16)
            var output: [UInt8] = []
            var random = RandomSource(seed: 1)
            var events: [WebSocketCodec.Event] = []
            for piece in pieces {
                var offset = 0
                while let event = codec.next(piece.span, at: &offset, output: &output, random: &random) {
                    events.append(event)
                }
            }
            return events
        }
        for role in [WebSocketCodec.Role.client, .server] {
            precondition(events(role, [bytes]) == events(role, Self.pieces(bytes)))
        }
    }

    private static func readRequests(_ bytes: [UInt8]) {
        func parts(_ pieces: [[UInt8]]) -> [HTTPRequest] {
            var parser = HTTPRequestParser()
            var heads: [HTTPRequest] = []
            for piece in pieces {
                var offset = 0
                do {
                    while let part = try parser.next(piece.span, at: &offset) {
                        if case .head(let head) = part { heads.append(head) }
                    }
                } catch {
                    return heads
                }
            }
            return heads
        }
        precondition(parts([bytes]) == parts(Self.pieces(bytes)))
    }

    private static func readResponses(_ bytes: [UInt8]) {
        func parts(_ pieces: [[UInt8]]) -> [HTTPResponse] {
            var parser = HTTPResponseParser()
            parser.expect(.get)
            var heads: [HTTPResponse] = []
            for piece in pieces {
                var offset = 0
                do {
                    while let part = try parser.next(piece.span, at: &offset) {
                        if case .head(let head) = part { heads.append(head) }
                        if case .end = part { parser.expect(.get) }
                    }
                } catch {
                    return heads
                }
            }
            _ = try? parser.finish()
            return heads
        }
        precondition(parts([bytes]) == parts(Self.pieces(bytes)))
    }

    private static func readEvents(_ bytes: [UInt8]) {
        func events(_ pieces: [[UInt8]]) -> [ServerSentEvent] {
            var parser = ServerSentEventParser(limit: 1000)
            var events: [ServerSentEvent] = []
            for piece in pieces {
                var offset = 0
                do {
                    while let event = try parser.next(piece.span, at: &offset) { events.append(event) }
                } catch {
                    return events
                }
            }
            return events
        }
        precondition(events([bytes]) == events(Self.pieces(bytes)))
    }

    private static func readLines(_ bytes: [UInt8]) {
        func lines(_ pieces: [[UInt8]]) -> [[UInt8]] {
            var decoder = LineDecoder(limit: 1000)
            var lines: [[UInt8]] = []
            for piece in pieces {
                var offset = 0
                do {
                    while let line = try decoder.next(piece.span, at: &offset) { lines.append(line) }
                } catch {
                    return lines
                }
            }
            return lines + [decoder.finish() ?? []]
        }
        precondition(lines([bytes]) == lines(Self.pieces(bytes)))
    }

    private static func readJSON(_ bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes) else { return }
        // What was read is written so that it is read again.
        guard let again = try? JSONReader.read(JSONWriter.write(value)) else { preconditionFailure("\(value)") }
        precondition(again == value)
    }

    private static func mask(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBufferPointer { CredentialText.values(in: $0) }
        _ = DecodedText.unescaped(bytes)
        _ = DecodedText.utf16(bytes, isLatin: bytes.count % 2 == 0)
        _ = DecodedText.hexadecimal(bytes, least: 4)
        _ = DecodedText.base64(bytes, least: 4)
    }
}
