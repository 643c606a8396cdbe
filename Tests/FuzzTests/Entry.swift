import Foundation

/// What libFuzzer calls with each input; `FUZZ_DECODER` names the decoder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let chosen: Decoder = {
    let name = ProcessInfo.processInfo.environment["FUZZ_DECODER"] ?? ""
    guard let decoder = Decoder(rawValue: name) else {
        fatalError("FUZZ_DECODER is one of \(Decoder.allCases.map(\.rawValue).joined(separator: " "))")
    }
    return decoder
}()

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The program, under the name by which the package manager calls that of an executable target.
@_cdecl("fuzz_decoders_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var (count, arguments) = (count, arguments)
    return runFuzzer(&count, &arguments) { fuzzOneInput($0, $1) }
}
