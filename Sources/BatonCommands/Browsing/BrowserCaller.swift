package import BatonCore

/// The program that started the extension's host.
package enum BrowserCaller {
    /// Follows from the key in the extension's manifest.
    package static let chromiumID = "eenmfipmndbmdghokkjglolemooinmeb"
    /// Named in the extension's manifest.
    package static let geckoID = "browser-extension@baton"
    /// The name by which the extension calls its host.
    package static let hostName = "org.baton.browser_extension"

    package static var chromiumOrigin: String { "chrome-extension://\(chromiumID)/" }

    /// Checks what a browser passes on: Chromium the extension's origin, Firefox the manifest's path and the extension's
    /// identifier. The browser has compared the extension with the host's manifest before; this is the second lock.
    /// - Throws: `permission_denied` with reason `unknown_extension`.
    package static func check(_ arguments: [String]) throws(BatonError) {
        if arguments.first == chromiumOrigin { return }
        if arguments.count >= 2, arguments[0].hasPrefix("/"), arguments[1] == geckoID { return }
        throw BatonError(
            .permissionDenied, reason: "unknown_extension",
            "Only Baton's own browser extension may use this, and a browser starts it. “baton browse install” sets it up."
        )
    }
}
