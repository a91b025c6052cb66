// Code as apps and tutorials for Apple's systems have it, in the language mode of Swift 5. It is compiled, and hardly run.
import Baton
import Testing

/// Belongs to no actor, and has the method of before iOS 14 alone.
class Tracker: NSObject, CLLocationManagerDelegate {
    let manager = CLLocationManager()
    var last: CLLocation?

    func start() {
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyBest
        manager.activityType = .fitness
        manager.pausesLocationUpdatesAutomatically = false
        manager.requestWhenInUseAuthorization()
        manager.startUpdatingLocation()
        manager.startMonitoringSignificantLocationChanges()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        last = locations.last
    }
    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) { manager.stopUpdatingLocation() }
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}

    func follow() async throws {
        for try await update in CLLocationUpdate.liveUpdates(.fitness) where update.location != nil {
            last = update.location
        }
    }
}

/// A model with a manager of its own: nothing of it is on the main actor.
class Drawing {
    let undoManager = UndoManager()
    let tracker = Tracker()
    var lines = 0

    func add() {
        lines += 1
        undoManager.registerUndo(withTarget: self) { $0.lines -= 1 }
        undoManager.setActionName("Line")
    }

    func route(to item: MKMapItem) {
        let request = MKDirections.Request()
        request.source = .forCurrentLocation()
        request.destination = item
        MKDirections(request: request).calculate { response, error in
            self.lines = response?.routes.first?.steps.count ?? 0
        }
    }

    func watch() async {
        for await note in NotificationCenter.default.notifications(named: UIApplication.didBecomeActiveNotification) {
            lines += note.userInfo?.count ?? 0
        }
    }

    func read(_ url: URL) -> Data? {
        guard url.startAccessingSecurityScopedResource() else { return nil }
        defer { url.stopAccessingSecurityScopedResource() }
        return try? Data(contentsOf: url)
    }
}

class PushDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerForRemoteNotifications()
        return true
    }
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let isOurs = CKNotification(fromRemoteNotificationDictionary: userInfo) as? CKDatabaseNotification != nil
        completionHandler(isOurs ? .newData : .noData)
    }
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
    ) { print(error.localizedDescription) }
}

class PreviewingController: UIViewController, UIDocumentInteractionControllerDelegate {
    func documentInteractionControllerViewControllerForPreview(
        _ controller: UIDocumentInteractionController
    ) -> UIViewController { self }
}

class TextFile: NSDocument {
    override class func canConcurrentlyReadDocuments(ofType typeName: String) -> Bool { true }
    override func canAsynchronouslyWrite(
        to url: URL, ofType typeName: String, for saveOperation: NSDocument.SaveOperationType
    ) -> Bool { true }
    override func makeWindowControllers() {
        let window = NSWindow()
        window.title = displayName
        addWindowController(NSWindowController(window: window))
        NSApp.activate(ignoringOtherApps: true)
    }
}

class ReadingScene: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {}
    func show(_ url: URL, in scene: UIWindowScene) async -> Bool { await scene.open(url, options: nil) }
}

func donate(_ intent: INSendMessageIntent) {
    intent.setImage(INImage(named: "choir"), forParameterNamed: \.speakableGroupName)
    INInteraction(intent: intent, response: nil).donate { _ in }
}

@Suite struct AppleSamplesTests {
    @Test("models of no actor make managers of their own, as on Apple's systems (X-4)")
    @MainActor
    func models() throws {
        let drawing = Drawing()
        drawing.add()
        drawing.undoManager.undo()
        #expect(drawing.lines == 0 && drawing.tracker.last == nil)
        // A file of its own: Foundation on Linux does not read devices.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("drawing-" + UUID().uuidString)
        try Data("lines".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(drawing.read(file) == Data("lines".utf8))
    }
}
