import BatonCommands
import BatonCore
import BatonTestSupport
import Testing

struct ExtensionMessageTests {
    private static let offer = ActivityID.random()

    private static func read(_ text: String) throws -> ExtensionMessage { try ExtensionMessage(Array(text.utf8)) }

    @Test("Each kind of message is read")
    func kinds() throws {
        let page = try BrowsedPage(url: "https://example.com/a?b#c", title: "A “page”")
        #expect(
            try Self.read(#"{"kind":"page","url":"https://example.com/a?b#c","title":"A “page”","visit":true}"#)
                == .page(page, isVisit: true))
        #expect(
            try Self.read(#"{"kind":"page","url":"http://127.0.0.1:8080/","visit":false,"later":[1,{}]}"#)
                == .page(try BrowsedPage(url: "http://127.0.0.1:8080/", title: nil), isVisit: false))
        #expect(try Self.read(#"{"kind":"noPage"}"#) == .noPage)
        #expect(try Self.read(#"{"kind":"watchOffers"}"#) == .watchOffers)
        #expect(try Self.read(#"{"kind":"status"}"#) == .status)
        #expect(
            try Self.read(#"{"kind":"suggest","field":"street-address","request":9}"#)
                == .suggest(field: "street-address", request: 9))
        #expect(
            try Self.read(#"{"kind":"open","offerId":"\#(Self.offer)","request":7}"#)
                == .open(offer: Self.offer, request: 7))
        #expect(
            try Self.read(#"{"kind":"continue","offerId":"\#(Self.offer)","request":0}"#)
                == .continue(offer: Self.offer, request: 0))
    }

    @Test(
        "A message that is malformed, of a wrong type, ambiguous or unknown is refused with a reason",
        arguments: [
            "", "{", "[]", "null", "\"page\"", "{}", #"{"kind":1}"#, #"{"kind":"page"}"#, #"{"kind":"noPage"} x"#,
            #"{"kind":"page","url":"https://a.example/","visit":"yes"}"#,
            #"{"kind":"page","url":"https://a.example/","visit":1}"#,
            #"{"kind":"page","url":["https://a.example/"],"visit":true}"#,
            #"{"kind":"page","url":"https://a.example/","title":{},"visit":true}"#,
            #"{"kind":"noPage","kind":"status"}"#, #"{"kind":"open","request":1}"#,
            #"{"kind":"open","offerId":"short","request":1}"#,
            #"{"kind":"open","offerId":"AAAAAAAAAAAAAAAAAAAAAAAAAA","request":1.5}"#,
            #"{"kind":"open","offerId":"AAAAAAAAAAAAAAAAAAAAAAAAAA","request":-1}"#,
            #"{"kind":"open","offerId":"AAAAAAAAAAAAAAAAAAAAAAAAAA","request":1e300}"#,
            #"{"kind":"open","offerId":"AAAAAAAAAAAAAAAAAAAAAAAAAA","request":true}"#,
            #"{"kind":"suggest","request":1}"#, #"{"kind":"suggest","field":"","request":1}"#,
            #"{"kind":"suggest","field":"tel"}"#,
            "{\"kind\":\"suggest\",\"field\":\"\(String(repeating: "x", count: 65))\",\"request\":1}",
            #"{"kind":"page","url":"\ud800","visit":true}"#, #"{"kind":"install"}"#,
            String(repeating: "[", count: 10_000),
        ])
    func refused(_ text: String) {
        do {
            _ = try Self.read(text)
            Issue.record("taken: \(text.prefix(100))")
        } catch let error as BatonError {
            #expect(["malformed_message", "unknown_message"].contains(error.reason))
            #expect(!error.message.isEmpty && error.message.utf8.count < 300)
        } catch {
            Issue.record("another error: \(error)")
        }
    }

    // H-96: only http and https.
    @Test(
        "A page that is none of the web's is told apart from a malformed message (H-96)",
        arguments: [
            "file:///etc/passwd", "javascript:alert(1)", "chrome://settings", "about:blank", "data:text/html,x",
            "https://", "http:///x", "example.com", "", "https://user@example.com/", "https://user:secret@example.com/",
            "https://example.com/a b", "https://example.com/\\u000a", "https://example.com\\\\evil",
            "https://example.com/" + String(repeating: "x", count: WebPage.maximumLength),
        ])
    func unfit(_ url: String) throws {
        guard
            case .unfitPage(let reason, let message) = try Self.read(#"{"kind":"page","url":"\#(url)","visit":true}"#)
        else {
            Issue.record("published: \(url.prefix(100))")
            return
        }
        #expect(reason == "invalid_page_url")
        #expect(!message.contains("secret"))
    }

    @Test("A title is shortened to what the daemon takes, between characters")
    func titles() throws {
        let page = try BrowsedPage(url: "https://example.com/", title: String(repeating: "👩‍👩‍👧", count: 500))
        let title = try #require(page.title)
        #expect(title.utf8.count <= BrowsedPage.maximumTitle)
        #expect(title.hasSuffix("👩‍👩‍👧…"))
        #expect(try BrowsedPage(url: "https://example.com/", title: "").title == nil)
    }

    @Test("Changed at random, a message is read or refused, and only whole pages are published")
    func mutated() throws {
        var generator = SeededGenerator(seed: 0x3A5E)
        let original = Array(
            #"{"kind":"page","url":"https://example.com/a","title":"T\u00e4","visit":true,"request":1}"#.utf8)
        for _ in 0..<5000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: index)
                }
            }
            guard case .page(let page, _)? = try? ExtensionMessage(bytes) else { continue }
            #expect(page.url.lowercased().hasPrefix("http"), "seed 0x3A5E")
            #expect(!page.url.unicodeScalars.contains { $0.value <= 0x20 })
        }
    }
}
