package import Foundation

/// The machine's inputs and actions.
extension SyncStateMachine {
    /// Why a zone is read from its start.
    package enum Resync: Hashable, Sendable {
        /// Deletions were forgotten that this device has not read.
        case expired
        /// The zone has another order: see ``ZoneSource/zoneReset(of:)``.
        case replaced
    }

    package enum Pulled: Hashable, Sendable {
        /// - newest: the greatest version in the page; nil for an empty one.
        /// - isDamaged: there was something in it that cannot be opened.
        case page(newest: UInt64?, more: Bool, isDamaged: Bool = false)
        case resync(Resync)
        /// The cloud has no such zone. Whether it had one when it was read last.
        case absent(wasThere: Bool)
    }

    package enum Pushed: Hashable, Sendable {
        /// Nothing waited.
        case nothing
        /// - newest: the version of the last item.
        case written(newest: UInt64, count: Int)
        /// The conflicting items were merged; nothing was written.
        case conflict
        /// The conflicting item was not read yet and is read next, with the rest of its group. Nothing was written.
        case behind
        /// The conflicting item is older than the cloud reported before, so versions belong to another epoch now.
        /// Nothing was written.
        case otherOrder
    }

    package struct ZoneHead: Hashable, Sendable {
        package var version: UInt64
        package var epoch: Data

        package init(version: UInt64, epoch: Data) {
            self.version = version
            self.epoch = epoch
        }
    }

    package enum Input: Sendable {
        /// Whether there is an account and a cloud, and this device may use it. Repeated when one of these changed.
        case configured(Bool)
        case connected(heads: [ZoneName: ZoneHead])
        /// The connection ended or could not be made, and every operation over it has ended.
        case disconnected(SyncFailure)
        /// The network changed, or its name server: failed operations may succeed now.
        case networkChanged
        /// A zone is looked at.
        case wanted(ZoneName)
        /// The cloud has just let this device in: whatever kept from it is over.
        case reached
        /// A source is here. Zones of other kinds are not taken.
        case kindAdded(ZoneName.Kind, ZonePolicy)
        /// It is not here any more, and none of its zones.
        case kindRemoved(ZoneName.Kind)
        /// A zone is kept here.
        case added(ZoneName)
        /// It is not any more.
        case removed(ZoneName)
        /// Something waits in a zone.
        case changed(ZoneName)
        /// The same, but another device that is near sends it too.
        case changedNearby(ZoneName)
        /// More has come from that device: what waits for nothing else may wait longer.
        case nearby(ZoneName)
        case head(ZoneName, ZoneHead)
        /// A zone is to be read again, whatever is known of its head.
        case refresh(ZoneName)
        case pulled(ZoneName, Pulled)
        case pushed(ZoneName, Pushed)
        case failed(ZoneName, SyncFailure)
        /// Time has passed.
        case woke
    }

    package enum Action: Hashable, Sendable {
        case connect
        /// End the connection and the operations over it; ``Input/disconnected(_:)`` follows.
        case disconnect
        case pull(ZoneName, Resync?)
        case push(ZoneName)
        /// The zone is no longer kept, and has no operation in progress.
        case forget(ZoneName)
    }
}
