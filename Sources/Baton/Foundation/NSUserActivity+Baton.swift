import BatonCore

extension NSUserActivity {
    /// The least `CFBundleVersion` of the app that can continue this activity; nil, at first, for any. Not Apple's.
    ///
    /// Versions differ between devices (H-98). A device whose app is older does not continue the activity, and informs
    /// the person to update the app, instead of failing later. Announced again when changed. Travels beside `userInfo`,
    /// so apps on Apple's systems are not disturbed by it. Safe to use from any thread. Anything but numbers separated
    /// by periods is a mistake, which goes to ``BatonExceptions/handler`` and changes nothing.
    public var minimumAppVersion: String? {
        get { snapshot.minimumAppVersion }
        set {
            if let newValue, AppVersion(newValue) == nil {
                return BatonExceptions.raiseInvalidArgument(
                    "NSUserActivity.minimumAppVersion was set to “\(newValue.prefix(80))”. A CFBundleVersion is "
                        + "one to eight numbers separated by periods, as in 1.4.2.")
            }
            describe { $0.minimumAppVersion = newValue }
        }
    }
}
