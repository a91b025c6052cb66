import BatonCore
import BatonWire
import Foundation
import NIOCore
import SwiftProtobuf

/// Bytes of a peer on a Connect stream, cut into reads: the first byte says how long each is.
enum ConnectTarget: FuzzTarget {
    static let name = "connect"

    private static let limits = ConnectLimits(maximumMessageSize: 1 << 20)

    static func seeds() throws -> [[UInt8]] {
        var stream = ByteBuffer(bytes: [7])
        let frame = Baton_Link_V1_PresenceFrame.with {
            $0.topic = .with {
                $0.topic = PresenceTopics.offers.name
                $0.version = 1
                $0.value = Data("com.example.reading".utf8)
            }
        }
        ConnectEnvelope(payload: try ConnectCodec.proto.encode(frame)).write(into: &stream)
        ConnectEnvelope(payload: try ConnectCodec.json.encode(frame)).write(into: &stream)
        let failure = BatonError(.notFound, reason: "no_such_offer", "There is no such offer.")
        ConnectEnvelope(
            flags: ConnectEnvelope.endOfStream, payload: ByteBuffer(bytes: ConnectError.endOfStream(failure))
        ).write(into: &stream)
        return [Array(stream.readableBytesView), [1] + Array(ConnectError.json(failure))]
    }

    static func run(_ bytes: [UInt8]) {
        guard let step = bytes.first.map({ Int($0) + 1 }) else { return }
        let stream = Array(bytes.dropFirst())
        let whole = envelopes(stream, step: max(stream.count, 1))
        precondition(whole == envelopes(stream, step: step), "the envelopes depend on how the bytes are cut")
        for envelope in whole.compactMap({ try? $0.get() }) {
            if envelope.isEndOfStream {
                _ = try? ConnectError.decodeEndOfStream(Data(envelope.payload.readableBytesView))
            } else {
                check(envelope.payload)
            }
        }
        _ = ConnectError.decode(Data(stream), status: 400)
        _ = try? ConnectTimeout.parse(String(decoding: stream, as: UTF8.self))
        _ = ConnectCodec(streamContentType: String(decoding: stream, as: UTF8.self))
    }

    private static func envelopes(_ stream: [UInt8], step: Int) -> [Result<ConnectEnvelope, Failure>] {
        var decoder = ConnectEnvelopeDecoder(limits: limits)
        var found: [Result<ConnectEnvelope, Failure>] = []
        for start in Swift.stride(from: 0, to: stream.count, by: step) {
            decoder.append(ByteBuffer(bytes: stream[start..<min(start + step, stream.count)]))
            do throws(BatonError) {
                while let envelope = try decoder.next() { found.append(.success(envelope)) }
            } catch {
                return found + [.failure(Failure(reason: error.reason))]
            }
        }
        return found
    }

    private struct Failure: Error, Equatable { var reason: String }

    /// A message that is read in either form is written and read as the same again.
    private static func check(_ payload: ByteBuffer) {
        for codec in [ConnectCodec.proto, .json] {
            guard let frame = try? codec.decode(Baton_Link_V1_PresenceFrame.self, from: payload) else { continue }
            guard let binary = try? ConnectCodec.proto.encode(frame),
                let again = try? ConnectCodec.proto.decode(Baton_Link_V1_PresenceFrame.self, from: binary)
            else { preconditionFailure("what was read cannot be written and read again") }
            precondition(again == frame, "what was read reads differently")
        }
    }
}
