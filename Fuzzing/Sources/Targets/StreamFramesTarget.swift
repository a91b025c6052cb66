import BatonCore
import BatonWire
import NIOCore

/// Bytes on the connection of a pair of continuation streams: the head of the upgrade, then frames, in reads whose
/// length the first byte says.
enum StreamFramesTarget: FuzzTarget {
    static let name = "stream-frames"

    static func seeds() -> [[UInt8]] {
        var bytes = ByteBuffer(bytes: [3])
        PipeHead(
            start: "HTTP/1.1 101 Switching Protocols",
            fields: ["connection": "upgrade", "upgrade": PipeHead.upgrade, "content-length": "0"]
        ).write(into: &bytes)
        StreamFrame.data(count: 5).write(into: &bytes)
        bytes.writeString("hello")
        for frame in [StreamFrame.credit(1 << 18), .end, .stop, .done] { frame.write(into: &bytes) }
        return [Array(bytes.readableBytesView)]
    }

    static func run(_ bytes: [UInt8]) {
        guard let step = bytes.first.map({ Int($0) + 1 }) else { return }
        var rest = ByteBuffer(bytes: bytes.dropFirst())
        if let head = try? PipeHead.read(from: &rest) {
            var written = ByteBuffer()
            head.write(into: &written)
            precondition((try? PipeHead.read(from: &written)) == head, "a head that was read reads differently")
            _ = try? head.contentLength(limit: 1 << 20)
        } else {
            rest = ByteBuffer(bytes: bytes.dropFirst())
        }
        let stream = Array(rest.readableBytesView)
        precondition(
            items(stream, step: max(stream.count, 1)) == items(stream, step: step),
            "the frames depend on how the bytes are cut")
    }

    /// The bytes of the stream, and the frames between them.
    private static func items(_ stream: [UInt8], step: Int) -> [String] {
        var decoder = StreamFrameDecoder()
        var end = StreamEnd()
        var found: [String] = []
        var data: [UInt8] = []
        func flush() {
            if !data.isEmpty { found.append("data \(data)") }
            data = []
        }
        for start in Swift.stride(from: 0, to: stream.count, by: step) {
            decoder.append(ByteBuffer(bytes: stream[start..<min(start + step, stream.count)]))
            do throws(BatonError) {
                while let item = try decoder.next() {
                    if case .data(let bytes) = item {
                        data += Array(bytes.readableBytesView)
                    } else {
                        flush()
                        found.append("\(item)")
                    }
                    _ = end.room
                }
            } catch {
                flush()
                return found + [error.reason]
            }
        }
        flush()
        return found
    }
}
