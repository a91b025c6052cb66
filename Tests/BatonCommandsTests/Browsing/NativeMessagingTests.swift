import BatonCommands
import BatonCore
import BatonTestSupport
import Testing

struct NativeMessagingTests {
    private static func frame(_ text: String) throws -> [UInt8] { try NativeMessaging.frame(Array(text.utf8)) }

    @Test("A frame is the length in the machine's byte order, and the message")
    func frames() throws {
        let head = withUnsafeBytes(of: UInt32(2)) { Array($0) }
        #expect(try Self.frame("{}") == head + Array("{}".utf8))
        #expect(throws: BatonError.self) {
            try NativeMessaging.frame([UInt8](repeating: 0, count: NativeMessaging.maximumOutgoing + 1))
        }
        #expect(
            try NativeMessaging.frame([UInt8](repeating: 0, count: NativeMessaging.maximumOutgoing)).count
                == 4 + NativeMessaging.maximumOutgoing)
    }

    @Test("Messages come out as they went in, however their bytes are cut")
    func cuts() throws {
        var generator = SeededGenerator(seed: 0xBA70)
        for round in 0..<200 {
            let messages = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                (0..<Int.random(in: 1...300, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                }
            }
            var bytes = try messages.flatMap { try NativeMessaging.frame($0) }[...]
            var decoder = NativeMessaging.Decoder()
            var decoded: [[UInt8]] = []
            while !bytes.isEmpty {
                let count = min(bytes.count, Int.random(in: 1...97, using: &generator))
                decoder.append(bytes.prefix(count))
                bytes = bytes.dropFirst(count)
                while case .message(let message)? = try decoder.next() { decoded.append(message) }
            }
            #expect(decoded == messages, "round \(round) of seed 0xBA70")
            #expect(!decoder.isWithinFrame)
        }
    }

    @Test("A message over the limit is passed over without being kept, however its bytes are cut, and the next is read")
    func skips() throws {
        var generator = SeededGenerator(seed: 0x5C1B)
        for round in 0..<100 {
            let length = Int.random(in: 11...500, using: &generator)
            var bytes = try (Self.frame(String(repeating: "x", count: length)) + Self.frame("{}"))[...]
            var decoder = NativeMessaging.Decoder(limit: 10)
            var frames: [NativeMessaging.Frame] = []
            while !bytes.isEmpty {
                let count = min(bytes.count, Int.random(in: 1...97, using: &generator))
                decoder.append(bytes.prefix(count))
                bytes = bytes.dropFirst(count)
                while let frame = try decoder.next() { frames.append(frame) }
            }
            #expect(
                frames == [.skipped(length: length), .message(Array("{}".utf8))], "round \(round) of seed 0x5C1B")
            #expect(!decoder.isWithinFrame)
        }
    }

    @Test("A message whose length none would have, or without content, is refused before its bytes are taken")
    func limits() throws {
        var decoder = NativeMessaging.Decoder(limit: 10)
        decoder.append(try Self.frame("0123456789"))
        #expect(try decoder.next() == .message(Array("0123456789".utf8)))
        decoder.append(withUnsafeBytes(of: UInt32(NativeMessaging.maximumSkipped + 1)) { Array($0) })
        #expect(throws: BatonError.self) { try decoder.next() }

        var huge = NativeMessaging.Decoder()
        huge.append([0xFF, 0xFF, 0xFF, 0xFF])
        do {
            _ = try huge.next()
            Issue.record("a message of four gigabytes was taken")
        } catch {
            #expect(error.reason == "message_too_large")
        }
        var empty = NativeMessaging.Decoder()
        empty.append([0, 0, 0, 0])
        #expect(throws: BatonError.self) { try empty.next() }
    }

    @Test("A frame that is cut is noticed, also one that is passed over")
    func truncated() throws {
        var skipping = NativeMessaging.Decoder(limit: 1)
        skipping.append(try Self.frame("{}").dropLast())
        _ = try skipping.next()
        #expect(try skipping.next() == nil)
        #expect(skipping.isWithinFrame)

        var decoder = NativeMessaging.Decoder()
        decoder.append(try Self.frame("{}").dropLast())
        #expect(try decoder.next() == nil)
        #expect(decoder.isWithinFrame)
    }

    @Test("Any bytes end in messages or an error, never in a trap")
    func anyBytes() {
        var generator = SeededGenerator(seed: 0xF022)
        for _ in 0..<2000 {
            var decoder = NativeMessaging.Decoder(limit: 64)
            var host = BrowserHost()
            let count = Int.random(in: 0...200, using: &generator)
            // Small lengths, so that there are messages at all.
            decoder.append(
                (0..<count).map { _ in
                    UInt8.random(in: 0...(Bool.random(using: &generator) ? 3 : 255), using: &generator)
                })
            while let frame = try? decoder.next() {
                guard case .message(let message) = frame else { continue }
                _ = host.handle(.received(message))
            }
        }
    }
}
