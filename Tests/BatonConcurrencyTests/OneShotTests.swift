import BatonConcurrency
import Testing

struct OneShotTests {
    /// Else no device could be dialled a second time: each attempt waits for the end of presence too.
    @Test("A waiter that gives up does not end the waiting of others")
    func cancelledWaiter() async {
        let signal = OneShot()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.wait() }
            group.cancelAll()
        }
        let isOver = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await signal.wait()
                return !Task.isCancelled
            }
            // Lets the waiters begin first; the group's own cancellation must end them.
            for _ in 0..<100 { await Task.yield() }
            group.cancelAll()
            return await group.next() ?? true
        }
        #expect(!isOver)
        signal.fire()
        await signal.wait()
    }
}
