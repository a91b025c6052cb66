/// One call of a coordinator: it gets all of its intents at once, or none.
package struct CoordinationRequest: Hashable, Sendable {
    package var id: CoordinationRequestID
    /// Requests of one purpose never block one another. Each coordinator has its own unless the app sets it. The daemon
    /// puts the app's identity before it, so that no app takes another one's.
    package var purpose: String
    /// The coordinator's own presenter, which gets no messages of it.
    package var presenter: FilePresenterID?
    /// The claim that the calling thread holds: it does not end before this request does.
    package var parent: CoordinationRequestID?
    package var intents: [AccessIntent]
    /// A claim that its process has already, from an arbiter that is gone. It is not requested, and no presenter is asked.
    package var isHeld: Bool

    package init(
        id: CoordinationRequestID, purpose: String, presenter: FilePresenterID? = nil,
        parent: CoordinationRequestID? = nil, intents: [AccessIntent], isHeld: Bool = false
    ) {
        self.id = id
        self.purpose = purpose
        self.presenter = presenter
        self.parent = parent
        self.intents = intents
        self.isHeld = isHeld
    }

    package func conflicts(with other: CoordinationRequest) -> Bool {
        purpose != other.purpose
            && intents.contains { intent in other.intents.contains { intent.conflicts(with: $0) } }
    }
}

/// A change of an item during a claim, or without one.
package struct ItemChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case appeared
        /// Its content or its attributes.
        case changed
        case disappeared
    }

    package var kind: Kind
    package var path: CoordinatedPath
    package var unit: CoordinatedPath

    package init(_ kind: Kind, _ path: CoordinatedPath, unit: CoordinatedPath? = nil) {
        self.kind = kind
        self.path = path
        self.unit = unit ?? path
    }
}
