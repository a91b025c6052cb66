import BatonCore
import BatonWire
import Foundation
import NIOCore
import SwiftProtobuf
import Testing

/// docs/vectors.json was computed by other code than this; docs/protocol.md refers to it.
struct ProtocolVectorTests {
    private struct Vectors: Decodable {
        struct Text: Decodable {
            var hex: String
            var text: String
        }
        struct Refused: Decodable {
            var why: String
            var binary: String
        }
        struct Envelope: Decodable {
            var flags: UInt8
            var payload: String
            var bytes: String
        }
        struct ErrorCode: Decodable {
            var code: String
            var status: Int
            var retriable: Bool
        }
        struct ErrorBody: Decodable {
            var code: String
            var reason: String
            var message: String
            var json: String
            var end_of_stream: String
        }
        struct Timeout: Decodable {
            var text: String
            var milliseconds: Int
        }

        var base32: [Text]
        var property_values_refused: [Refused]
        var envelopes: [Envelope]
        var errors: [ErrorCode]
        var error_body: ErrorBody
        var timeouts: [Timeout]
        var timeouts_refused: [String]
        var stream_frames: [StreamFrameVector]
    }

    private struct StreamFrameVector: Decodable {
        var kind: String
        var value: String
        var bytes: String
    }

    private let data: Data
    private let vectors: Vectors

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/vectors.json")
        data = try Data(contentsOf: file)
        vectors = try JSONDecoder().decode(Vectors.self, from: data)
    }

    @Test("Base32 is written and read as the vectors say")
    func base32() throws {
        #expect(vectors.base32.count == 10)
        for vector in vectors.base32 {
            let bytes = try #require(Self.bytes(vector.hex))
            #expect(Base32.encode(bytes) == vector.text)
            #expect(Base32.decode(vector.text) == bytes)
            #expect(Base32.decode(vector.text.lowercased()) == bytes)
        }
    }

    // H-23, X-9: every kind of value, each as itself.
    @Test("Each kind of property value has the binary and the JSON form of the vectors, and comes back as it was")
    func propertyValues() throws {
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let rows = try #require(document["property_values"] as? [[String: Any]])
        #expect(rows.count == 19)
        for row in rows {
            let binary = try #require(Self.bytes(row["binary"] as? String ?? ""))
            let json = try JSONSerialization.data(withJSONObject: try #require(row["json"]))
            let message = try Baton_Value_V1_PropertyValue(serializedBytes: binary)
            #expect(message == (try Baton_Value_V1_PropertyValue(jsonUTF8Data: json)))
            let value = try PropertyValue(message)
            #expect(Baton_Value_V1_PropertyValue(value) == message)
            #expect(try Baton_Value_V1_PropertyValue(value).serializedBytes() as [UInt8] == binary)
        }
    }

    @Test("Property values that must be refused are")
    func refusedPropertyValues() throws {
        #expect(vectors.property_values_refused.count == 7)
        for vector in vectors.property_values_refused {
            let binary = try #require(Self.bytes(vector.binary))
            let message = try Baton_Value_V1_PropertyValue(serializedBytes: binary)
            #expect(throws: BatonError.self, "\(vector.why)") { try PropertyValue(message) }
        }
    }

    @Test("Envelopes are written and cut as the vectors say, also when they arrive byte by byte")
    func envelopes() throws {
        var decoder = ConnectEnvelopeDecoder(limits: .standard)
        for vector in vectors.envelopes {
            let payload = ByteBuffer(bytes: try #require(Self.bytes(vector.payload)))
            let bytes = try #require(Self.bytes(vector.bytes))
            let envelope = ConnectEnvelope(flags: vector.flags, payload: payload)
            var buffer = ByteBuffer()
            envelope.write(into: &buffer)
            #expect(Array(buffer.readableBytesView) == bytes)
            for byte in bytes.dropLast() {
                decoder.append(ByteBuffer(bytes: [byte]))
                #expect(try decoder.next() == nil)
            }
            decoder.append(ByteBuffer(bytes: bytes.suffix(1)))
            #expect(try decoder.next() == envelope)
            #expect(decoder.isAtBoundary)
        }
    }

    @Test("Every code has the HTTP status of the vectors, and says whether a retry can help")
    func errorCodes() throws {
        #expect(vectors.errors.map(\.code).sorted() == BatonError.Code.allCases.map(\.rawValue).sorted())
        for vector in vectors.errors {
            let code = try #require(BatonError.Code(rawValue: vector.code))
            #expect(ConnectError.status(of: code) == vector.status)
            #expect(code.isRetriable == vector.retriable)
        }
    }

    @Test("An error has the body and the end of a stream of the vectors")
    func errorBody() throws {
        let vector = vectors.error_body
        let code = try #require(BatonError.Code(rawValue: vector.code))
        let error = BatonError(code, reason: vector.reason, vector.message)
        #expect(String(decoding: ConnectError.json(error), as: UTF8.self) == vector.json)
        #expect(String(decoding: ConnectError.endOfStream(error), as: UTF8.self) == vector.end_of_stream)
        let read = ConnectError.decode(Data(vector.json.utf8), status: 404)
        #expect(read.code == code && read.reason == vector.reason && read.message == vector.message)
        #expect(try ConnectError.decodeEndOfStream(Data(vector.end_of_stream.utf8))?.reason == vector.reason)
    }

    @Test("Timeouts are read and written as the vectors say")
    func timeouts() throws {
        for vector in vectors.timeouts {
            #expect(try ConnectTimeout.parse(vector.text) == .milliseconds(vector.milliseconds))
            #expect(ConnectTimeout.format(.milliseconds(vector.milliseconds)) == vector.text)
        }
        for text in vectors.timeouts_refused {
            #expect(throws: BatonError.self) { try ConnectTimeout.parse(text) }
        }
    }

    @Test("Frames of continuation streams are written and read as the vectors say (H-80)")
    func streamFrames() throws {
        #expect(vectors.stream_frames.count == 7)
        for vector in vectors.stream_frames {
            let value = try #require(Self.bytes(vector.value))
            let number = value.reduce(0) { $0 << 8 | Int($1) }
            let (frame, item): (StreamFrame, StreamFrameDecoder.Item) =
                switch vector.kind {
                case "data": (.data(count: value.count), .data(ByteBuffer(bytes: value)))
                case "credit": (.credit(number), .credit(number))
                case "end": (.end, .end)
                case "stop": (.stop, .stop)
                default: (.done, .done)
                }
            var written = ByteBuffer()
            frame.write(into: &written)
            if case .data = frame { written.writeBytes(value) }
            let bytes = try #require(Self.bytes(vector.bytes))
            #expect(Array(written.readableBytesView) == bytes)
            var decoder = StreamFrameDecoder()
            decoder.append(ByteBuffer(bytes: bytes))
            let read = try decoder.next()
            #expect(read == item)
        }
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        guard hex.utf8.count % 2 == 0 else { return nil }
        let digits = Array(hex)
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
