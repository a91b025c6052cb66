import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

struct BrowserHostTests {
    private static let offer = ActivityID.random()
    private static let listed = HostMessage.Offer(id: offer.rawValue, title: "T", device: "Desk", route: .page)

    private static func said(_ text: String) -> BrowserHost.Input { .received(Array(text.utf8)) }
    private static func open(_ request: Int) -> BrowserHost.Input {
        said(#"{"kind":"open","offerId":"\#(offer)","request":\#(request)}"#)
    }

    @Test("A page is visited, changed and withdrawn as the extension says")
    func pages() throws {
        var host = BrowserHost()
        let page = try BrowsedPage(url: "https://example.com/", title: "T")
        #expect(
            host.handle(Self.said(#"{"kind":"page","url":"https://example.com/","title":"T","visit":true}"#))
                == [.visit(page)])
        #expect(
            host.handle(Self.said(#"{"kind":"page","url":"https://example.com/","title":"T","visit":false}"#))
                == [.update(page)])
        #expect(host.handle(Self.said(#"{"kind":"noPage"}"#)) == [.withdraw])
    }

    @Test("A page that cannot be published does not leave the one before in its place")
    func unfit() throws {
        var host = BrowserHost()
        let actions = host.handle(Self.said(#"{"kind":"page","url":"file:///etc/passwd","visit":true}"#))
        #expect(actions.first == .withdraw)
        guard case .send(.error(let reason, _))? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(reason == "invalid_page_url")
    }

    @Test("A message that was too long is answered, and does not leave the page before in its place")
    func tooLong() {
        var host = BrowserHost()
        let error = BatonError(.resourceExhausted, reason: "message_too_large", "Too large.")
        #expect(
            host.handle(.skipped(error))
                == [.withdraw, .send(.error(reason: "message_too_large", message: "Too large."))])
    }

    @Test("A malformed message is answered, and changes nothing")
    func malformed() throws {
        var host = BrowserHost()
        let actions = host.handle(Self.said("nonsense"))
        guard actions.count == 1, case .send(.error(let reason, _))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(reason == "malformed_message")
    }

    @Test("Offers are told when they were asked for, and then at each change only")
    func offers() {
        var host = BrowserHost()
        #expect(host.handle(.offers([Self.listed])) == [])
        #expect(host.handle(Self.said(#"{"kind":"watchOffers"}"#)) == [.send(.offers([Self.listed]))])
        #expect(host.handle(.offers([Self.listed])) == [])
        #expect(host.handle(.offers([])) == [.send(.offers([]))])
    }

    @Test("A daemon that goes away is told of once, with what to do, and takes its offers along")
    func away() {
        var host = BrowserHost()
        _ = host.handle(Self.said(#"{"kind":"watchOffers"}"#))
        let here = HostMessage.DaemonState.running(device: "Here", hasAccount: true)
        #expect(host.handle(.daemon(here)) == [.send(.status(here))])
        _ = host.handle(.offers([Self.listed]))
        let away = HostMessage.DaemonState.away(message: "Start it.")
        #expect(host.handle(.daemon(away)) == [.send(.status(away)), .send(.offers([]))])
        #expect(host.handle(.daemon(away)) == [])
        // Asked for by the popup: answered at once, and tried at once.
        #expect(host.handle(Self.said(#"{"kind":"status"}"#)) == [.send(.status(away)), .wake])
        #expect(host.handle(.daemon(here)) == [.send(.status(here)), .wake])
    }

    @Test("The page of an offer comes back once, under the request's number")
    func opens() {
        var host = BrowserHost()
        #expect(host.handle(Self.open(3)) == [.accept(Self.offer, request: 3, opensPage: true)])
        #expect(
            host.handle(.outcome(request: 3, .page(url: "https://example.com/x")))
                == [.send(.page(request: 3, url: "https://example.com/x"))])
        #expect(host.handle(.outcome(request: 3, .continued(app: "Again"))) == [])
        #expect(host.handle(.ended(request: 3)) == [])
    }

    @Test("A page that the daemon opened in the person's browser is not handed to the extension to open again")
    func opensOnce() {
        var host = BrowserHost()
        #expect(
            host.handle(Self.said(#"{"kind":"continue","offerId":"\#(Self.offer)","request":4}"#))
                == [.accept(Self.offer, request: 4, opensPage: false)])
        #expect(
            host.handle(.outcome(request: 4, .page(url: "https://example.com/x")))
                == [.send(.continued(request: 4, app: ""))])
        #expect(host.handle(.outcome(request: 4, .page(url: "https://example.com/x"))) == [])
        #expect(host.handle(.ended(request: 4)) == [])
        // An app here has it.
        _ = host.handle(Self.said(#"{"kind":"continue","offerId":"\#(Self.offer)","request":4}"#))
        #expect(
            host.handle(.outcome(request: 4, .continued(app: "Notes")))
                == [.send(.continued(request: 4, app: "Notes"))])
    }

    @Test(
        "A field is offered what the daemon says for it, under the request's number, each place with its source (P-31)")
    func suggestions() {
        var host = BrowserHost()
        #expect(
            host.handle(Self.said(#"{"kind":"suggest","field":"tel","request":5}"#))
                == [.suggest(field: "tel", request: 5)])
        let place = FormSuggestion(
            .with {
                $0.text = "(415) 781-1111"
                $0.name = "Yank Sing"
                $0.telephone = "(415) 781-1111"
                $0.sources = [.with { $0.name = "www.yanksing.com in Chromium" }]
            })
        let message = HostMessage.suggestions(request: 5, [place])
        #expect(host.handle(.suggestions(request: 5, [place])) == [.send(message)])
        let text = message.json.description
        #expect(text.contains(#""telephone":"(415) 781-1111""#) && text.contains(#""street":null"#))
        #expect(text.contains(#""source":"www.yanksing.com in Chromium""#))
    }

    // H-96: another device's word is no reason to open anything but a web page.
    @Test("An address that is none of the web's is not handed to the browser (H-96)")
    func hostilePage() {
        for url in ["javascript:alert(1)", "file:///etc/passwd", "", "https://a b/", "chrome://settings"] {
            var host = BrowserHost()
            _ = host.handle(Self.open(1))
            guard case .send(.failed(1, let reason, _))? = host.handle(.outcome(request: 1, .page(url: url))).first
            else {
                Issue.record("opened: \(url)")
                continue
            }
            #expect(reason == "invalid_page_url")
        }
    }

    @Test("A continuation that just ends is a failure")
    func endsEarly() {
        var host = BrowserHost()
        _ = host.handle(Self.open(1))
        guard case .send(.failed(1, let reason, _))? = host.handle(.ended(request: 1)).first else {
            Issue.record("nothing was said")
            return
        }
        #expect(reason == "continuation_ended")
    }

    @Test("More requests at once than the bound, and a number that is in use, are refused")
    func bounds() {
        var host = BrowserHost()
        for request in 0..<BrowserHost.maximumAcceptances { #expect(host.handle(Self.open(request)).count == 1) }
        guard case .send(.error)? = host.handle(Self.open(0)).first else {
            Issue.record("the same request was taken twice")
            return
        }
        guard case .send(.failed(99, let reason, _))? = host.handle(Self.open(99)).first else {
            Issue.record("no bound")
            return
        }
        #expect(reason == "too_many_requests")
        _ = host.handle(.ended(request: 0))
        #expect(host.handle(Self.open(99)) == [.accept(Self.offer, request: 99, opensPage: true)])
    }

    @Test("The largest list of offers fits into a message of a browser, the newest first")
    func largest() throws {
        let offers = (0..<400).map { index in
            HostMessage.Offer(
                id: ActivityID.random().rawValue, title: String(repeating: "\u{202E}", count: 340),
                device: "Desk \(index)",
                route: .page, url: "https://example.com/" + String(repeating: "x", count: 8000))
        }
        let message = Array(HostMessage.offers(offers).json.description.utf8)
        #expect(message.count > 500_000)
        let text = String(decoding: message, as: UTF8.self)
        #expect(text.contains(#""device":"Desk 0""#) && !text.contains(#""device":"Desk 399""#))
        #expect(throws: Never.self) { try NativeMessaging.frame(message) }
    }

    @Test("Only the extension's own callers are served")
    func callers() {
        #expect(throws: Never.self) { try BrowserCaller.check([BrowserCaller.chromiumOrigin]) }
        #expect(throws: Never.self) { try BrowserCaller.check(["/home/a/manifest.json", BrowserCaller.geckoID]) }
        for arguments in [
            [], ["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"],
            ["chrome-extension://abcdefghijklmnopabcdefghijklmnop/", BrowserCaller.geckoID],
            [BrowserCaller.chromiumOrigin + "x"], ["/home/a/manifest.json"],
            ["/home/a/manifest.json", "other@example"],
            [BrowserCaller.geckoID],
        ] {
            #expect(throws: BatonError.self) { try BrowserCaller.check(arguments) }
        }
    }
}
