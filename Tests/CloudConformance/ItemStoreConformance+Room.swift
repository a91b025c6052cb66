import BatonCloud
import BatonCore
import BatonWire
import Foundation

extension ItemStoreConformance {
    // MARK: Room

    static let room: [Rule] = [
        Rule("A write over the quota is refused whole, and what makes the account smaller is not") { bench in
            let large = String(repeating: "x", count: 600 << 10)
            try await bench.put(1, large)
            try await requireRefusal("quota_exceeded", .resourceExhausted, "the second") {
                try await bench.write([ItemStoreBench.putting(2, "small"), ItemStoreBench.putting(3, large)])
            }
            try requireEqual(try await bench.page().numbers, [1], "nothing of it was written")
            try await bench.put(1, "small", replaces: 1)
            try await bench.put(3, large)
            try await bench.delete(3, replaces: 3)
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try requireEqual(usage.itemBytes, 2 * StoredItem.overhead + 5, "bytes that count")
        },
        Rule("An account's own quota goes before that of all, until it is taken away") { bench in
            let large = String(repeating: "x", count: 600 << 10)
            let account = ItemStoreBench.account
            try await bench.store.setQuota(1 << 10, of: account)
            try requireEqual(try await bench.store.usage(of: account).ownQuota, 1 << 10, "its quota")
            try await requireRefusal("quota_exceeded", .resourceExhausted, "one over its own") {
                try await bench.put(1, large)
            }
            try await requireRefusal("quota_exceeded", .resourceExhausted, "a blob over its own") {
                try await bench.store.beginBlob(BlobHash(of: Data("blob".utf8)), size: 600 << 10, of: account)
            }
            try await bench.store.setQuota(0, of: account)
            for number in 1...3 { try await bench.put(number, large) }
            try await bench.store.setQuota(nil, of: account)
            try requireEqual(try await bench.store.usage(of: account).ownQuota, nil, "no quota of its own")
            try await requireRefusal("quota_exceeded", .resourceExhausted, "one over that of all") {
                try await bench.put(4, large)
            }
        },
        Rule("A tombstone counts until the deletion is forgotten") { bench in
            let text = String(repeating: "x", count: 1000)
            try await bench.put(1, "a")
            _ = try await bench.write([ItemStoreBench.deleting(1, saying: text, replaces: 1)])
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try requireEqual(usage.itemBytes, StoredItem.overhead + 1000, "what counts")
            bench.clock.advance(days: 100)
            try await bench.sweep()
            let left = try await bench.store.usage(of: ItemStoreBench.account)
            try require(left.itemBytes == 0 && left.items == 0, "what counts when it is forgotten: \(left)")
            try await bench.put(2, "b")
            let now = try await bench.store.usage(of: ItemStoreBench.account)
            try requireEqual(now.itemBytes, StoredItem.overhead + 1, "what counts later")
        },
        Rule("A zone that was deleted counts towards the quota until it is gone") { bench in
            let large = String(repeating: "x", count: 600 << 10)
            try await bench.put(1, large)
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.account)
            try requireEqual(try await bench.store.usage(of: ItemStoreBench.account).itemBytes, 0, "what is told")
            try await requireRefusal("quota_exceeded", .resourceExhausted, "as much again at once") {
                try await bench.put(1, large, zone: 2)
            }
            try await requireRefusal("quota_exceeded", .resourceExhausted, "a blob besides") {
                try await bench.store.beginBlob(
                    BlobHash(of: Data("blob".utf8)), size: 600 << 10, of: ItemStoreBench.account)
            }
            try await bench.put(1, "small", zone: 2)
            try await bench.sweep()
            try await bench.put(2, large, zone: 2)
        },
        Rule("Remembered answers count towards the quota, and bound what is rewritten over it") { bench in
            let (room, item, answer) = (1 << 20, StoredItem.overhead, StoreRules.answerCost)
            try await bench.put(1, String(repeating: "x", count: room - 2 * item - 2 * answer - 1))
            try await bench.put(2, "a")
            try await requireRefusal("quota_exceeded", .resourceExhausted, "one more") { try await bench.put(3, "") }
            // Writes that do not grow the account are accepted until the answers alone are 10,000 bytes.
            var version: UInt64 = 2
            try await requireRefusal("quota_exceeded", .resourceExhausted, "rewriting for ever") {
                while version < 1000 { version = try await bench.put(2, "b", replaces: version) }
            }
            try requireEqual(version, 40, "what was let in")
            try await requireRefusal("quota_exceeded", .resourceExhausted, "deleting what has less than an answer") {
                try await bench.delete(2, replaces: version)
            }
            try await bench.put(1, "small", replaces: 1)
            try await bench.delete(2, replaces: version)
            // Smaller by what was remembered of the answers.
            let rest = String(repeating: "x", count: room - (item + 5) - item - item - answer)
            try await requireRefusal("quota_exceeded", .resourceExhausted, "before they are forgotten") {
                try await bench.put(3, rest)
            }
            bench.clock.advance(days: 3)
            try await bench.sweep()
            try await bench.put(3, rest)
            try await bench.delete(3, replaces: version + 3)
            try await bench.put(3, "", zone: 2)
        },
        Rule("Blobs count towards the quota from their beginning") { bench in
            let hash = BlobHash(of: Data("blob".utf8))
            try await requireRefusal("quota_exceeded", .resourceExhausted, "a blob of 1 MiB and more") {
                try await bench.store.beginBlob(hash, size: 1 << 20 + 1, of: ItemStoreBench.account)
            }
            try requireEqual(try await bench.store.usage(of: ItemStoreBench.account), Usage(), "nothing counts")
            _ = try await bench.store.beginBlob(hash, size: 1 << 20, of: ItemStoreBench.account)
            try await requireRefusal("quota_exceeded", .resourceExhausted, "an item besides") {
                try await bench.put(1, "a")
            }
        },
        Rule("A blob keeps the size that it was begun with, until its upload is cancelled") { bench in
            let hash = BlobHash(of: Data("blob".utf8))
            _ = try await bench.store.beginBlob(hash, size: 1000, of: ItemStoreBench.account)
            for other: UInt64 in [0, 1, 999, 1001, 1 << 30] {
                try await requireRefusal("other_size", .failedPrecondition, "\(other) bytes") {
                    try await bench.store.beginBlob(hash, size: other, of: ItemStoreBench.account)
                }
                try await requireRefusal("other_size", .failedPrecondition, "finished with \(other) bytes") {
                    try await bench.store.finishBlob(hash, size: other, of: ItemStoreBench.account)
                }
                let isCancelled = try await bench.store.cancelBlob(hash, size: other, of: ItemStoreBench.account)
                try require(!isCancelled, "that of another size stays")
            }
            _ = try await bench.store.beginBlob(hash, size: 1000, of: ItemStoreBench.account)
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try require(usage.blobBytes == 1000 && usage.blobs == 1, "what counts: \(usage)")
            let isForgotten = try await bench.store.cancelBlob(hash, size: 1000, of: ItemStoreBench.account)
            try require(isForgotten, "it is cancelled")
            try requireEqual(try await bench.store.usage(of: ItemStoreBench.account), Usage(), "what counts then")
            try requireEqual(try await bench.store.blobs([hash], of: ItemStoreBench.account), [:], "what is known then")
            let isForgottenTwice = try await bench.store.cancelBlob(hash, size: 1000, of: ItemStoreBench.account)
            try require(!isForgottenTwice, "nothing is there to be cancelled")
            _ = try await bench.upload("blob")
            try await requireRefusal("other_size", .failedPrecondition, "a blob that is there") {
                try await bench.store.beginBlob(hash, size: 5, of: ItemStoreBench.account)
            }
            let isGone = try await bench.store.cancelBlob(hash, size: 4, of: ItemStoreBench.account)
            try require(!isGone, "a blob that is there stays")
        },
        Rule("An account has so many zones and no more") { bench in
            for zone in 1...4 { try await bench.put(1, zone: zone) }
            try await requireRefusal("too_many_zones", .resourceExhausted, "the fifth") {
                try await bench.put(1, zone: 5)
            }
            try await bench.store.removeZone(ItemStoreBench.zone(2), of: ItemStoreBench.account)
            try await bench.put(1, zone: 5)
        },
    ]

    // MARK: Blobs

    static let blobs: [Rule] = [
        Rule("An item may only name blobs that were uploaded, by the same account") { bench in
            let hash = BlobHash(of: Data("blob".utf8))
            func attempt() async throws {
                try await requireRefusal("blob_missing", .failedPrecondition, "a blob that is not there") {
                    try await bench.write([
                        ItemStoreBench.putting(2, "b"), ItemStoreBench.putting(1, "a", blobs: [hash]),
                    ])
                }
                try require(try await bench.head() == nil, "nothing was written")
            }
            try await attempt()
            _ = try await bench.store.beginBlob(hash, size: 4, of: ItemStoreBench.account)
            try await attempt()
            _ = try await bench.store.beginBlob(hash, size: 4, of: ItemStoreBench.other)
            try await bench.store.finishBlob(hash, size: 4, of: ItemStoreBench.other)
            try await attempt()
            try await bench.store.finishBlob(hash, size: 4, of: ItemStoreBench.account)
            try await bench.put(1, "a", blobs: [hash, hash])
            try requireEqual(try await bench.page().items.first?.content?.blobs, [hash, hash], "what it names")
        },
        Rule("A blob is collected when nothing has named it for the grace period, not before") { bench in
            let (named, unnamed) = (try await bench.upload("named"), try await bench.upload("unnamed"))
            try await bench.put(1, "a", blobs: [named])
            try await bench.put(2, "b", blobs: [named])
            bench.clock.advance(milliseconds: ItemStoreBench.day)
            try requireEqual(try await bench.collect(), [], "within the grace period")
            bench.clock.advance(milliseconds: 1)
            try requireEqual(try await bench.collect(), [unnamed], "after it")
            try await bench.put(1, "a", replaces: 1)
            bench.clock.advance(days: 2)
            try requireEqual(try await bench.collect(), [], "another item names it")
            try await bench.delete(2, replaces: 2)
            try requireEqual(try await bench.collect(), [], "just let go of")
            bench.clock.advance(days: 2)
            try requireEqual(try await bench.collect(), [named], "let go of long ago")
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try require(usage.blobs == 0 && usage.blobBytes == 0, "what counts: \(usage)")
        },
        Rule("Blobs of a deleted zone are let go of") { bench in
            let hash = try await bench.upload("blob")
            try await bench.put(1, "a", blobs: [hash])
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.account)
            try await bench.sweep()
            bench.clock.advance(days: 2)
            try requireEqual(try await bench.collect(), [hash], "collected")
        },
        Rule("A blob that is named again after it was let go of stays") { bench in
            let hash = try await bench.upload("blob")
            try await bench.put(1, "a", blobs: [hash])
            try await bench.put(1, "b", replaces: 1)
            try await bench.put(1, "c", replaces: 2, blobs: [hash])
            try await bench.put(1, "d", replaces: 3, blobs: [hash])
            bench.clock.advance(days: 2)
            try requireEqual(try await bench.collect(), [], "collected")
        },
        Rule("A blob that is being removed is not there, and cannot come back before it is gone") { bench in
            let hash = try await bench.upload("blob")
            bench.clock.advance(days: 2)
            let given = try await bench.store.giveUpBlobs(limit: 100)
            try requireEqual(given.map(\.hash), [hash], "given up")
            try await requireRefusal("blob_missing", .failedPrecondition, "named meanwhile") {
                try await bench.put(1, "a", blobs: [hash])
            }
            try await requireRefusal("blob_being_collected", .aborted, "uploaded meanwhile") {
                try await bench.store.beginBlob(hash, size: 4, of: ItemStoreBench.account)
            }
            try await requireRefusal("blob_being_collected", .aborted, "finished meanwhile") {
                try await bench.store.finishBlob(hash, size: 4, of: ItemStoreBench.account)
            }
            try requireEqual(try await bench.store.giveUpBlobs(limit: 100), given, "given up still, after a crash")
            try await bench.store.forgetBlobs(given)
            _ = try await bench.upload("blob")
            try await bench.store.forgetBlobs(given)
            try requireEqual(
                try await bench.store.blobs([hash], of: ItemStoreBench.account)[hash]?.standing, .complete,
                "what was told twice")
        },
        Rule("An upload that was never finished is collected, and one that goes on is not") { bench in
            let hash = BlobHash(of: Data("blob".utf8))
            _ = try await bench.store.beginBlob(hash, size: 4, of: ItemStoreBench.account)
            bench.clock.advance(milliseconds: ItemStoreBench.day)
            _ = try await bench.store.beginBlob(hash, size: 4, of: ItemStoreBench.account)
            bench.clock.advance(milliseconds: ItemStoreBench.day)
            try requireEqual(try await bench.collect(), [], "while it goes on")
            bench.clock.advance(days: 1)
            try requireEqual(try await bench.collect(), [hash], "given up")
        },
    ]

    // MARK: Accounts

    static let accounts: [Rule] = [
        Rule("An account is registered once, with its statements in their order") { bench in
            let third = AccountID(unchecked: String(repeating: "C", count: 26))
            let statements = [1, 2, 3].map(statement)
            let made = try await bench.store.addAccount(
                third, rootKey: Data([9]), statements: [statements[0]], invitation: nil)
            try await requireRefusal("account_exists", .alreadyExists, "again") {
                try await bench.store.addAccount(third, rootKey: Data([9]), statements: [], invitation: nil)
            }
            try await bench.store.addStatements([statements[1], statements[0]], to: third)
            try await bench.store.addStatements([statements[1], statements[2]], to: third)
            let record = try await bench.store.account(third)
            try requireEqual(record?.statements ?? [], statements, "its statements")
            try require(record?.rootKey == Data([9]) && record?.space == made.space, "what is kept of it")
        },
        Rule("An account that is not there is told so by every call") { bench in
            let nobody = AccountID(unchecked: String(repeating: "D", count: 26))
            let hash = BlobHash(of: Data())
            let calls: [@Sendable () async throws -> Void] = [
                { try await bench.put(1, of: nobody) }, { _ = try await bench.page(of: nobody) },
                { _ = try await bench.store.zones(of: nobody) }, { _ = try await bench.store.usage(of: nobody) },
                { try await bench.store.removeAccount(nobody) },
                { try await bench.store.removeZone(ItemStoreBench.zone(1), of: nobody) },
                { _ = try await bench.store.items([], in: ItemStoreBench.zone(1), of: nobody) },
                { _ = try await bench.store.blobs([hash], of: nobody) },
                { _ = try await bench.store.releaseBlobs([hash], of: nobody) },
                { _ = try await bench.store.beginBlob(hash, size: 0, of: nobody) },
                { try await bench.store.finishBlob(hash, size: 0, of: nobody) },
                { try await bench.store.addStatements([statement(1)], to: nobody) },
            ]
            for call in calls {
                try await requireRefusal("unknown_account", .unauthenticated, "an unknown account", call)
            }
            try require(try await bench.store.account(nobody) == nil, "and it stays unknown")
        },
        Rule("One account sees nothing of another's") { bench in
            try await bench.put(1, "mine")
            try await requireRefusal("unknown_zone", .notFound, "a zone of the same name") {
                try await bench.page(of: ItemStoreBench.other)
            }
            try requireEqual(try await bench.put(1, "theirs", of: ItemStoreBench.other), 1, "its own versions")
            let cursor = try await bench.page().cursor
            try await requireRefusal("cursor_of_another_time", .outOfRange, "the other's cursor") {
                try await bench.page(after: cursor, of: ItemStoreBench.other)
            }
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.other)
            try requireEqual(try await bench.page().numbers, [1], "after the other deleted its own")
        },
        Rule("An account that was deleted is gone with all that it had, and may come again") { bench in
            let hash = try await bench.upload("blob")
            let writes = [ItemStoreBench.putting(1, "a", blobs: [hash])]
            let key = bench.key()
            _ = try await bench.write(writes, key: key)
            let old = try await bench.store.account(ItemStoreBench.account)
            try await bench.store.removeAccount(ItemStoreBench.account)
            try requireEqual(bench.changes.last, .gone(ItemStoreBench.zone(1)), "the observer is told")
            try await requireRefusal("unknown_account", .unauthenticated, "any call") { try await bench.page() }
            let new = try await bench.store.addAccount(
                ItemStoreBench.account, rootKey: Data([4]), statements: [], invitation: nil)
            try require(new.space != old?.space, "its blobs are elsewhere")
            try requireEqual(try await bench.store.usage(of: ItemStoreBench.account), Usage(), "it has nothing")
            try await bench.sweep()
            try requireEqual(
                try await bench.store.giveUpBlobs(limit: 10).map(\.space), [old?.space].compactMap { $0 },
                "the old one's blobs are removed")
            try await requireRefusal("blob_missing", .failedPrecondition, "a batch of the old one") {
                try await bench.write(writes, key: key)
            }
            _ = try await bench.collect()
            try await bench.sweep()
            try await bench.put(1, "new")
            try requireEqual(try await bench.page().numbers, [1], "what it has now")
        },
        Rule("A one-time name is used at most once, until it expires") { bench in
            let now = bench.clock.clock.milliseconds
            let name = OneUse(name: Data("n".utf8), expires: now + 1000)
            try await bench.store.use(name)
            try await requireRefusal("used_already", .permissionDenied, "again") { try await bench.store.use(name) }
            try await bench.sweep()
            let third = AccountID(unchecked: String(repeating: "C", count: 26))
            try await requireRefusal("used_already", .permissionDenied, "as an invitation") {
                try await bench.store.addAccount(third, rootKey: Data(), statements: [], invitation: name)
            }
            try require(try await bench.store.account(third) == nil, "nothing was registered")
            bench.clock.advance(milliseconds: 1001)
            try await bench.sweep()
            try await bench.store.use(name)
        },
        Rule("The first account is one that meets no other, and of several at once one is it") { bench in
            let names = ["C", "D", "E"].map { AccountID(unchecked: String(repeating: $0, count: 26)) }
            @Sendable func addFirst(_ name: AccountID) async throws {
                _ = try await bench.store.addAccount(
                    name, rootKey: Data([9]), statements: [statement(1)], invitation: nil, mustBeFirst: true)
            }
            try require(try await bench.store.hasAccounts(), "there are accounts")
            try await requireRefusal("invitation_needed", .permissionDenied, "beside others") {
                try await addFirst(names[0])
            }
            for account in [ItemStoreBench.account, ItemStoreBench.other] {
                try await bench.store.removeAccount(account)
            }
            try require(try await !bench.store.hasAccounts(), "there are none")
            let reasons = await withTaskGroup(of: String.self) { group in
                for name in names {
                    group.addTask {
                        do {
                            try await addFirst(name)
                            return ""
                        } catch {
                            return (error as? BatonError)?.reason ?? "\(error)"
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try requireEqual(
                reasons.sorted(), ["", "invitation_needed", "invitation_needed"], "of three that come at once")
        },
        Rule("The server's secret stays") { bench in
            let secret = try await bench.store.secret()
            try require(secret.count == 32, "its length")
            try requireEqual(try await bench.store.secret(), secret, "again")
        },
    ]

    private static func statement(_ number: Int) -> Baton_Link_V1_SignedStatement {
        var statement = Baton_Link_V1_SignedStatement()
        statement.statement = Data([UInt8(number)])
        statement.signature = Data(repeating: UInt8(number), count: 64)
        return statement
    }
}
