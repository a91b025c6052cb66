/// The daemon's way, at its start, with the remains of one sealed file after a crash. A pure value.
///
/// Sealing writes `ID.new`, calls it `ID.sealing` once it is whole and durable, puts a closed file into the place of the
/// clear one, and calls it `ID.sealed`. Opening writes the clear file beside its place, calls `ID.sealed` `ID.opening` once
/// that is whole and durable, puts it into its place, and deletes `ID.opening`. So at each moment the content is whole under
/// one of the names at least.
enum SealingRecovery: Hashable {
    enum State: String, CaseIterable {
        case new, sealing, sealed, opening, damaged
    }

    /// The sealed copy is not needed: the clear file is there.
    case dropSealed
    /// The clear file is not there any more: the sealed one counts.
    case keepSealed
    /// The clear file is whole beside its place.
    case place

    /// - Parameters:
    ///   - inode: of the clear file as it was sealed.
    ///   - entry: what is at the file's name now.
    ///   - hasOpened: whether the clear file is beside its place.
    static func decide(_ state: State, inode: UInt64, entry: InboxEntry?, hasOpened: Bool) -> SealingRecovery {
        switch state {
        case .new: .dropSealed
        case .sealing: entry.map { $0.inode == inode && !$0.isClosed } ?? false ? .dropSealed : .keepSealed
        case .sealed, .damaged: .keepSealed
        case .opening: hasOpened ? .place : .dropSealed
        }
    }
}
