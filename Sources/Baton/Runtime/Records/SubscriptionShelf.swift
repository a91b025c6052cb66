import Synchronization

/// The subscriptions to one database, whichever of its objects saves them.
final class SubscriptionShelf: Sendable {
    let subscriptions = Mutex<[CKSubscription.ID: CKSubscription]>([:])
}

/// Those of a process. Bound: the databases that the app names.
final class SubscriptionShelves: Sendable {
    private let shelves = Mutex<[DatabaseName: SubscriptionShelf]>([:])

    func shelf(of database: DatabaseName) -> SubscriptionShelf {
        shelves.withLock { shelves in
            let shelf = shelves[database] ?? SubscriptionShelf()
            shelves[database] = shelf
            return shelf
        }
    }
}
