extension NSUserActivity {
    /// The least `CFBundleVersion` of the app that can continue this activity; nil, at first, for any. Not Apple's.
    ///
    /// Versions differ between devices (H-98). A device whose app is older does not continue the activity, and tells
    /// the person to update the app, instead of failing later. Announced again when changed. Travels beside `userInfo`,
    /// so apps on Apple's systems are not disturbed by it. Safe to use from any thread.
    public var minimumAppVersion: String? {
        get { snapshot.minimumAppVersion }
        set { describe { $0.minimumAppVersion = newValue } }
    }
}
