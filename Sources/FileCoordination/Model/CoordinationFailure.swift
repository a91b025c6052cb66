/// Why a request was not granted.
package enum CoordinationFailure: Error, Hashable, Sendable {
    case cancelled
    /// It waits for one that waits for it. Lists those of the circle, this one first.
    case deadlock([CoordinationRequestID])
    case presenter(FilePresenterID, PresenterFailure)
}

/// Why an input was not taken at all.
package enum CoordinationRefusal: String, Error, Hashable, Sendable {
    /// The number is in use.
    case duplicate
    case noIntents = "no_intents"
    case tooManyIntents = "too_many_intents"
    case tooManyRequests = "too_many_requests"
    case tooManyPresenters = "too_many_presenters"
    /// The process may not read what it names.
    case notPermitted = "not_permitted"
    /// A path is relative or has another form than ``CoordinatedPath``.
    case invalidPath = "invalid_path"
}

/// Something that a person who looks for the cause of a delay should know.
package enum CoordinationReport: Hashable, Sendable {
    /// A presenter has not answered for some time.
    case silent(FilePresenterID, PresenterMessage, CoordinationRequestID)
    /// It has not answered for so long that it is not waited for any more.
    case passedOver(FilePresenterID, PresenterMessage, CoordinationRequestID)
    case deadlock([CoordinationRequestID])
}
