import Baton
import BatonClient
import Testing

@testable import AppLink

@Suite(.timeLimit(.minutes(1))) struct ConnectionPartsTests {
    @Test("the time between attempts doubles, is drawn at random below that, and has a ceiling")
    func backsOff() {
        var backoff = ReconnectBackoff()
        let ceilings = (0..<12).map { _ in backoff.next(fraction: 1) }
        #expect(ceilings.first == .milliseconds(101))
        #expect(zip(ceilings, ceilings.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(ceilings.last == ReconnectBackoff.longest + .milliseconds(1))
        #expect(backoff.next(fraction: 0) == .milliseconds(1))
        backoff.reset()
        #expect(backoff.next(fraction: 1) == .milliseconds(101))
    }

    @Test("at the limit of commands under way the reader waits until one is answered")
    func windowSuspends() async {
        let window = CommandWindow(limit: 2)
        await window.acquire()
        await window.acquire()
        let journal = Journal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await window.acquire()
                journal.note("acquired")
            }
            group.addTask {
                for _ in 0..<100 { await Task.yield() }
                journal.note("released")
                window.release()
            }
        }
        #expect(journal.all == ["released", "acquired"])
    }

    @Test("a cancelled reader does not wait for ever")
    func windowCancels() async {
        let window = CommandWindow(limit: 0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await window.acquire() }
            group.cancelAll()
        }
    }

    @Test("the ledger forgets the oldest acceptance")
    func ledgerIsBounded() {
        var ledger = AcceptanceLedger()
        for number in 0...AcceptanceLedger.capacity { ledger.note(.failed(isImplemented: true), for: "\(number)") }
        #expect(ledger.outcome("0") == nil)
        #expect(ledger.outcome("1") == .failed(isImplemented: true))
        #expect(ledger.outcome("\(AcceptanceLedger.capacity)") == .failed(isImplemented: true))
    }
}
