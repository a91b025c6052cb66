package import BatonCore
import Foundation

/// What nodes tell each other through the database, in one line.
enum NodeMessage: Hashable, Sendable {
    /// - Parameters:
    ///   - row: of the account.
    ///   - number: the change's among the account's.
    case zone(AccountID, row: Int64, number: UInt64, ZoneChange)
    case membership(AccountID)
    case accountGone(AccountID)

    var text: String {
        switch self {
        case .zone(let account, let row, let number, .moved(let head)):
            "moved \(account.rawValue) \(row) \(number) \(head.zone.bytes.hexadecimal) \(head.epoch.hexadecimal) \(head.head)"
        case .zone(let account, let row, let number, .gone(let zone)):
            "gone \(account.rawValue) \(row) \(number) \(zone.bytes.hexadecimal)"
        case .membership(let account): "membership \(account.rawValue)"
        case .accountGone(let account): "account \(account.rawValue)"
        }
    }

    /// Nil for what a node of another version may say.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count >= 2, let account = AccountID(rawValue: words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("membership", 2): self = .membership(account)
        case ("account", 2): self = .accountGone(account)
        case ("moved", 7), ("gone", 5):
            guard let row = Int64(words[2]), let number = UInt64(words[3]), let zone = BlobHash(hexadecimal: words[4])
            else { return nil }
            var change = ZoneChange.gone(ZoneID(unchecked: zone.bytes))
            if words.count == 7 {
                // An epoch has half the length of a name.
                guard let epoch = BlobHash(hexadecimal: words[5] + String(repeating: "0", count: 32)),
                    let head = UInt64(words[6])
                else { return nil }
                change = .moved(
                    ZoneHead(zone: ZoneID(unchecked: zone.bytes), epoch: Data(epoch.bytes.prefix(16)), head: head))
            }
            self = .zone(account, row: row, number: number, change)
        default: return nil
        }
    }
}

/// What other nodes did, for whatever this one keeps in memory of it.
package enum StoreNews: Hashable, Sendable {
    /// Statements were added.
    case membership(AccountID)
    case accountGone(AccountID)
    /// From now on nothing is heard of other nodes: what is in memory may be out of date.
    case interrupted
    /// Others are heard again. What they did in between was missed.
    case resumed
}
