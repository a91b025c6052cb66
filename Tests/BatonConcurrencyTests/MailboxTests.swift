import BatonConcurrency
import Testing

/// Issue 27: one way to wake a reader.
@Suite("Signals and mailboxes", .timeLimit(.minutes(1)))
struct MailboxTests {
    @Test("signals that come before the reader looks are one, and none is lost")
    func signals() async {
        let signal = Signal()
        for _ in 0..<3 { signal.send() }
        signal.finish()
        var count = 0
        for await _ in signal.stream { count += 1 }
        #expect(count == 1)
    }

    @Test("a reader gets everything that was posted, also what came while it was away")
    func collects() async {
        let mailbox = Mailbox<[Int]>([])
        let reader = Task {
            var read: [Int] = []
            for await _ in mailbox.changes {
                read += mailbox.take(leaving: [])
                if read.count == 1000 { break }
            }
            return read
        }
        for number in 0..<1000 { mailbox.post { $0.append(number) } }
        #expect(await reader.value == Array(0..<1000))
        #expect(mailbox.withLock { $0.isEmpty })
    }
}
