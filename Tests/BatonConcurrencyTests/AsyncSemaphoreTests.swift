import BatonConcurrency
import Synchronization
import Testing

@Suite("Semaphore", .timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    private final class Counts: Sendable {
        private let state = Mutex((now: 0, most: 0, all: 0))

        var most: Int { state.withLock { $0.most } }
        var all: Int { state.withLock { $0.all } }

        func begin() {
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func end() {
            state.withLock {
                $0.now -= 1
                $0.all += 1
            }
        }
    }

    @Test("never more than allowed at once, and everybody has a turn, also after one that failed")
    func bound() async {
        struct Failure: Error {}
        let semaphore = AsyncSemaphore(2)
        let counts = Counts()
        await withDiscardingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    try? await semaphore.withPermit {
                        counts.begin()
                        await Task.yield()
                        counts.end()
                        if number % 3 == 0 { throw Failure() }
                    }
                }
            }
        }
        #expect(counts.all == 40)
        #expect(counts.most <= 2)
    }
}
