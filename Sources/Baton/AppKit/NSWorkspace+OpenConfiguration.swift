public import Foundation

extension NSWorkspace {
    /// How something is opened.
    ///
    /// A property that cannot be had here is unavailable, and says so when code is compiled: there is no dock to hide in, and an app gets no
    /// arguments from another one.
    @MainActor
    @preconcurrency
    open class OpenConfiguration: NSObject {
        /// Only in an app that claims the page as a universal link.
        open var requiresUniversalLinks = false
        /// Whether the app comes to the front. It does, or does not, as it likes.
        open var activates = true
        /// Whether the person may be asked something, such as which app is meant.
        open var promptsUserIfNeeded = true
        /// Whether the app that runs may be another one than the named bundle's. An app is found by its bundle identifier, so it makes no
        /// difference.
        open var allowsRunningApplicationSubstitution = true
        /// Whether a second process is to be started. An app has one process here: opening with true fails.
        open var createsNewApplicationInstance = false

        /// Not here.
        @available(*, unavailable, message: "Apps give each other no arguments. Open a URL instead.")
        open var arguments: [String] {
            get { [] }
            set {}
        }
        /// Not here.
        @available(*, unavailable, message: "Apps give each other no environment. Open a URL instead.")
        open var environment: [String: String] {
            get { [:] }
            set {}
        }
        /// Not here.
        @available(*, unavailable, message: "Only NSDocumentController keeps recent documents: the app's own.")
        open var addsToRecentItems: Bool {
            get { false }
            set {}
        }
        /// Not here.
        @available(*, unavailable, message: "Nothing can hide an app of another process on Linux.")
        open var hides: Bool {
            get { false }
            set {}
        }
        /// Not here.
        @available(*, unavailable, message: "Nothing can hide an app of another process on Linux.")
        open var hidesOthers: Bool {
            get { false }
            set {}
        }
        /// Not here.
        @available(*, unavailable, message: "No app can be asked to print.")
        open var isForPrinting: Bool {
            get { false }
            set {}
        }
    }
}
