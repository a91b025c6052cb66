import Foundation
import Testing

@testable import Baton

/// Tasks that an app may finish before it ends.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct BackgroundTaskTests {
    private final class Delegate: NSObject, UIApplicationDelegate {
        let journal = Journal()
        func applicationWillTerminate(_ application: UIApplication) { journal.note("willTerminate") }
    }

    @Test("tasks have numbers of their own, end once, and expire in their order")
    func table() {
        var table = BackgroundTaskTable()
        let (first, second) = (table.begin(nil), table.begin {})
        #expect(first == 1 && second == 2)
        let ends = [table.end(1), table.end(1), table.end(2)]
        #expect(ends == [false, false, true] && table.isEmpty)
        let begun = (0..<BackgroundTaskTable.capacity).compactMap { _ in table.begin {} }
        #expect(begun.count == BackgroundTaskTable.capacity)
        let oneMore = table.begin(nil)
        #expect(oneMore == nil)
        let expired = table.expire()
        #expect(expired.count == BackgroundTaskTable.capacity && table.isEmpty)
        let late = table.begin(nil)
        #expect(late == nil)
        table.resume()
        let again = table.begin(nil)
        #expect(again != nil)
    }

    @Test("an app that is asked to end does so when its last task has ended")
    func ends() async throws {
        try await withApp { app in
            let application = app.runtime.application
            let delegate = Delegate()
            try await app.attach(delegate: delegate)
            let (first, second) = (
                application.beginBackgroundTask(withName: "one"), application.beginBackgroundTask()
            )
            #expect(first != .invalid && second != .invalid && first != second)
            #expect(application.backgroundTimeRemaining == .greatestFiniteMagnitude)
            application.terminate()
            #expect(application.applicationState == .background)
            #expect(application.backgroundTimeRemaining <= 4)
            application.endBackgroundTask(first)
            application.endBackgroundTask(.invalid)
            #expect(delegate.journal.all.isEmpty)
            application.endBackgroundTask(second)
            #expect(try await app.exits.next() == 0)
            #expect(delegate.journal.all == ["willTerminate"])
        }
    }

    @Test("a task that does not end is told so when its time is over, and the app ends")
    func expires() async throws {
        let tasks = BackgroundTasks()
        let journal = Journal()
        _ = tasks.begin { journal.note("expired") }
        await withCheckedContinuation { continuation in
            tasks.finish(within: .milliseconds(20)) {
                #expect(tasks.begin(nil) == nil)
                journal.note("over")
                continuation.resume()
            }
        }
        #expect(journal.all == ["expired", "over"])
        #expect(tasks.remaining == nil)
        tasks.finish(within: .seconds(60)) { journal.note("at once") }
        #expect(journal.all.last == "at once")
    }
}
