/// The item that a presenter shows, as the arbiter knows it.
package struct PresentedItem: Hashable, Sendable {
    package var path: CoordinatedPath
    /// The package that the path is in, or else the path itself.
    package var unit: CoordinatedPath

    package init(_ path: CoordinatedPath, unit: CoordinatedPath? = nil) {
        self.path = path
        self.unit = unit ?? path
    }
}

/// A message or question to a presenter. Those of the first group must be answered.
package enum PresenterMessage: Hashable, Sendable {
    case relinquishToReader
    case relinquishToWriter
    case saveChanges
    case accommodateDeletion
    case accommodateSubitemDeletion(CoordinatedPath)

    /// The reader or writer of that message is done: run what was handed over with its answer.
    case reacquire(PresenterMessageID)
    case didMove(CoordinatedPath)
    case didChange
    case didChangeUbiquityAttributes(Set<String>)
    case subitemDidAppear(CoordinatedPath)
    case subitemDidMove(CoordinatedPath, to: CoordinatedPath)
    case subitemDidChange(CoordinatedPath)
    case version(VersionEvent, String)
    case subitemVersion(CoordinatedPath, VersionEvent, String)

    package enum VersionEvent: Hashable, Sendable, CaseIterable {
        case gained
        case lost
        case resolved
    }

    /// Whether what is asked waits for the answer.
    package var needsAnswer: Bool {
        switch self {
        case .relinquishToReader, .relinquishToWriter, .saveChanges, .accommodateDeletion, .accommodateSubitemDeletion:
            true
        default: false
        }
    }
}

/// How a presenter answers.
package enum PresenterAnswer: Hashable, Sendable {
    /// - Parameter reacquires: whether it wants to hear when the reader or writer is done.
    case done(reacquires: Bool)
    /// It could not save or make way: the access is given up.
    case failed(PresenterFailure)
}

/// The error of a presenter, as the coordinator that asked gets it.
package struct PresenterFailure: Error, Hashable, Sendable {
    package var domain: String
    package var code: Int
    package var message: String

    package init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }
}
