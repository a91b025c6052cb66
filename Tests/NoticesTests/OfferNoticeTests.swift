import BatonCore
import BatonTestSupport
import Notices
import Testing

struct OfferNoticeTests {
    private var machine = NoticeStateMachine()

    @Test(
        "an offer is a notice with app, device, title, what will happen and a button, and goes with the offer (H-10, H-13)"
    )
    mutating func comesAndGoes() throws {
        let actions = machine.offersChanged([Made.offer(1)], now: .zero)
        let notice = try #require(actions.shown.first)
        #expect(actions.count == 1)
        #expect(notice.kind == .offer)
        #expect(notice.title == "App 0 from Desk 0")
        #expect(notice.lines == ["Title", "App 0 continues it here."])
        #expect(notice.offer == Made.activity(1))
        #expect(machine.offersChanged([Made.offer(1)], now: .seconds(1)).isEmpty)
        #expect(machine.offersChanged([], now: .seconds(2)) == [.close(notice.id)])
    }

    @Test("a notice says whether the app or the browser opens a page, and whose page it is (H-10)")
    mutating func pages() {
        let offers = [
            Made.offer(1, title: nil, effect: .opensPageInApp("https://www.example.org/secret?x=1")),
            Made.offer(2, app: nil, title: "A page", effect: .opensPageInBrowser("http://example.com/")),
        ]
        let shown = machine.offersChanged(offers, now: .zero).shown
        #expect(shown.map(\.title) == ["App 0 from Desk 0", "Page from Desk 0"])
        #expect(shown[0].lines == ["App 0 opens the page at www.example.org."])
        #expect(shown[1].lines == ["A page", "The browser opens the page at example.com."])
    }

    @Test("an offer that cannot be continued has no notice")
    mutating func obstacles() {
        #expect(machine.offersChanged([Made.offer(1, canContinue: false)], now: .zero).isEmpty)
    }

    @Test("the button accepts what is shown, once, and the notice goes (H-10, H-13)")
    mutating func button() throws {
        let id = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        let actions = machine.invoked(id, now: .seconds(1))
        #expect(actions.accepted == [Made.activity(1)])
        #expect(actions.closed == [id])
        #expect(machine.invoked(id, now: .seconds(1)).isEmpty)
        #expect(machine.closed(id, now: .seconds(1)).isEmpty)
        #expect(machine.invoked(4711, now: .seconds(1)).isEmpty)
        // It is offered until the app has taken it, and was decided on.
        #expect(machine.offersChanged([Made.offer(1, at: 2)], now: .seconds(9)).isEmpty)
    }

    @Test("of one device and app the newest offer alone has a notice, in the place of the one before (H-10)")
    mutating func oneEach() throws {
        let first = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first)
        let second = machine.offersChanged([Made.offer(2, at: 2, title: "Newer"), Made.offer(1)], now: .seconds(5))
        #expect(second.shown.map(\.id) == [first.id])
        #expect(second.shown.first?.lines.first == "Newer")
        #expect(second.closed.isEmpty)
        let others = machine.offersChanged(
            [Made.offer(4, device: 1), Made.offer(3, app: 1), Made.offer(2, at: 2, title: "Newer")], now: .seconds(10))
        #expect(others.shown.count == 2)
        #expect(machine.open.count == 3)
    }

    @Test("what the person closed is not told again until it becomes current anew", arguments: [false, true])
    mutating func closed(byOffer: Bool) throws {
        let id = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        #expect(machine.closed(id, now: .seconds(1)) == [.close(id)])
        // A change is not announced, nor is a device that was away for a moment.
        #expect(machine.offersChanged([Made.offer(1, at: 2, title: "Changed")], now: .seconds(10)).isEmpty)
        #expect(machine.offersChanged([], now: .seconds(20)).isEmpty)
        #expect(machine.offersChanged([Made.offer(1, at: 2, title: "Changed")], now: .seconds(30)).isEmpty)
        #expect(machine.offersChanged([], now: .seconds(40)).isEmpty)
        let again = byOffer ? Made.offer(2, at: 2) : Made.offer(1, at: 3)
        #expect(machine.offersChanged([again], now: .seconds(50)).shown.count == 1)
    }

    @Test("an activity that is accepted anywhere, or continued elsewhere, has no notice any more (H-10)")
    mutating func acceptedElsewhere() throws {
        let id = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        let actions = machine.accepted(Made.acceptance(1), Made.subject(1), now: .seconds(1))
        #expect(actions == [.close(id)])
        #expect(machine.offersChanged([Made.offer(1)], now: .seconds(1)).isEmpty)
    }

    @Test("closing a notice that lags behind closes that offer only; the newer one is told")
    mutating func lagging() throws {
        let id = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        #expect(machine.offersChanged([Made.offer(2, at: 2)], now: .milliseconds(100)).isEmpty)
        #expect(machine.closed(id, now: .milliseconds(200)) == [.close(id)])
        let shown = machine.advance(now: .seconds(2)).shown
        #expect(shown.map(\.offer) == [Made.activity(2)])
        #expect(shown.first?.id != id)
    }

    @Test("the button of a notice that lags behind accepts what it says, or what has come in its place")
    mutating func laggingButton() throws {
        var other = machine
        let id = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        _ = machine.offersChanged([Made.offer(2, at: 2), Made.offer(1)], now: .milliseconds(100))
        #expect(machine.invoked(id, now: .milliseconds(200)).accepted == [Made.activity(1)])

        let next = try #require(other.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        _ = other.offersChanged([Made.offer(2, at: 2)], now: .milliseconds(100))
        #expect(other.invoked(next, now: .milliseconds(200)).accepted == [Made.activity(2)])
    }

    @Test("the button of a notice that lags behind opens no page of another site, which is shown first (H-10)")
    mutating func laggingSite() throws {
        func offer(_ number: UInt64, at time: UInt64, _ page: String) -> NoticeOffer {
            Made.offer(number, at: time, app: nil, effect: .opensPageInBrowser(page))
        }
        let good = "https://www.example.org/a"
        for number in [UInt64(1), 2] {
            var machine = machine
            let id = try #require(machine.offersChanged([offer(1, at: 1, good)], now: .zero).shown.first).id
            // The same activity, or another one.
            let other = offer(number, at: 2, "https://evil.example/")
            #expect(machine.offersChanged([other], now: .milliseconds(100)).isEmpty)
            #expect(machine.invoked(id, now: .milliseconds(200)) == [.close(id)])
            let shown = try #require(machine.advance(now: .seconds(2)).shown.first)
            #expect(shown.lines.last == "The browser opens the page at evil.example.")
            #expect(machine.invoked(shown.id, now: .seconds(3)).accepted == [Made.activity(number)])
        }
        let id = try #require(machine.offersChanged([offer(1, at: 1, good)], now: .zero).shown.first).id
        _ = machine.offersChanged([offer(1, at: 2, "https://example.org/b")], now: .milliseconds(100))
        #expect(machine.invoked(id, now: .milliseconds(200)).accepted == [Made.activity(1)])
    }

    @Test("a page of another site has a notice of its own, which a press on the one before does not answer (H-10)")
    mutating func anotherSite() throws {
        func offer(_ page: String, at time: UInt64) -> NoticeOffer {
            Made.offer(1, at: time, app: nil, effect: .opensPageInBrowser(page))
        }
        let first = try #require(machine.offersChanged([offer("https://example.org/", at: 1)], now: .zero).shown.first)
        let actions = machine.offersChanged([offer("https://evil.example/", at: 2)], now: .seconds(5))
        #expect(actions.closed == [first.id] && actions.shown.count == 1)
        #expect(machine.invoked(first.id, now: .seconds(5)).isEmpty)
        let same = machine.offersChanged([offer("https://evil.example/more", at: 3)], now: .seconds(20))
        #expect(same.isEmpty)
    }

    @Test(
        "a device that changes its offer 100 times a second is told of ever more rarely, and in the end rightly"
    )
    mutating func flood() throws {
        var shown: [(Duration, Notice)] = []
        var now = Duration.zero
        for round in 0..<12_000 {
            now = .milliseconds(round * 10)
            // Changed, gone, another one: each in turn.
            let offers =
                round % 3 == 2 ? [] : [Made.offer(UInt64(round % 2), at: UInt64(round + 1), title: "Title \(round)")]
            let actions = machine.offersChanged(offers, now: now) + machine.advance(now: now)
            shown += actions.shown.map { (now, $0) }
        }
        // 2 s, then 4, 8, 16 and 16 again, for two minutes.
        #expect(shown.count <= 11, "\(shown.map(\.0))")
        #expect(shown.count >= 8)
        _ = machine.offersChanged([Made.offer(99, at: 99_999, title: "Last")], now: now)
        while let due = machine.nextDeadline(now: now) {
            #expect(due - now < .seconds(20))
            now = max(due, now)
            shown += machine.advance(now: now).shown.map { (now, $0) }
        }
        #expect(machine.open.map(\.lines.first) == ["Last"])
    }

    @Test("a thousand offers at once are eight notices, at a bounded rate; the newest come first")
    mutating func many() {
        let offers = (0..<1000).map {
            Made.offer(UInt64($0), at: UInt64(2000 - $0), device: $0 % 4, app: ($0 / 4) % 4 == 3 ? nil : ($0 / 4) % 4)
        }
        #expect(machine.offersChanged(offers, now: .zero).shown.map(\.offer) == (0..<8).map { Made.activity($0) })
        // Others take the places of those which are gone.
        #expect(machine.offersChanged(Array(offers.dropFirst(4)), now: .zero).closed.count == 4)
        #expect(machine.open.count <= 8)
        var now = Duration.zero
        while let due = machine.nextDeadline(now: now) {
            now = max(now, due)
            _ = machine.advance(now: now)
        }
        #expect(machine.open.count == 8)
        #expect(now >= .seconds(3))
    }

    @Test("the person may want no offers told, or nothing at all")
    mutating func policies() throws {
        let id = try #require(machine.offersChanged([Made.offer(1)], now: .zero).shown.first).id
        #expect(machine.policyChanged(.withoutOffers, now: .seconds(1)) == [.close(id)])
        #expect(machine.offersChanged([Made.offer(2, device: 1)], now: .seconds(1)).isEmpty)
        _ = machine.accepted(Made.acceptance(1), Made.subject(1), now: .seconds(2))
        #expect(machine.advance(now: .seconds(3)).shown.map(\.kind) == [.continuing])
        #expect(machine.policyChanged(.off, now: .seconds(3)).closed.count == 1)
        #expect(machine.failed(Made.acceptance(1), message: "No.", now: .seconds(4)).isEmpty)
        #expect(machine.policyChanged(.on, now: .seconds(9)).shown.map(\.offer) == [Made.activity(2)])
    }
}
