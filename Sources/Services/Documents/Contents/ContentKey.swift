import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// A content by the version of an entry that has it.
struct ContentKey: Hashable, Sendable {
    var entry: EntryID
    var dot: Dot
    var hash: ContentHash

    var message: Baton_Link_V1_ContentName {
        .with {
            $0.entry = EntryCodec.bytes(of: entry)
            $0.actor = dot.actor.rawValue
            $0.counter = dot.counter
            $0.hash = Data(hash.bytes)
        }
    }

    init(entry: EntryID, dot: Dot, hash: ContentHash) {
        self.entry = entry
        self.dot = dot
        self.hash = hash
    }

    init?(_ message: Baton_Link_V1_ContentName) {
        guard let entry = EntryCodec.id(message.entry), let hash = ContentHash(message.hash) else { return nil }
        self.init(
            entry: entry, dot: Dot(actor: ActorID(rawValue: message.actor), counter: message.counter), hash: hash)
    }
}
