import FileSync
import Testing

@testable import Documents

@Suite("Results that wait for others") struct WaitingResultsTests {
    private let result = FileSyncInput.stagingFailed(EntryID(high: 1, low: 1))

    @Test("results wait until there are a thousand, or for a second, and for nothing else")
    func waiting() {
        let start = ContinuousClock.now
        var results = WaitingResults(at: start)
        func wait(_ count: Int, forMore: Bool = true, at milliseconds: Int) -> Bool {
            let inputs = Array(repeating: result, count: count)
            return results.mayWait(inputs, forMore: forMore, at: start + .milliseconds(milliseconds))
        }
        #expect(wait(1, at: 999) && wait(999, at: 0))
        #expect(!wait(1000, at: 500))
        // From then on.
        #expect(wait(1, at: 1499))
        #expect(!wait(1, at: 1500))
        #expect(!wait(1, forMore: false, at: 1600))
        #expect(wait(1, at: 2599))
    }

    @Test(
        "an input that is no result is handled at once, with the results before it",
        arguments: [FileSyncInput.received([]), .readToEnd, .command(.undoDeletions), .rootLost, .pushed([]), .started])
    func others(input: FileSyncInput) {
        var results = WaitingResults(at: .now)
        let mayWait = results.mayWait([result, input, result], forMore: true, at: .now)
        #expect(!mayWait)
    }
}
