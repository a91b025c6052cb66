public import Foundation

/// Whether the system's assistant may use an app. Apple's numbers.
public enum INSiriAuthorizationStatus: Int, Sendable {
    /// The person was not asked yet.
    case notDetermined = 0
    /// The person cannot allow it.
    case restricted = 1
    /// The person has refused it.
    case denied = 2
    /// The app may be used.
    case authorized = 3
}

/// The person's choices for the assistant. Intents'.
///
/// Here `baton ask` leads into apps, by their donations and offers, and no app needs permission for that. Donations stay
/// on this device; `baton people` and `baton forget` are the person's say. Nothing calls the handlers of a Siri extension.
///
/// Apple: <https://developer.apple.com/documentation/intents/inpreferences>
open class INPreferences: NSObject {
    /// Always ``INSiriAuthorizationStatus/authorized``.
    open class func siriAuthorizationStatus() -> INSiriAuthorizationStatus { .authorized }

    /// Asks no person.
    /// - Parameter handler: called on the serial queue of Baton's callbacks with ``INSiriAuthorizationStatus/authorized``.
    open class func requestSiriAuthorization(_ handler: @escaping @Sendable (INSiriAuthorizationStatus) -> Void) {
        AppRuntime.current.callbacks.async { handler(.authorized) }
    }

    /// Asks no person.
    open class func requestSiriAuthorization() async -> INSiriAuthorizationStatus { .authorized }

    /// The person's first language, in which `baton ask` reads a request first: `de-DE`. English where none is set.
    open class func siriLanguageCode() -> String { languageCode(ProcessInfo.processInfo.environment) }

    static func languageCode(_ environment: [String: String]) -> String {
        let given = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        // `de_DE.UTF-8@euro:en`
        let names = given.compactMap { value in
            value.split(separator: ":").first?.split(whereSeparator: { $0 == "." || $0 == "@" }).first.map(String.init)
        }
        guard let name = names.first, !["C", "POSIX"].contains(name) else { return "en-US" }
        return name.replacingOccurrences(of: "_", with: "-")
    }
}
