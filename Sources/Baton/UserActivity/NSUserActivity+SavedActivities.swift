import Dispatch

extension NSUserActivity {
    /// Deletes what was saved of activities with these identifiers, for search and suggestions.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: of the activities; unknown ones are ignored.
    ///   - handler: called once, asynchronously, on the serial queue on which delegates are called. There is no error.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        AppRuntime.current.callbacks.async(execute: handler)
    }

    /// Deletes what was saved of activities with these identifiers, for search and suggestions.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) { continuation.resume() }
        }
    }

    /// Deletes everything that was saved of this app's activities.
    ///
    /// - Parameter handler: called once, asynchronously, on the serial queue on which delegates are called. There is no
    ///   error.
    public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        AppRuntime.current.callbacks.async(execute: handler)
    }

    /// Deletes everything that was saved of this app's activities.
    public class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            deleteAllSavedUserActivities { continuation.resume() }
        }
    }
}
