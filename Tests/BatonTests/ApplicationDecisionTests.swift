import Foundation
import Testing

@testable import Baton

/// The decisions of a delegate of AppKit, and opening elsewhere.
@MainActor
@Suite(.timeLimit(.minutes(1)), .serialized) struct ApplicationDecisionTests {
    private final class Delegate: NSObject, NSApplicationDelegate {
        let journal = Journal()
        var reply = NSApplication.TerminateReply.terminateCancel

        func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
            journal.note("should")
            return reply
        }
        func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool { true }
        func applicationWillTerminate(_ notification: Notification) { journal.note("will") }
        func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows flag: Bool) -> Bool {
            journal.note("reopen \(flag)")
            return false
        }
        func application(_ sender: NSApplication, openFile filename: String) -> Bool {
            journal.note("openFile \(filename)")
            return true
        }
    }

    private final class SeveralFiles: NSObject, NSApplicationDelegate {
        let journal = Journal()

        func application(_ sender: NSApplication, openFile filename: String) -> Bool { false }
        func application(_ sender: NSApplication, openFiles filenames: [String]) {
            journal.note("openFiles \(filenames.joined(separator: " "))")
            sender.reply(toOpenOrPrint: .success)
        }
    }

    @Test("a delegate may refuse to end, decide later, and end with the last window")
    func ending() async throws {
        try await withApp { app in
            let application = app.runtime.appKitApplication
            let delegate = Delegate()
            application.delegate = delegate
            application.terminate(nil)
            #expect(delegate.journal.all == ["should"])
            delegate.reply = .terminateLater
            application.terminate(nil)
            application.terminate(nil)
            application.reply(toApplicationShouldTerminate: false)
            application.reply(toApplicationShouldTerminate: true)
            #expect(delegate.journal.all == ["should", "should"])
            delegate.reply = .terminateNow
            application.windowClosed()
            let status = try await app.exits.next()
            #expect(status == 0)
            #expect(delegate.journal.all == ["should", "should", "should", "will"])
        }
    }

    @Test("an app of AppKit ends when what its documents have begun to save is saved")
    func saving() async throws {
        try await withApp { app in
            let application = app.runtime.appKitApplication
            let delegate = Delegate()
            application.delegate = delegate
            delegate.reply = .terminateNow
            let saving = app.runtime.application.beginBackgroundTask()
            application.terminate(nil)
            application.terminate(nil)
            #expect(delegate.journal.all == ["should"])
            app.runtime.application.endBackgroundTask(saving)
            let status = try await app.exits.next()
            #expect(status == 0)
            #expect(delegate.journal.all == ["should", "will"])
        }
    }

    @Test("a file reaches the older methods of a delegate, and a second visit asks it (U-13)")
    func files() async throws {
        try await withApp { app in
            let application = app.runtime.appKitApplication
            let delegate = Delegate()
            application.delegate = delegate
            let file = OpenedURL(url: URL(fileURLWithPath: "/inbox/a.txt"), openInPlace: false)
            #expect(application.open(file, request: "1") == true)
            let page = OpenedURL(url: try #require(URL(string: "example:page")), openInPlace: false)
            #expect(application.open(page, request: "2") == nil)
            application.reopen()
            #expect(delegate.journal.all == ["openFile /inbox/a.txt", "reopen false"])
            // One that takes several at once is not asked for each.
            let several = SeveralFiles()
            application.delegate = several
            #expect(application.open(file, request: "3") == true)
            #expect(several.journal.all == ["openFiles /inbox/a.txt"])
        }
    }

    @Test("the workspace opens what something here opens, and says how it ended (U-1)")
    func workspace() async throws {
        try await withApp { app in
            let url = try #require(URL(string: "example:page"))
            let error: Int? = await withCheckedContinuation { continuation in
                NSWorkspace.shared.open(url, configuration: .init()) { _, error in
                    continuation.resume(returning: error.map { ($0 as NSError).code })
                }
            }
            #expect(error == nil && app.daemon.opened == ["example:page"])
            #expect(!NSWorkspace.shared.open(URL(fileURLWithPath: "/nonexistent.txt")))
            let missing = URL(fileURLWithPath: "/nonexistent.txt")
            let code: Int? = await withCheckedContinuation { continuation in
                NSWorkspace.shared.open(missing, configuration: .init()) { _, error in
                    continuation.resume(returning: error.map { ($0 as NSError).code })
                }
            }
            #expect(code == CocoaError.Code.fileReadUnknown.rawValue)
        }
    }
}
