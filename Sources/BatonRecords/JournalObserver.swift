import GRDB
import RecordMirror

/// Says that this process has committed changes of synced tables.
///
/// GRDB calls it on the writer's queue, one call after the other.
//
// @unchecked: `hasLines` is touched on that queue only.
final class JournalObserver: TransactionObserver, @unchecked Sendable {
    private let onCommit: @Sendable () -> Void
    private var hasLines = false

    init(_ onCommit: @escaping @Sendable () -> Void) { self.onCommit = onCommit }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        switch eventKind {
        case .insert(let table): table == MirrorJournal.table
        case .delete, .update: false
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        hasLines = true
        // One line says enough; a notification for each costs a tenth of the change.
        stopObservingDatabaseChangesUntilNextTransaction()
    }

    func databaseDidCommit(_ db: Database) {
        if hasLines { onCommit() }
        hasLines = false
    }

    func databaseDidRollback(_ db: Database) { hasLines = false }
}
