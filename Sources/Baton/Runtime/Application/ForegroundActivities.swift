/// The view controllers that were given a document's activity: it becomes current when the app comes to the foreground (H-61).
@MainActor
final class ForegroundActivities {
    /// Policy: the controller that was assigned to longest ago is forgotten.
    static let capacity = 256

    private struct Entry {
        weak var controller: UIViewController?
    }

    private unowned let application: UIApplication
    /// The one that was assigned to last comes last.
    private var entries: [Entry] = []

    init(application: UIApplication) { self.application = application }

    /// A controller was given an activity, or has appeared with one.
    func assigned(to controller: UIViewController) {
        entries.removeAll { $0.controller == nil || $0.controller === controller }
        entries.append(Entry(controller: controller))
        if entries.count > Self.capacity { entries.removeFirst() }
        guard application.applicationState == .active, Self.counts(controller) else { return }
        controller.userActivity?.becomeCurrent()
    }

    /// The app has become active.
    func cameToForeground() {
        let controllers = entries.compactMap(\.controller).filter(Self.counts)
        // A program with an interface of its own may never say that a controller appears.
        let chosen = controllers.last { $0.isVisible } ?? controllers.last
        chosen?.userActivity?.becomeCurrent()
    }

    private static func counts(_ controller: UIViewController) -> Bool {
        guard controller.isVisible || !controller.isViewLoaded else { return false }
        return controller.userActivity?.belongsToDocument ?? false
    }
}
