import BatonConcurrency
import Testing

@Suite("Locks by key", .timeLimit(.minutes(1)))
struct KeyedLocksTests {
    @Test("So many at once for each key, and the others wait for their turn")
    func turns() async {
        let locks = KeyedLocks<String>(atOnce: 2)
        let (begun, begin) = AsyncStream.makeStream(of: Int.self)
        let ends = (0..<3).map { _ in OneShot() }
        await withTaskGroup(of: Void.self) { group in
            var started = begun.makeAsyncIterator()
            for number in 0..<3 {
                group.addTask {
                    await locks.withPermit("a") {
                        begin.yield(number)
                        await ends[number].wait()
                    }
                }
                guard number < 2 else { break }
                let next = await started.next()
                #expect(next == number)
            }
            await locks.withPermit("b") {}
            ends[0].fire()
            let next = await started.next()
            #expect(next == 2)
            for end in ends { end.fire() }
        }
        #expect(!locks.contains("a"))
    }
}
