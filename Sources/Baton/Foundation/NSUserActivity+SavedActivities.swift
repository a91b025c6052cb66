extension NSUserActivity {
    /// Deletes what was saved of this app's activities with these identifiers, for search and suggestions.
    ///
    /// Activities saved before the call are deleted, and those saved after it stay. Without a daemon, the handler is called
    /// after 10 seconds, and the deletion is made as soon as a daemon runs, if the process still does.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: of the activities; unknown ones are ignored.
    ///   - handler: called once, asynchronously, on the serial queue on which delegates are called, when it is done.
    ///     There is no error.
    @preconcurrency
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        AppRuntime.current.deleteSaved(persistentIdentifiers, completion: handler)
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
    /// - Parameter handler: called once, asynchronously, on the serial queue on which delegates are called, when it is
    ///   done, or as ``deleteSavedUserActivities(withPersistentIdentifiers:completionHandler:)`` says. There is no error.
    @preconcurrency
    public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        AppRuntime.current.deleteSaved(nil, completion: handler)
    }

    /// Deletes everything that was saved of this app's activities.
    public class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            deleteAllSavedUserActivities { continuation.resume() }
        }
    }
}
