import BatonCore
import FileSync

extension Entry {
    /// As it is read where it was sent to, or from this device's database.
    func validated(from origin: EntryOrigin = .otherDevice) throws(BatonError) -> Entry {
        try Entry(
            validating: id, kind: kind, places: places, name: name, metadata: metadata, context: context,
            presence: presence, heads: heads, history: history, historyFloor: historyFloor, deletion: deletion,
            mergedInto: mergedInto, from: origin)
    }
}
