import BatonConcurrency
import Testing

@Suite("Operations of each caller")
struct CallLimitTests {
    private struct Failure: Error {}

    @Test("a caller has so many under way, others do not wait for it, and one that ended or failed makes room")
    func limit() async throws {
        let limit = CallLimit<String>(2)
        let (begun, ends) = (OneShot(), OneShot())
        await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                await limit.run(for: "a") {
                    await limit.run(for: "a") {
                        begun.fire()
                        await ends.wait()
                        return 1
                    } ?? 0
                }
            }
            await begun.wait()
            let (refused, other) = (await limit.run(for: "a") { 2 }, await limit.run(for: "b") { 3 })
            #expect(refused == nil && other == 3)
            ends.fire()
            let first = await group.next()
            #expect(first == 1)
        }
        for _ in 0..<3 {
            await #expect(throws: Failure.self) {
                try await limit.run(for: "a") { () -> Int in throw Failure() }
            }
        }
        let later = await limit.run(for: "a") { 4 }
        #expect(later == 4)
    }
}
