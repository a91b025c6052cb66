/// Finds out whether an app delegate implements one of its optional methods.
///
/// Without Objective-C an object cannot be asked that. So each default implementation leaves a note when it is reached,
/// with the object on which it was called: an implementation that calls another object's default leaves none that
/// counts. Everything happens on the main actor between one call and its return.
enum OptionalMethod: Sendable {
    case willFinishLaunching
    case didFinishLaunching
    case willContinue
    case continueActivity
    case didFail
    case openURL
    case openURLFromSource
    case handleOpenURL
    case openFiles
    case openFile
    case configurationForConnecting
    case sceneOpenURLs
    case sceneWillContinue
    case sceneContinue
    case sceneDidFail

    @MainActor private static var notes: Set<Note> = []

    private struct Note: Hashable {
        var method: OptionalMethod
        var object: ObjectIdentifier
    }

    /// - Returns: nil when the object does not implement the method.
    @MainActor
    func call<Result>(on object: AnyObject, _ body: () -> Result) -> Result? {
        let outer = Self.notes
        Self.notes = []
        defer { Self.notes = outer }
        let result = body()
        return Self.notes.contains(Note(method: self, object: ObjectIdentifier(object))) ? nil : result
    }

    /// Called by default implementations only.
    @MainActor
    func noteAbsent(on object: AnyObject) {
        Self.notes.insert(Note(method: self, object: ObjectIdentifier(object)))
    }
}
