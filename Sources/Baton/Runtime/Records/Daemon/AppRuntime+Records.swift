import AppLink
import BatonCore
import BatonWire
import Foundation
import Synchronization

/// The runtime's objects for records so far.
struct MadeRecords: Sendable {
    var daemon: RecordsDaemon?
    var container: CKContainer?
    var watch: DaemonSubscription?
    var account: RecordAccount?
    var isStopped = false
    let shelves = SubscriptionShelves()
}

extension AppRuntime {
    /// Made at the first use.
    var records: any RecordServer {
        madeRecords.withLock { made in
            if let daemon = made.daemon { return daemon }
            let daemon = RecordsDaemon(link: link)
            made.daemon = daemon
            if self === AppRuntime.shared { atexit { AppRuntime.shared.removeAssets() } }
            return daemon
        }
    }

    var subscriptionShelves: SubscriptionShelves { madeRecords.withLock { $0.shelves } }

    /// The container of the app's first identifier: one object.
    var defaultContainer: CKContainer {
        let server = records
        let container = madeRecords.withLock { made in
            if let container = made.container { return container }
            let container = CKContainer(
                name: "", server: server, shelves: made.shelves, callback: { [self] in onCallbackQueue($0) })
            made.container = container
            return container
        }
        watchAccount("")
        return container
    }

    private func removeAssets() { madeRecords.withLock { $0.daemon }?.assets.remove() }

    /// Posts when the account changes, from the first container on.
    func watchAccount(_ container: String) {
        guard profile.socketPath != nil else { return }
        let recordsLink = RecordsLink(link: link, container: container)
        madeRecords.withLock { made in
            guard made.watch == nil, !made.isStopped else { return }
            made.watch = recordsLink.watch(
                { [self] news in
                    guard news.begins || news.accountChanged else { return }
                    accountIs(RecordAccount(news.account, user: news.userRecordName))
                },
                ended: { [self] error in
                    guard let error = error as? BatonError, error.reason == "not_authenticated" else { return }
                    accountIs(RecordAccount(status: .noAccount))
                })
        }
    }

    private func accountIs(_ account: RecordAccount) {
        let isChanged = madeRecords.withLock { made in
            defer { made.account = account }
            return made.account != nil && made.account != account
        }
        guard isChanged else { return }
        onCallbackQueue { NotificationCenter.default.post(name: .CKAccountChanged, object: nil) }
    }

    func stopRecords() async {
        let watch = madeRecords.withLock { made in
            made.isStopped = true
            return made.watch
        }
        await watch?.stop()
        removeAssets()
    }
}
