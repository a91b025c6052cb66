import BatonCore
import BatonWire
import Foundation

/// A URL that the app is to open.
struct OpenedURL {
    var url: URL
    /// Empty unless the sender is of the app's team.
    var sourceApplication: String?
    var annotation: Any?
    var openInPlace: Bool

    init(url: URL, openInPlace: Bool) {
        self.url = url
        sourceApplication = nil
        self.openInPlace = openInPlace
    }

    init?(_ message: Baton_App_V1_OpenURLCommand) {
        guard let url = URL(string: message.url) else { return nil }
        self.url = url
        sourceApplication = message.sourceApplication.isEmpty ? nil : message.sourceApplication
        annotation = message.hasAnnotation ? (try? PropertyValue(message.annotation))?.any : nil
        openInPlace = message.openInPlace
    }

    /// The URL that an app was launched for; nil for anything else.
    init?(launchOptions: [UIApplication.LaunchOptionsKey: Any]) {
        guard let url = launchOptions[.url] as? URL else { return nil }
        self.url = url
        sourceApplication = launchOptions[.sourceApplication] as? String
        openInPlace = launchOptions[.openInPlace] as? Bool ?? false
    }

    var options: [UIApplication.OpenURLOptionsKey: Any] {
        var options: [UIApplication.OpenURLOptionsKey: Any] = [.openInPlace: openInPlace]
        options[.sourceApplication] = sourceApplication
        options[.annotation] = annotation
        return options
    }
}
