/// The sentences of the verbs of `baton backup`.
enum BackupSentences {
    /// - Parameter hasBackup: whether this device has a snapshot there.
    static func target(_ path: String, hasBackup: Bool) -> String {
        "Backups go to \(path). "
            + (hasBackup
                ? "This device has backups there, and the next one adds to them."
                : "The first one is made with “baton backup now”, or within a day.")
    }

    static func exchanged(_ snapshot: String) -> String {
        "The snapshot \(snapshot) is not the one that the next one followed: it has replaced that one. Trust neither "
            + "before you know who."
    }

    /// - Parameter newestWhole: empty for none.
    static func verified(snapshots: UInt64, isWhole: Bool, newestWhole: String) -> String {
        let advice = "“baton backup now” stores again what is still on this device."
        if isWhole {
            return snapshots == 0
                ? "There is no snapshot there yet. “baton backup now” makes one." : "Everything can be restored."
        }
        return newestWhole.isEmpty
            ? "No snapshot is whole. \(advice)" : "The newest snapshot that is whole is \(newestWhole). \(advice)"
    }
}
