import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import NIOCore
import Testing

@Suite("Connect framing")
struct ConnectFramingTests {
    @Test("Envelopes survive any cutting of the bytes", arguments: 0..<50)
    func cutting(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let envelopes = (0..<Int.random(in: 1...12, using: &random)).map { index in
            ConnectEnvelope(
                flags: index % 5 == 4 ? ConnectEnvelope.endOfStream : 0,
                payload: ByteBuffer(repeating: UInt8(index), count: Int.random(in: 0...300, using: &random)))
        }
        var bytes = ByteBuffer()
        for envelope in envelopes { envelope.write(into: &bytes) }
        var decoder = ConnectEnvelopeDecoder(limits: .standard)
        var decoded: [ConnectEnvelope] = []
        while bytes.readableBytes > 0 {
            let count = Int.random(in: 1...min(40, bytes.readableBytes), using: &random)
            guard let slice = bytes.readSlice(length: count) else { break }
            decoder.append(slice)
            while let envelope = try decoder.next() { decoded.append(envelope) }
        }
        #expect(decoded == envelopes)
        #expect(decoder.isAtBoundary)
    }

    @Test("A message over the limit is refused as soon as its length is known")
    func tooLarge() throws {
        var decoder = ConnectEnvelopeDecoder(limits: ConnectLimits(maximumMessageSize: 100))
        decoder.append(ByteBuffer(bytes: [0, 0, 0, 0, 101]))
        let error = #expect(throws: BatonError.self) { try decoder.next() }
        #expect(error?.code == .resourceExhausted)
    }

    @Test("Compressed or unknown envelopes are refused", arguments: [UInt8(1), 3, 4, 128, 255])
    func flags(flags: UInt8) throws {
        var decoder = ConnectEnvelopeDecoder(limits: .standard)
        decoder.append(ByteBuffer(bytes: [flags, 0, 0, 0, 0]))
        let error = #expect(throws: BatonError.self) { try decoder.next() }
        #expect(error?.code == .unimplemented)
    }

    @Test("Random bytes never crash the decoder", arguments: 0..<200)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var decoder = ConnectEnvelopeDecoder(limits: ConnectLimits(maximumMessageSize: 1000))
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...UInt8.random(in: 0...255, using: &random), using: &random)
            }
            decoder.append(ByteBuffer(bytes: bytes))
            do {
                while try decoder.next() != nil {}
            } catch { return }
        }
    }

    @Test("Every code has its status, and an error comes back as it was", arguments: BatonError.Code.allCases)
    func errors(code: BatonError.Code) throws {
        let error = BatonError(code, reason: "why", "What to do: “quote” /slash.")
        let status = ConnectError.status(of: code)
        #expect((400...599).contains(status))
        let unary = ConnectError.decode(ConnectError.json(error), status: status)
        #expect(unary.code == code && unary.reason == "why" && unary.message == error.message)
        let stream = try #require(try ConnectError.decodeEndOfStream(ConnectError.endOfStream(error)))
        #expect(stream.code == code && stream.message == error.message)
    }

    @Test("A stream that ended well says so")
    func goodEnd() throws {
        #expect(try ConnectError.decodeEndOfStream(ConnectError.endOfStream(nil)) == nil)
        #expect(throws: BatonError.self) { try ConnectError.decodeEndOfStream(Data("nonsense".utf8)) }
    }

    @Test("An answer that is not of this protocol gets a code by its status")
    func foreign() {
        #expect(ConnectError.decode(Data("<html>".utf8), status: 503).code == .unavailable)
        #expect(ConnectError.decode(Data(), status: 404).code == .unimplemented)
        #expect(ConnectError.decode(Data(#"{"code":"made_up"}"#.utf8), status: 400).code == .unknown)
    }

    @Test("Timeouts are one to ten digits", arguments: ["", "-1", "1.5", "12345678901", " 1", "1s", "٣"])
    func badTimeouts(text: String) {
        #expect(throws: BatonError.self) { try ConnectTimeout.parse(text) }
    }

    @Test("Timeouts come back")
    func timeouts() throws {
        #expect(try ConnectTimeout.parse(ConnectTimeout.format(.milliseconds(1500))) == .milliseconds(1500))
        #expect(try ConnectTimeout.parse(ConnectTimeout.format(.microseconds(1))) == .milliseconds(1))
        #expect(ConnectTimeout.format(.seconds(100_000_000_000)) == "9999999999")
        #expect(try ConnectTimeout.parse("0") == .zero)
    }

    @Test("Content types are recognised with their parameters, and no others")
    func contentTypes() {
        #expect(ConnectCodec(unaryContentType: "application/json; charset=utf-8") == .json)
        #expect(ConnectCodec(unaryContentType: "application/proto") == .proto)
        #expect(ConnectCodec(streamContentType: "application/connect+proto") == .proto)
        for other in ["", "text/plain", "application/", "application/connect+proto", "application/grpc"] {
            #expect(ConnectCodec(unaryContentType: other) == nil)
        }
    }
}
