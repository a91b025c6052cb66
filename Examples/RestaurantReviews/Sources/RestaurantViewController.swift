import Baton

/// The screen of one restaurant.
final class RestaurantViewController: UIViewController {
    static let activityType = "com.example.RestaurantReviews.restaurant"
    private var restaurant: Restaurant?

    /// The person looks at it: from now on the system may offer its place to other apps.
    func show(_ restaurant: Restaurant) {
        self.restaurant = restaurant
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = restaurant.name
        // Small: which restaurant it is, and no more. State that changes with every gesture would be added when it is needed, in
        // updateUserActivityState(_:), for which it has to be marked.
        activity.userInfo = ["restaurant": restaurant.identifier]
        activity.needsSave = true
        activity.requiredUserInfoKeys = ["restaurant"]
        activity.isEligibleForSearch = true
        activity.isEligibleForPrediction = true
        let attributes = restaurant.item.attributeSet
        // One thing is shown once, whether it is found as an item or as what the person saw.
        attributes.weakRelatedUniqueIdentifier = restaurant.identifier
        activity.contentAttributeSet = attributes
        activity.mapItem = restaurant.mapItem
        // The responder holds it as long as it is on the screen: an activity without a strong reference is current no longer.
        userActivity = activity
        activity.becomeCurrent()
        print("shows \(restaurant.name): \(restaurant.review)")
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        if let restaurant { activity.addUserInfoEntries(from: ["restaurant": restaurant.identifier]) }
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        let identifier = activity.userInfo?["restaurant"] as? String
        guard let restaurant = Restaurant.all.first(where: { $0.identifier == identifier }) else {
            return print("The restaurant is not in the guide any more.")
        }
        show(restaurant)
    }
}
