import BatonCommands
import BatonCore

/// Bytes that a browser sends to the extension's host: frames of JSON, in reads whose length the first byte says.
enum NativeMessagingTarget: FuzzTarget {
    static let name = "native-messaging"

    static func seeds() throws -> [[UInt8]] {
        let messages = [
            #"{"kind":"page","url":"https://example.com/ä?b#c","title":"T","visit":true}"#, #"{"kind":"watchOffers"}"#,
            #"{"kind":"open","offerId":"AAAAAAAAAAAAAAAAAAAAAAAAAA","request":1}"#, #"{"kind":"noPage"}"#, "[[[]]]",
        ]
        let frames = try messages.flatMap { try NativeMessaging.frame(Array($0.utf8)) }
        return [[3] + frames, [255] + frames, [0, 0, 0, 1, 0] + frames]
    }

    static func run(_ bytes: [UInt8]) {
        guard let step = bytes.first.map({ Int($0) + 1 }) else { return }
        let stream = Array(bytes.dropFirst())
        let whole = items(stream, step: max(stream.count, 1))
        precondition(whole == items(stream, step: step), "the frames depend on how the bytes are cut")
        for case .frame(.message(let message)) in whole {
            precondition(
                items((try? NativeMessaging.frame(message)) ?? [], step: 1) == [
                    .frame(.message(message)), .end(false),
                ],
                "a message that was read reads differently")
            guard case .page(let page, _)? = try? ExtensionMessage(message) else { continue }
            precondition((try? WebPage(page.url)) == page.address, "an address that was taken reads differently")
        }
    }

    private enum Item: Equatable {
        case frame(NativeMessaging.Frame)
        case failure(String)
        /// Whether a frame had begun.
        case end(Bool)
    }

    private static func items(_ stream: [UInt8], step: Int) -> [Item] {
        var decoder = NativeMessaging.Decoder()
        var found: [Item] = []
        for start in Swift.stride(from: 0, to: stream.count, by: step) {
            decoder.append(stream[start..<min(start + step, stream.count)])
            do throws(BatonError) {
                while let frame = try decoder.next() { found.append(.frame(frame)) }
            } catch {
                return found + [.failure(error.reason)]
            }
        }
        return found + [.end(decoder.isWithinFrame)]
    }
}
