import Machines
import Testing
import Transport

@Suite("What the codec of WebSocket frames says of the control frames that it writes")
struct WrittenControlTests {
    @Test("It tells each one once, as it was before its mask", arguments: [WebSocketCodec.Role.client, .server])
    func told(role: WebSocketCodec.Role) {
        var codec = WebSocketCodec(role: role)
        var random = RandomSource(seed: 3)
        var output: [UInt8] = []
        #expect(codec.takeWrittenControl() == nil)

        codec.write(.text("a message is none"), into: &output, random: &random)
        #expect(codec.takeWrittenControl() == nil)

        // A ping of the peer, which the codec answers by itself; the mask of zeros leaves the payload as it is.
        let mask: [UInt8] = role == .server ? [0, 0, 0, 0] : []
        let ping = [0x89, (role == .server ? 0x80 : 0) | 2] + mask + [7, 8]
        var offset = 0
        #expect(codec.next(ping.span, at: &offset, output: &output, random: &random) == .ping([7, 8]))
        let pong = codec.takeWrittenControl()
        #expect(pong?.opcode == .pong && pong?.payload == [7, 8])

        codec.close(code: 1000, reason: "done", into: &output, random: &random)
        let close = codec.takeWrittenControl()
        #expect(close?.opcode == .close && close?.payload == [0x03, 0xE8] + Array("done".utf8))
        codec.close(code: 1000, reason: "again", into: &output, random: &random)
        #expect(codec.takeWrittenControl() == nil)
    }
}
