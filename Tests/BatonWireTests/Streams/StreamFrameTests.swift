import BatonCore
import BatonTestSupport
import BatonWire
import NIOCore
import Testing

@Suite("Frames of continuation streams")
struct StreamFrameTests {
    private enum Part: Equatable {
        case bytes([UInt8])
        case credit(Int)
        case end
        case stop
        case done
    }

    @Test("Frames survive any cutting of the bytes", arguments: 0..<50)
    func cutting(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = ByteBuffer()
        var sent: [Part] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let count = Int.random(in: 1...300, using: &random)
                let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                StreamFrame.data(count: count).write(into: &bytes)
                bytes.writeBytes(data)
                if case .bytes(let before)? = sent.last {
                    sent[sent.count - 1] = .bytes(before + data)
                } else {
                    sent.append(.bytes(data))
                }
            case 1:
                let count = Int.random(in: 1...1 << 20, using: &random)
                StreamFrame.credit(count).write(into: &bytes)
                sent.append(.credit(count))
            case 2:
                StreamFrame.end.write(into: &bytes)
                sent.append(.end)
            case 3:
                StreamFrame.stop.write(into: &bytes)
                sent.append(.stop)
            default:
                StreamFrame.done.write(into: &bytes)
                sent.append(.done)
            }
        }
        var decoder = StreamFrameDecoder()
        var received: [Part] = []
        while bytes.readableBytes > 0 {
            let count = Int.random(in: 1...min(40, bytes.readableBytes), using: &random)
            guard let piece = bytes.readSlice(length: count) else { break }
            decoder.append(piece)
            while let item = try decoder.next() {
                switch item {
                case .data(let part):
                    if case .bytes(let before)? = received.last {
                        received[received.count - 1] = .bytes(before + Array(part.readableBytesView))
                    } else {
                        received.append(.bytes(Array(part.readableBytesView)))
                    }
                case .credit(let count): received.append(.credit(count))
                case .end: received.append(.end)
                case .stop: received.append(.stop)
                case .done: received.append(.done)
                }
            }
        }
        #expect(received == sent)
    }

    @Test(
        "A frame of an unknown kind or a wrong length is refused as soon as its head is there",
        arguments: [
            [5, 0, 0, 0], [255, 0, 0, 1], [0, 0, 0, 0], [0, 1, 0, 1], [0, 255, 255, 255], [1, 0, 0, 3], [1, 0, 0, 5],
            [2, 0, 0, 1], [3, 1, 0, 0], [4, 0, 0, 9],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        var decoder = StreamFrameDecoder()
        decoder.append(ByteBuffer(bytes: bytes))
        let error = #expect(throws: BatonError.self) { try decoder.next() }
        #expect(error?.reason == "malformed_stream_frame")
    }

    @Test("Random bytes never crash the decoder", arguments: 0..<200)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var decoder = StreamFrameDecoder()
        for _ in 0..<30 {
            let most = UInt8.random(in: 0...8, using: &random)
            decoder.append(
                ByteBuffer(
                    bytes: (0..<Int.random(in: 0...64, using: &random)).map { _ in
                        UInt8.random(in: 0...most, using: &random)
                    }))
            do {
                while try decoder.next() != nil {}
            } catch { return }
        }
    }

    @Test("The head of an upgrade is read from any pieces, and what follows it is left alone")
    func head() throws {
        let text = "POST /x HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: baton-stream/1\r\nContent-Length: 3\r\n\r\nabc"
        var buffer = ByteBuffer()
        for (index, byte) in text.utf8.enumerated() {
            buffer.writeInteger(byte)
            guard index == text.utf8.count - 4 else {
                if index < text.utf8.count - 4 {
                    let early = try PipeHead.read(from: &buffer)
                    #expect(early == nil)
                }
                continue
            }
            let read = try PipeHead.read(from: &buffer)
            let head = try #require(read)
            #expect(head.start == "POST /x HTTP/1.1")
            #expect(head.isUpgrade)
            #expect(try head.contentLength(limit: 10) == 3)
        }
        #expect(String(buffer: buffer) == "abc")
    }

    @Test(
        "A head that breaks a rule is refused",
        arguments: [
            "X\r\nno colon\r\n\r\n", "X\r\na: 1\r\nA: 2\r\n\r\n", "X\r\na b: 1\r\n\r\n", "X\r\n: 1\r\n\r\n",
            "X\r\na: \u{1}\r\n\r\n", "\r\n\r\n\r\n\r\n", "X\u{7}\r\n\r\n", String(repeating: "a", count: 9000),
            "X\r\n" + (0..<40).map { "a\($0): 1\r\n" }.joined() + "\r\n",
        ])
    func malformedHead(text: String) {
        var buffer = ByteBuffer(string: text)
        let error = #expect(throws: BatonError.self) { try PipeHead.read(from: &buffer) }
        #expect(error?.reason == "malformed_upgrade")
    }

    @Test(
        "A length that is no number or over the limit is refused",
        arguments: ["-1", "", "1e3", "9999999999", "11", "٣"])
    func wrongLength(text: String) {
        let head = PipeHead(start: "X", fields: ["content-length": text])
        #expect(throws: BatonError.self) { try head.contentLength(limit: 10) }
    }
}
