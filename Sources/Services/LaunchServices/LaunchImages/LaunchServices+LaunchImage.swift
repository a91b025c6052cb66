package import BatonCore
import BatonTrust

extension LaunchServices {
    /// The variable by which the launch of an app says for which URL it is.
    static let urlVariable = "BATON_LAUNCH_URL"

    /// The picture to show while an app is launched (U-23): no app has a snapshot here that would go before it.
    ///
    /// - Parameter url: for which it is launched; nil for none.
    /// - Returns: its path, and why it was chosen; nil for an app without one.
    package func launchImage(of bundleID: BundleID, for url: String?) -> (path: String, reason: String)? {
        guard let app = app(bundleID) else { return nil }
        let request = LaunchImageChooser.Request(scheme: url.flatMap { URLScheme(ofURL: $0)?.rawValue })
        return LaunchImageChooser(app.traits.launchImages).choose(request).map { choice in
            (app.bundlePath + "/" + choice.file, choice.reason)
        }
    }
}
