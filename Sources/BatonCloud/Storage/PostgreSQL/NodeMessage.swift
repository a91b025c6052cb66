package import BatonCore
import Foundation

/// Messages between nodes, sent through the database, one per line.
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
    init?(_ text: some StringProtocol) {
        let words = Substring(text).utf8.split(separator: UInt8(ascii: " "))
        guard words.count >= 2, let account = AccountID(rawValue: String(decoding: words[1], as: UTF8.self)) else {
            return nil
        }
        switch (String(decoding: words[0], as: UTF8.self), words.count) {
        case ("membership", 2): self = .membership(account)
        case ("account", 2): self = .accountGone(account)
        case ("moved", 7), ("gone", 5):
            guard let row = Int64(Substring(words[2])), let number = UInt64(Substring(words[3])),
                let zone = Data(hexadecimal: words[4], count: 32)
            else { return nil }
            var change = ZoneChange.gone(ZoneID(unchecked: zone))
            if words.count == 7 {
                guard let epoch = Data(hexadecimal: words[5], count: StoreRules.epochLength),
                    let head = UInt64(Substring(words[6]))
                else { return nil }
                change = .moved(ZoneHead(zone: ZoneID(unchecked: zone), epoch: epoch, head: head))
            }
            self = .zone(account, row: row, number: number, change)
        default: return nil
        }
    }

    // MARK: Many at once

    /// Limit of one notification; PostgreSQL allows less than 8000 bytes.
    private static let maximumBytes = 7800

    /// In their order, a line each, in as few texts as hold them: sending costs by the text.
    static func texts(_ messages: [NodeMessage]) -> [String] {
        var texts: [String] = []
        for line in messages.map(\.text) {
            if let last = texts.last, last.utf8.count + 1 + line.utf8.count <= maximumBytes {
                texts[texts.count - 1] += "\n" + line
            } else {
                texts.append(line)
            }
        }
        return texts
    }

    /// The messages in a text; unknown lines are skipped.
    static func messages(in text: String) -> [NodeMessage] {
        Substring(text).utf8.split(separator: UInt8(ascii: "\n")).compactMap { NodeMessage(Substring($0)) }
    }
}

/// Events of other nodes, for the caches of this one.
package enum StoreNews: Hashable, Sendable {
    /// Statements were added.
    case membership(AccountID)
    case accountGone(AccountID)
    /// From now on nothing is heard of other nodes: what is in memory may be out of date.
    case interrupted
    /// The connection to other nodes is back. Events in between were missed.
    case resumed
}
