import AppLink
package import BatonConcurrency
import Foundation

/// The surroundings of documents: time, types, and where iCloud is.
package struct DocumentEnvironment: Sendable {
    package var clock: MomentClock
    /// Runs something on the main queue after a delay. It may come too often, never too early.
    package var schedule: @Sendable (Duration, @escaping @Sendable @MainActor () -> Void) -> Void
    /// The identifier of the type of what is at a URL; the file need not exist.
    package var type: @Sendable (URL) -> String?
    /// The extension that files of a type have by preference, without a dot.
    package var filenameExtension: @Sendable (String) -> String?
    /// `NSUbiquitousDocumentUserActivityType` of the document type that a type belongs to (H-55).
    package var activityType: @Sendable (String) -> String?
    /// Whether a document is in iCloud (H-56).
    package var isUbiquitous: @Sendable (URL) -> Bool
    /// Waits until the content of a document is on this device. True for a document that this device may not have heard
    /// of yet. On a background queue.
    package var makeAvailable: @Sendable (URL, _ waitsForItem: Bool) throws -> Void = { _, _ in }
    /// Reports, on any thread, when a document in iCloud is changed from elsewhere. Nil if it is not in iCloud; otherwise what
    /// ends it.
    var follow: @Sendable (URL, @escaping @Sendable (UbiquityClient.ItemNews) -> Void) -> (@Sendable () -> Void)? = {
        _, _ in nil
    }
    /// The download or upload of a document in iCloud that is under way, by the daemon's events. Does not wait for the daemon,
    /// but for those who hear of them: on a background queue.
    var transfer: @Sendable (URL) -> DocumentTransfer? = { _ in nil }
    /// Whether there is no person who could see an error.
    var isInBackground: @MainActor @Sendable () -> Bool = { UIApplication.shared.applicationState == .background }
    /// Keeps the app, when it is to end, from doing so until what it returns is called, but for a few seconds at most.
    var keepRunning: @MainActor @Sendable () -> @MainActor @Sendable () -> Void = {
        let application = UIApplication.shared
        let task = application.beginBackgroundTask(withName: "Saving a document")
        return { application.endBackgroundTask(task) }
    }
    /// Where the application says that it may not go on.
    var notifications = NotificationCenter.default
    /// Whether the daemon still lists an item at a URL: a missing one was moved, or its deletion will be announced.
    package var isListed: @Sendable (URL) -> Bool = { _ in false }
    /// Where documents coordinate their accesses.
    package var coordination: @Sendable () -> FileCoordinationRuntime

    private static let epoch = ContinuousClock.now

    /// The process's own. Types are read from the `Info.plist` until the library sets what knows more.
    package static let standard = DocumentEnvironment(
        clock: MomentClock { Timestamp(.now - epoch) },
        schedule: { delay, action in
            let milliseconds =
                Int(delay.components.seconds) * 1000 + Int(delay.components.attoseconds / 1_000_000_000_000_000)
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds + 1)) {
                MainActor.assumeIsolated { action() }
            }
        },
        type: {
            DocumentTypes.main.type(of: $0) ?? UTType(filenameExtension: $0.pathExtension)?.identifier ?? "public.data"
        },
        filenameExtension: {
            DocumentTypes.main.filenameExtension(of: $0) ?? UTType($0)?.preferredFilenameExtension
        },
        activityType: { DocumentTypes.main.entry(for: $0)?.activityType },
        isUbiquitous: { AppRuntime.current.ubiquity.isUbiquitous($0) },
        makeAvailable: { try AppRuntime.current.ubiquity.makeAvailable($0, waitsForItem: $1) },
        follow: { AppRuntime.current.ubiquity.follow($0, $1) },
        transfer: { AppRuntime.current.ubiquity.listedItem(at: $0).flatMap(DocumentTransfer.init) },
        isListed: { AppRuntime.current.ubiquity.isListed($0) },
        coordination: { .shared })

    /// For one task: tests have a time of their own.
    @TaskLocal package static var scoped: DocumentEnvironment?

    package static var shared: DocumentEnvironment {
        get { scoped ?? current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = UncheckedMutex(standard)
}
