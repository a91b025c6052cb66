import Foundation
import Testing

@testable import Baton

/// The document's activity in a view controller, and the undo managers of responders.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ForegroundActivityTests {
    private final class Delegate: NSObject, UIApplicationDelegate {}

    /// A document with an activity of its own.
    private func document(_ fixture: DocumentFixture) -> TextDocument {
        let url = fixture.url("a.txt")
        let document = fixture.make { TextDocument(fileURL: url) }
        document.userActivity = NSUserActivity(activityType: "com.example.document")
        return document
    }

    @Test("a controller's document activity becomes current when the app comes to the foreground (H-61)")
    func foreground() async throws {
        let fixture = try DocumentFixture()
        try await withApp { app in
            let application = app.runtime.application
            let delegate = Delegate()
            application.delegate = delegate
            let document = document(fixture)
            let activity = try #require(document.userActivity)
            let controller = UIViewController()
            application.transition(to: .background)
            controller.userActivity = activity
            #expect(app.runtime.currentActivity == nil)
            application.transition(to: .active)
            #expect(app.runtime.currentActivity === activity)
            // An activity that the app made current meanwhile gives way when the person comes back to the document.
            let other = NSUserActivity(activityType: "com.example.other")
            other.becomeCurrent()
            application.transition(to: .background)
            application.transition(to: .active)
            #expect(app.runtime.currentActivity === activity)
            // While the app is active, it does so at once.
            other.becomeCurrent()
            controller.userActivity = nil
            controller.userActivity = activity
            #expect(app.runtime.currentActivity === activity)
            withExtendedLifetime((document, delegate)) {}
        }
    }

    @Test("an activity of no document is left alone, and so is a controller that has disappeared (H-61)")
    func others() async throws {
        let fixture = try DocumentFixture()
        try await withApp { app in
            let application = app.runtime.application
            let delegate = Delegate()
            application.delegate = delegate
            application.transition(to: .active)
            let controller = UIViewController()
            let own = NSUserActivity(activityType: "com.example.own")
            controller.userActivity = own
            #expect(app.runtime.currentActivity == nil)
            let document = document(fixture)
            let window = UIWindow()
            window.rootViewController = controller
            window.makeKeyAndVisible()
            window.isHidden = true
            controller.userActivity = document.userActivity
            application.transition(to: .background)
            application.transition(to: .active)
            #expect(app.runtime.currentActivity == nil)
            window.isHidden = false
            #expect(app.runtime.currentActivity === document.userActivity)
            withExtendedLifetime((own, document, delegate)) {}
        }
    }

    @Test("a responder finds the undo manager of its window, and a window of AppKit that of its document")
    func undoManagers() throws {
        let (window, root, above) = (UIWindow(), UIViewController(), UIViewController())
        #expect(root.undoManager == nil)
        window.rootViewController = root
        root.present(above, animated: false)
        #expect(above.undoManager === window.undoManager && window.undoManager != nil)
        window.rootViewController = nil
        #expect(root.undoManager == nil)
        let controller = NSWindowController(window: NSWindow())
        let own = controller.window?.undoManager
        #expect(own != nil)
        let document = NSDocument()
        document.addWindowController(controller)
        #expect(controller.window?.undoManager === document.undoManager && document.undoManager !== own)
        let view = NSResponder()
        view.nextResponder = controller.window
        #expect(view.undoManager === document.undoManager)
        #expect(NSNotification.Name.NSUndoManagerDidUndoChange.rawValue == "NSUndoManagerDidUndoChangeNotification")
    }
}
