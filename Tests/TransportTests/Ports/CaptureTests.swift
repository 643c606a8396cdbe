import HTTPTypes
import Machines
import Testing
import Transport

@Suite("The capture of the wire")
struct CaptureTests {
    private final class Recorder: WireObserver {
        var records: [WireRecord] = []
        func observe(_ record: WireRecord) { self.records.append(record) }

        func bytes(_ connection: String, _ direction: WireDirection) -> [UInt8] {
            self.records.filter { $0.connection == connection && $0.direction == direction }.flatMap { record in
                if case .bytes(let bytes) = record.content { bytes } else { [] as [UInt8] }
            }
        }
    }

    private static func record(_ carrier: Carrier) throws -> Recorder {
        let recorder = Recorder()
        var configuration = StageConfiguration()
        configuration.observer = recorder
        configuration.latency = .milliseconds(3)
        try Stage.play(carrier, configuration) { stage in
            stage.server.react = { input in
                switch input {
                case .requested(let id, _): [.respond(id, Response(text: "pong", status: .ok))]
                case .upgradeRequested(let id, _): [.accept(id, subprotocol: nil)]
                case .received(let id, let message): [.transmit(id, message)]
                default: []
                }
            }
            stage.client(.send(ExchangeID(1), Request(stage.head(.post), body: Array("ping".utf8)))) {
                stage.client.inputs.count == 1
            }
            stage.client(.open(ConnectionID(1), stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 2
            }
            stage.client(.transmit(ConnectionID(1), .text("hi"))) { stage.client.inputs.count == 3 }
            stage.client(.close(ConnectionID(1), code: 1000, reason: "")) { stage.client.inputs.count == 4 }
        }
        return recorder
    }

    @Test("What one side sends, the other receives, byte for byte", arguments: Carrier.inMemory)
    func bothSides(carrier: Carrier) throws {
        let recorder = try Self.record(carrier)
        for number in 1...2 {
            let sent = recorder.bytes("client/\(number)", .sent)
            #expect(!sent.isEmpty)
            #expect(recorder.bytes("client/\(number)", .received).isEmpty == false)
        }
        let connections = Set(recorder.records.map(\.connection)).filter { $0.hasPrefix("server") }.sorted()
        #expect(connections.count == 2)
        for (client, server) in zip(["client/1", "client/2"], connections) {
            #expect(recorder.bytes(client, .sent) == recorder.bytes(server, .received))
            #expect(recorder.bytes(server, .sent) == recorder.bytes(client, .received))
        }
    }

    @Test("Requests, responses and messages are shown decoded, with their instants")
    func units() throws {
        let records = try Self.record(.memory).records.filter { $0.connection.hasPrefix("client") }
        let frames = records.compactMap { record in
            if case .frame(let opcode, let payload) = record.content {
                "\(record.direction) \(opcode) \(payload.count)"
            } else {
                nil
            }
        }
        #expect(frames == ["sent text 2", "received text 2", "sent close 2", "received close 2"])
        let responses = records.filter { if case .response = $0.content { true } else { false } }
        #expect(responses.count == 2)
        #expect(responses.first?.at == Instant.start + .milliseconds(12))
    }

    @Test("The same seed gives the same capture", arguments: Carrier.inMemory)
    func determinism(carrier: Carrier) throws {
        #expect(try Self.record(carrier).records == Self.record(carrier).records)
    }
}
