import JSON
import Machines

/// Sound to speak to the server: samples of 16 bits, one channel.
struct Recording: Hashable, Sendable {
    /// The samples.
    let samples: [Int16]

    /// Samples in a second.
    let rate: Int

    /// The rate of sound that is made here; the rate that speech recognition works with.
    static let standardRate = 16_000

    /// At most this many samples are taken: five minutes of the standard rate.
    static let limit = 300 * standardRate

    /// Makes a tone, a triangle wave.
    ///
    /// - Parameters:
    ///   - frequency: Swings in a second.
    ///   - seconds: How long; held to five minutes.
    ///   - amplitude: From 0 (silence) to 1.
    init(tone frequency: Double, seconds: Double, amplitude: Double) {
        let length = seconds.isNaN ? 0 : min(max(seconds, 0), Double(Self.limit / Self.standardRate))
        let count = Int(length * Double(Self.standardRate))
        let peak = amplitude.isNaN ? 0 : min(max(amplitude, 0), 1) * 32_767
        let frequency = frequency.isFinite ? frequency : 0
        self.rate = Self.standardRate
        self.samples = (0..<count).map { index in
            let phase = (Double(index) * frequency / Double(Self.standardRate)).truncatingRemainder(dividingBy: 1)
            let swing = phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
            return Int16((swing * peak).rounded())
        }
    }

    /// Reads the arguments of the method `start_recording`: a file, or a tone.
    ///
    /// - Throws: That the file cannot be read.
    init(script arguments: JSONObject) throws(CommandError) {
        guard let encoded = (arguments["file"]?["base64"] ?? arguments["wav"])?.string else {
            self.init(
                tone: arguments["frequency"]?.double ?? 220, seconds: arguments["duration"]?.double ?? 1,
                amplitude: arguments["amplitude"]?.double ?? 0.5)
            return
        }
        guard let bytes = Base64.decode(encoded), let recording = Recording(wav: bytes) else {
            throw CommandError(
                "start_recording takes a WAV file with uncompressed samples of 16 bits: file is its path, wav its "
                    + "bytes in base64; convert others, as with `sox in.mp3 -b 16 out.wav`")
        }
        self = recording
    }

    /// Reads a WAV file with uncompressed samples of 16 bits; of several channels the first is taken.
    ///
    /// - Returns: Nil if the bytes are no such file.
    init?(wav bytes: [UInt8]) {
        func number(_ offset: Int, _ width: Int) -> Int? {
            guard offset >= 0, offset + width <= bytes.count else { return nil }
            return (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8)
        else { return nil }
        var offset = 12
        var format: (channels: Int, rate: Int)?
        while let size = number(offset + 4, 4) {
            let name = bytes[offset..<offset + 4]
            let start = offset + 8
            if name.elementsEqual("fmt ".utf8) {
                guard number(start, 2) == 1, number(start + 14, 2) == 16, let channels = number(start + 2, 2),
                    let rate = number(start + 4, 4), channels > 0, 1000...192_000 ~= rate
                else { return nil }
                format = (channels, rate)
            } else if name.elementsEqual("data".utf8) {
                guard let format else { return nil }
                let width = format.channels * 2
                let count = min(min(size, bytes.count - start) / width, Self.limit)
                self.rate = format.rate
                self.samples = (0..<count).map { index in
                    let position = start + index * width
                    return Int16(bitPattern: UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8)
                }
                return
            }
            // Chunks begin at even offsets.
            offset = start + size + size % 2
        }
        return nil
    }

    /// The loudness of some samples, from 0 to 1: the root of the mean square.
    static func level(of samples: ArraySlice<Int16>) -> Double {
        guard !samples.isEmpty else { return 0 }
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(samples.count)).squareRoot() / 32_768
    }
}
