import BatonConcurrency
import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import AirDrop

@Suite("One-time addresses for browsers")
struct WebTransferTests {
    private static let start = Timestamp(.seconds(100))
    private static let later = Timestamp(.seconds(701))

    private func text(_ actions: [WebTransfer.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .serve(let id): "serve \(id)"
            case .receive(let id): "receive \(id)"
            case .refuse(let id, let error): "refuse \(id) \(error.reason)"
            case .forgetBatch: "forget"
            case .store: "store"
            case .ended(.delivered): "delivered"
            case .ended(.expired): "expired"
            case .ended(.cancelled): "cancelled"
            case .ended(.failed(let error)): "failed \(error.reason)"
            }
        }
    }

    @Test("Each file can be had until somebody has it whole; with the last one the address is over (A-1)")
    func downloads() {
        var machine = WebTransfer(.download(files: 2, once: true))
        func handle(_ input: WebTransfer.Input) -> [String] { text(machine.handle(input, now: Self.start)) }
        #expect(handle(.wanted(1, file: 0)) == ["serve 1"])
        #expect(handle(.broken(1)).isEmpty)
        #expect(handle(.wanted(2, file: 0)) == ["serve 2"])
        #expect(handle(.completed(2)).isEmpty)
        #expect(handle(.wanted(3, file: 0)) == ["refuse 3 web_address_used"])
        #expect(handle(.wanted(4, file: 2)) == ["refuse 4 web_address_used"])
        #expect(handle(.wanted(5, file: -1)) == ["refuse 5 web_address_used"])
        #expect(handle(.coming(6, batch: "", count: 1)) == ["refuse 6 web_address_used"])
        #expect(handle(.wanted(7, file: 1)) == ["serve 7"])
        #expect(handle(.completed(7)) == ["delivered"])
        #expect(handle(.wanted(8, file: 1)) == ["refuse 8 web_address_used"])
        #expect(handle(.cancelled).isEmpty)
    }

    @Test("Until its time is over an address gives each file as often as somebody wants it, and then all was had (A-1)")
    func severalDownloads() {
        for isCancelled in [true, false] {
            var machine = WebTransfer(.download(files: 1))
            _ = machine.handle(.opened, now: Self.start)
            for call in UInt64(1)...3 {
                #expect(text(machine.handle(.wanted(call, file: 0), now: Self.start)) == ["serve \(call)"])
                #expect(text(machine.handle(.completed(call), now: Self.start)).isEmpty)
            }
            let end = isCancelled ? machine.handle(.cancelled, now: Self.start) : machine.advance(now: Self.later)
            #expect(text(end) == ["delivered"])
        }
    }

    @Test("What is being stored cannot be cancelled any more: it ends as the disk says")
    func cancelledWhileStoring() {
        var machine = WebTransfer(.upload)
        func handle(_ input: WebTransfer.Input) -> [String] { text(machine.handle(input, now: Self.start)) }
        #expect(handle(.coming(1, batch: "a", count: 1)) == ["receive 1"])
        #expect(handle(.completed(1)) == ["store"])
        #expect(handle(.cancelled).isEmpty)
        #expect(handle(.stored) == ["delivered"])
    }

    @Test("Files that are uploaded are stored together, once; another batch replaces the one before")
    func uploads() {
        var machine = WebTransfer(.upload)
        func handle(_ input: WebTransfer.Input) -> [String] { text(machine.handle(input, now: Self.start)) }
        #expect(handle(.coming(1, batch: "a", count: 0)) == ["refuse 1 too_many_files"])
        #expect(handle(.coming(2, batch: "a", count: 2)) == ["receive 2"])
        #expect(handle(.coming(3, batch: "a", count: 2)) == ["refuse 3 web_address_busy"])
        #expect(handle(.completed(2)).isEmpty)
        #expect(handle(.coming(4, batch: "b", count: 2)) == ["forget", "receive 4"])
        #expect(handle(.completed(4)).isEmpty)
        #expect(handle(.coming(5, batch: "b", count: 2)) == ["receive 5"])
        #expect(handle(.broken(5)).isEmpty)
        #expect(handle(.coming(6, batch: "b", count: 2)) == ["receive 6"])
        #expect(handle(.completed(6)) == ["store"])
        #expect(handle(.coming(7, batch: "b", count: 2)) == ["refuse 7 web_address_used"])
        #expect(handle(.wanted(8, file: 0)) == ["refuse 8 web_address_used"])
        #expect(handle(.stored) == ["delivered"])
        #expect(handle(.stored).isEmpty)
    }

    @Test("After ten minutes nothing more begins, and what is under way may end")
    func expires() {
        var idle = WebTransfer(.download(files: 1))
        #expect(idle.nextDeadline(now: Self.start) == nil)
        #expect(idle.handle(.opened, now: Self.start).isEmpty)
        #expect(idle.nextDeadline(now: Self.start) == .seconds(700))
        #expect(text(idle.advance(now: Timestamp(.seconds(699)))).isEmpty)
        #expect(text(idle.advance(now: Self.later)) == ["expired"])
        #expect(text(idle.handle(.wanted(1, file: 0), now: Self.later)) == ["refuse 1 web_address_used"])

        for isWhole in [true, false] {
            var busy = WebTransfer(.download(files: 1))
            _ = busy.handle(.opened, now: Self.start)
            #expect(text(busy.handle(.wanted(1, file: 0), now: Self.start)) == ["serve 1"])
            #expect(text(busy.advance(now: Self.later)).isEmpty && busy.nextDeadline(now: Self.later) == nil)
            #expect(text(busy.handle(.wanted(2, file: 0), now: Self.later)) == ["refuse 2 web_address_used"])
            let end = busy.handle(isWhole ? .completed(1) : .broken(1), now: Self.later)
            #expect(text(end) == [isWhole ? "delivered" : "expired"])
        }
    }

    @Test("An address that nobody uses ends by itself, and leaves nothing", .timeLimit(.minutes(1)))
    func unused() async throws {
        let temporary = try TemporaryDirectory()
        let uploads = try WebUploads(in: temporary.path)
        var configuration = WebTransfer.Configuration()
        configuration.lifetime = .milliseconds(20)
        let session = WebSession(.uploads(uploads), deviceName: "Desk", configuration: configuration)
        // Ends with the test.
        let running = Task { try await session.run() }
        let end = try await session.end.value()
        running.cancel()
        guard case .expired = end.outcome else {
            Issue.record("\(end)")
            return
        }
        uploads.end()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test("After it was cancelled, what comes late changes nothing")
    func late() {
        var machine = WebTransfer(.upload)
        _ = machine.handle(.coming(1, batch: "", count: 1), now: Self.start)
        #expect(text(machine.handle(.cancelled, now: Self.start)) == ["cancelled"] && machine.isOver)
        #expect(text(machine.handle(.completed(1), now: Self.start)).isEmpty)
        #expect(text(machine.handle(.broken(1), now: Self.start)).isEmpty)
    }

    @Test("Whatever browsers do, the address ends once, answers each request once, and serves nothing afterwards")
    func schedules() {
        for seed in 0..<UInt64(2000) {
            var random = SeededGenerator(seed: seed)
            var machine = WebTransfer(seed % 2 == 0 ? .download(files: 3, once: seed % 4 == 0) : .upload)
            _ = machine.handle(.opened, now: Self.start)
            var now = Duration.seconds(100)
            var open: Set<UInt64> = []
            var ends = 0
            var last: UInt64 = 0
            func take(_ actions: [WebTransfer.Action], asked: UInt64?) {
                var answers = 0
                for action in actions {
                    switch action {
                    case .serve(let id), .receive(let id):
                        #expect(ends == 0 && id == asked)
                        open.insert(id)
                        answers += 1
                    case .refuse(let id, _):
                        #expect(id == asked)
                        answers += 1
                    case .ended: ends += 1
                    case .forgetBatch, .store: #expect(ends == 0)
                    }
                }
                #expect(answers == (asked == nil ? 0 : 1), "seed \(seed)")
            }
            for _ in 0..<40 {
                let moment = Timestamp(now)
                switch Int.random(in: 0..<60, using: &random) % 8 {
                case 0, 1:
                    last += 1
                    let file = Int.random(in: -1..<4, using: &random)
                    take(machine.handle(.wanted(last, file: file), now: moment), asked: last)
                case 2:
                    last += 1
                    let batch = Bool.random(using: &random) ? "a" : "b"
                    take(machine.handle(.coming(last, batch: batch, count: 2), now: moment), asked: last)
                case 3:
                    guard let id = open.randomElement(using: &random) else { continue }
                    open.remove(id)
                    take(machine.handle(.completed(id), now: moment), asked: nil)
                case 4:
                    guard let id = open.randomElement(using: &random) else { continue }
                    open.remove(id)
                    take(machine.handle(.broken(id), now: moment), asked: nil)
                case 5: take(machine.handle(.stored, now: moment), asked: nil)
                case 6:
                    guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
                    take(machine.handle(.cancelled, now: moment), asked: nil)
                default:
                    now += .seconds(Int.random(in: 0..<200, using: &random))
                    take(machine.advance(now: Timestamp(now)), asked: nil)
                }
            }
            take(machine.advance(now: Self.later), asked: nil)
            for id in open { take(machine.handle(.broken(id), now: Self.later), asked: nil) }
            take(machine.handle(.stored, now: Self.later), asked: nil)
            #expect(ends == 1, "seed \(seed)")
        }
    }

    @Test("Names of files cannot break out of a page or an address")
    func pages() {
        let page = WebPage.download(
            [
                .init(name: "\"><script>alert(1)</script>.html", size: 3), .init(name: "../../etc/pass wd", size: 4),
                .init(name: "\"onload=\"x.png", size: 5, isPicture: true),
            ], from: "<Küche>", isOnce: false, nonce: "n")
        #expect(!page.contains("\"onload") && page.contains("<img src=\"2/%22onload%3d%22x.png?preview\""))
        #expect(!page.contains("<script") && !page.contains("../"))
        #expect(page.contains("From &lt;Küche&gt;"))
        #expect(WebPage.escapedURL("a b/ü\r\n\"") == "a%20b%2f%c3%bc%0d%0a%22")
        let token = WebToken.random()
        #expect(token.matches(token.text) && !token.matches("") && !token.matches(String(token.text.dropLast()) + "!"))
    }
}
