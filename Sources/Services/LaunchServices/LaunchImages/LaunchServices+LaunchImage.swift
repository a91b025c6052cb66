package import BatonCore
import BatonTrust

/// The picture of a launch, for the screens on which it may be shown.
package struct LaunchImage: Sendable, Hashable {
    /// Where it is, for a screen whose points are pixels.
    package let path: String
    /// Where the picture for 2 and 3 pixels a point is. A picture's own scale is in its name.
    package let scaled: [Int: String]
}

extension LaunchServices {
    /// The variable by which the launch of an app says for which URL it is.
    static let urlVariable = "BATON_LAUNCH_URL"

    /// The picture to show while an app is launched (U-23): no app has a snapshot here that would go before it.
    ///
    /// - Parameter url: for which it is launched; nil for none.
    /// - Parameter scale: pixels of a point of the screen.
    /// - Returns: its path, and why it was chosen; nil for an app without one.
    package func launchImage(of bundleID: BundleID, for url: String?, scale: Int = 1) -> (path: String, reason: String)?
    {
        guard let app = app(bundleID) else { return nil }
        let request = LaunchImageChooser.Request(
            scheme: url.flatMap { URLScheme(ofURL: $0)?.rawValue }, scale: scale)
        return LaunchImageChooser(app.traits.launchImages).choose(request).map { choice in
            (app.bundlePath + "/" + choice.file, choice.reason)
        }
    }

    /// The daemon has no screen: who shows the picture knows its scale.
    func launchImages(of bundleID: BundleID, for url: String?) -> LaunchImage? {
        guard let path = launchImage(of: bundleID, for: url)?.path else { return nil }
        let scaled = [2, 3].compactMap { scale in
            launchImage(of: bundleID, for: url, scale: scale).map { (scale, $0.path) }
        }
        return LaunchImage(path: path, scaled: Dictionary(uniqueKeysWithValues: scaled))
    }
}
