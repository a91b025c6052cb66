// An app's code from before Swift 6, which compiles with `import UIKit` and must with Baton: the module is built in the
// language mode of Swift 5, imports Baton alone, and knows nothing of actors.
import Baton
import Testing

/// Not of any actor, as models are.
class Reader: NSObject, NSUserActivityDelegate {
    var activity: NSUserActivity?
    var opened = 0
    let started = Date()

    func isInUse() -> Bool { UIApplication.shared.applicationState == .active }

    func bookmark(_ page: Int) {
        let activity = NSUserActivity(activityType: "com.example.reading")
        activity.userInfo = ["page": page, "started": started]
        activity.delegate = self
        UIApplication.shared.userActivity = activity
        self.activity = activity
    }

    func userActivityWillSave(_ userActivity: NSUserActivity) { opened = 0 }

    func ask() {
        var answers = 0
        activity?.getContinuationStreams { input, output, error in
            answers += 1
            self.opened = input == nil ? 0 : answers
        }
        NSUserActivity.deleteAllSavedUserActivities { self.opened = 0 }
    }

    func observe() -> NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: UIApplication.shared, queue: nil
        ) { _ in self.opened += 1 }
    }
}

class OldDelegate: UIResponder, UIApplicationDelegate {
    let reader = Reader()

    func applicationDidBecomeActive(_ application: UIApplication) { reader.opened += 1 }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        DispatchQueue.main.async { restorationHandler([self]) }
        return true
    }
}

class OldDesktopDelegate: NSObject, NSApplicationDelegate {
    func applicationDidFinishLaunching(_ notification: Notification) { NSApp.userActivity = nil }
}

@Suite struct SwiftFiveTests {
    @Test("code of Swift 5 that imports Baton alone has Foundation with it, and uses the app from anywhere")
    @MainActor
    func compiles() {
        let reader = Reader()
        reader.bookmark(41)
        #expect(reader.activity?.userInfo?["page"] as? Int == 41)
        #expect(UIApplication.shared.userActivity === reader.activity)
        #expect(!reader.isInUse())
        UIApplication.shared.userActivity = nil
        #expect(JSONSerialization.isValidJSONObject(["url": "https://example.org"]))
    }
}
