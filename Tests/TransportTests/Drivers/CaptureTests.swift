import HTTPTypes
import Machines
import Testing
import Transport

@Suite("The capture of the wire")
struct CaptureTests {
    private final class Recorder: WireObserver {
        let wantsBytes: Bool
        var records: [WireRecord] = []

        init(wantsBytes: Bool) { self.wantsBytes = wantsBytes }

        func observe(_ record: WireRecord) { self.records.append(record) }

        func bytes(_ connection: String, _ direction: WireDirection) -> [UInt8] {
            self.records.filter { $0.connection == connection && $0.direction == direction }.flatMap { record in
                if case .bytes(let bytes) = record.content { bytes } else { [] as [UInt8] }
            }
        }
    }

    private static func record(_ transport: Medium, wantsBytes: Bool = true) throws -> Recorder {
        let recorder = Recorder(wantsBytes: wantsBytes)
        var configuration = DriverPairConfiguration()
        configuration.observer = recorder
        configuration.latency = .milliseconds(3)
        try DriverPair.play(transport, configuration) { pair in
            pair.server.react = { input in
                switch input {
                case .requested(let id, _): [.respond(id, Response(text: "pong", status: .ok))]
                case .upgradeRequested(let id, _): [.accept(id, subprotocol: nil)]
                case .received(let id, let message): [.transmit(id, message)]
                default: []
                }
            }
            pair.client(.send(ExchangeID(1), Request(pair.head(.post), body: Array("ping".utf8)))) {
                pair.client.inputs.count == 1
            }
            pair.client(.open(ConnectionID(1), pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2
            }
            pair.client(.transmit(ConnectionID(1), .text("hi"))) { pair.client.inputs.count == 3 }
            pair.client(.close(ConnectionID(1), code: 1000, reason: "")) { pair.client.inputs.count == 4 }
        }
        return recorder
    }

    @Test("What one side sends, the other receives, byte for byte", arguments: Medium.inMemory)
    func bothSides(transport: Medium) throws {
        let recorder = try Self.record(transport)
        for number in 1...2 {
            let sent = recorder.bytes("client/\(number)", .sent)
            #expect(!sent.isEmpty)
            #expect(recorder.bytes("client/\(number)", .received).isEmpty == false)
        }
        let connections = Set(recorder.records.map(\.connection)).filter { $0.hasPrefix("server") }.sorted()
        #expect(connections.count == 2)
        for (client, server) in zip(["client/1", "client/2"], connections) {
            // The client's side shows its frames without masks; the server's shows what came.
            var unmasking = WebSocketUnmasking()
            #expect(recorder.bytes(client, .sent) == unmasking.unmasked(recorder.bytes(server, .received)))
            #expect(recorder.bytes(server, .sent) == recorder.bytes(client, .received))
        }
    }

    @Test("What a client sends is shown without masks, each key zero", arguments: Medium.inMemory)
    func masks(transport: Medium) throws {
        let recorder = try Self.record(transport)
        let message: [UInt8] = [0x81, 0x82, 0, 0, 0, 0] + Array("hi".utf8)
        let close: [UInt8] = [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8]
        #expect(recorder.bytes("client/2", .sent).suffix(message.count + close.count) == (message + close)[...])
        // The server is sent other bytes: a mask of zeros would be none.
        let server = try #require(recorder.records.last { $0.connection.hasPrefix("server") }?.connection)
        let received = recorder.bytes(server, .received).suffix(message.count + close.count)
        #expect(received.prefix(2) == [0x81, 0x82] && received != (message + close)[...])
    }

    @Test("Who wants no bytes gets all other records, the same ones")
    func withoutBytes() throws {
        func isDecoded(_ record: WireRecord) -> Bool { if case .bytes = record.content { false } else { true } }
        let records = try Self.record(.memory, wantsBytes: false).records
        #expect(records == (try Self.record(.memory).records.filter(isDecoded)))
        #expect(records.allSatisfy(isDecoded) && records.count > 10)
    }

    @Test("Requests, responses and messages are shown decoded, with their instants")
    func units() throws {
        let records = try Self.record(.memory).records.filter { $0.connection.hasPrefix("client") }
        let frames = records.compactMap { record in
            switch record.content {
            case .message(.text(let text)): "\(record.direction) text \(text)"
            case .control(let opcode, let payload): "\(record.direction) \(opcode) \(payload.count)"
            default: nil
            }
        }
        #expect(frames == ["sent text hi", "received text hi", "sent close 2", "received close 2"])
        let responses = records.filter { if case .response = $0.content { true } else { false } }
        #expect(responses.count == 2)
        #expect(responses.first?.at == Instant.start + .milliseconds(12))
    }

    @Test("The same seed gives the same capture", arguments: Medium.inMemory)
    func determinism(transport: Medium) throws {
        #expect(try Self.record(transport).records == Self.record(transport).records)
    }
}
