import BatonCore
import Foundation
import GRDB

extension SpotlightService {
    /// Why a search did not find an item, as a sentence.
    /// - Parameter unread: results behind those that were read.
    func whyNot(_ bundleID: BundleID, _ key: String, unread: Int = 0) async throws -> String {
        var stored: StoredItem?
        for holder in [file, protected.memory].compactMap(\.self) where stored == nil {
            stored = try await holder.read { db in
                try StoredItem.fetchOne(db, "\(ItemOwner.itemsOfApps) AND key = ?", [bundleID.rawValue, key])
            }
        }
        if stored == nil, !isUnlocked(), try await journal.owners().contains(where: { $0.app?.bundleID == bundleID }) {
            return
                "It is not in the index that can be read now. Items of the class “complete” are sealed while the device is "
                + "locked. Unlock it with “baton unlock”."
        }
        guard let stored else {
            return try await journal.waiting() > 0
                ? "It is not in the index. Changes wait in the journal: try again in a moment."
                : "It is not in the index: the app has not indexed it, or deleted it, or it has expired."
        }
        if stored.item.expires <= clock.milliseconds { return "It has expired." }
        if stored.item.protection == .complete, !isUnlocked() {
            return "It is of the class “complete”, and the device is locked. Unlock it with “baton unlock”."
        }
        if unread > 0 {
            return
                "It is in the index, and is not among the best results; the \(unread) behind them have no rank of their own."
        }
        return "It is in the index, but has none of the words in a field that is searched."
    }
}
