import Baton

/// A page about the platform.
final class PlatformViewController: UIViewController {
    static let activityType = "com.xamarin.platform"
    private static let link = "http://xamarin.com/platform"

    /// The person looks at the page. The controller holds its activity, or it would end at once.
    func show() {
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = "The Xamarin Platform"
        activity.userInfo = ["link": Self.link]

        activity.isEligibleForSearch = true
        activity.isEligibleForHandoff = true
        activity.isEligibleForPublicIndexing = true

        let attributes = CSSearchableItemAttributeSet(itemContentType: "com.xamarin.location")
        attributes.thumbnailURL = URL(fileURLWithPath: "/usr/share/pixmaps/xamarin.png")
        attributes.keywords = ["software", "mobile", "language"]
        activity.contentAttributeSet = attributes

        // A device without the app opens the page.
        activity.webpageURL = URL(string: Self.link)
        // With a page, a search gives back only what is required.
        activity.requiredUserInfoKeys = ["link"]

        userActivity = activity
        activity.becomeCurrent()
        print("shows \(Self.link)")
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["link": Self.link])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        print("restored \(activity.userInfo?["link"] as? String ?? "nothing"): \(activity.title ?? "")")
    }
}
