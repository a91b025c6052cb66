import BatonCommands
import BatonCore
import BatonTestSupport
import Testing

struct PageOutboxTests {
    private static func page(_ name: String, title: String? = nil) throws -> BrowsedPage {
        try BrowsedPage(url: "https://example.com/\(name)", title: title)
    }

    @Test("A page is offered when it is come to, described when its title changes, and withdrawn")
    func life() throws {
        var outbox = PageOutbox()
        let id = outbox.activity
        outbox.attached()
        #expect(outbox.next() == nil)
        outbox.visit(try Self.page("a"))
        #expect(outbox.next() == .offer(id, try Self.page("a")))
        #expect(outbox.next() == nil)
        outbox.update(try Self.page("a", title: "A"))
        #expect(outbox.next() == .describe(id, try Self.page("a", title: "A")))
        // Another address is another page, also when it was not left.
        outbox.update(try Self.page("b"))
        #expect(outbox.next() == .offer(id, try Self.page("b")))
        outbox.withdraw()
        #expect(outbox.next() == .withdraw(id))
        #expect(outbox.next() == nil)
        outbox.visit(try Self.page("b"))
        guard case .offer(let second, _)? = outbox.next() else {
            Issue.record("not offered")
            return
        }
        #expect(second != id)
    }

    @Test("Only the last of many changes is sent")
    func latest() throws {
        var outbox = PageOutbox()
        for index in 0..<1000 { outbox.visit(try Self.page("\(index)")) }
        #expect(outbox.next() == .offer(outbox.activity, try Self.page("999")))
        outbox.withdraw()
        outbox.visit(try Self.page("999"))
        #expect(outbox.next() == .offer(outbox.activity, try Self.page("999")))
        #expect(outbox.next() == nil)
    }

    // H-75: what was continued elsewhere is there now, and not offered from here any longer.
    @Test("A page that was continued elsewhere comes back when the person does, not with a title or the daemon (H-75)")
    func continued() throws {
        var outbox = PageOutbox()
        outbox.visit(try Self.page("a"))
        _ = outbox.next()
        #expect(outbox.continuedElsewhere(.random()) == nil)
        #expect(outbox.continuedElsewhere(outbox.activity) == (try Self.page("a")))
        outbox.update(try Self.page("a", title: "(1)"))
        #expect(outbox.next() == nil)
        outbox.attached()
        #expect(outbox.next() == nil)
        outbox.visit(try Self.page("a"))
        #expect(outbox.next() == .offer(outbox.activity, try Self.page("a")))
    }

    @Test("The daemon's news of a page that was left meanwhile does not withdraw the one that is there")
    func lateNews() throws {
        var outbox = PageOutbox()
        outbox.visit(try Self.page("a"))
        _ = outbox.next()
        outbox.visit(try Self.page("b"))
        #expect(outbox.continuedElsewhere(outbox.activity) == nil)
        #expect(outbox.next() == .offer(outbox.activity, try Self.page("b")))
    }

    @Test("A daemon that was restarted is told again")
    func restarted() throws {
        var outbox = PageOutbox()
        outbox.visit(try Self.page("a"))
        _ = outbox.next()
        outbox.attached()
        #expect(outbox.next() == .offer(outbox.activity, try Self.page("a")))
    }

    @Test("After any events, the daemon ends up with the person's page")
    func converges() throws {
        for seed in UInt64(0)..<500 {
            var generator = SeededGenerator(seed: seed)
            var outbox = PageOutbox()
            // The page that the daemon offers.
            var offered: BrowsedPage?
            var isContinued = false
            for _ in 0..<40 {
                let page = try Self.page("\(Int.random(in: 0...2, using: &generator))")
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1:
                    outbox.visit(page)
                    isContinued = false
                case 2:
                    if outbox.page?.url != page.url { isContinued = false }
                    outbox.update(page)
                case 3:
                    outbox.withdraw()
                    isContinued = false
                case 4:
                    outbox.attached()
                    offered = nil
                default:
                    if offered != nil, outbox.continuedElsewhere(outbox.activity) != nil {
                        offered = nil
                        isContinued = true
                    }
                }
                guard Bool.random(using: &generator) else { continue }
                while let step = outbox.next() {
                    switch step {
                    case .offer(_, let page): offered = page
                    case .describe(_, let page):
                        #expect(offered?.url == page.url, "seed \(seed)")
                        offered = page
                    case .withdraw: offered = nil
                    }
                }
                #expect(offered == (isContinued ? nil : outbox.page), "seed \(seed)")
            }
        }
    }
}
