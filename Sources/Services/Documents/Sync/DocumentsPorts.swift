import BatonConcurrency
package import BatonCore
import FileSync
import Sync
import Synchronization

/// The account as its documents need it.
package struct DocumentsAccount: Hashable, Sendable {
    package var account: AccountID
    package var device: DeviceID
    /// For people: on which device a version was saved.
    package var deviceName: String
    /// ``GearTable/keyBytes`` bytes that follow from the account's secret.
    package var gearKey: [UInt8]
    /// Contents are stored in a cloud. Else devices that are near keep them for each other.
    package var hasCloud: Bool

    package init(
        account: AccountID, device: DeviceID, deviceName: String, gearKey: [UInt8], hasCloud: Bool = true
    ) {
        self.account = account
        self.device = device
        self.deviceName = deviceName
        self.gearKey = gearKey
        self.hasCloud = hasCloud
    }
}

/// Dependencies that containers share.
struct ContainerDependencies: Sendable {
    var store: DocumentsStore
    var blobs: BlobService
    var gear: GearTable
    var device: String
    var recorder: any EventRecorder
    var clock: WallClock
    var arbiter: any FileArbiter
    /// Whether a directory of this name is one document.
    var isPackage: @Sendable (String) -> Bool
    /// How long another process's claim may keep a file from the sync before a person is notified.
    var patience: Duration
    /// Something waits to be written to the zone.
    var trigger: @Sendable () -> Void
    /// A person waits for it: failed work may be tried again sooner.
    var hasten: @Sendable () -> Void = {}
    /// Something changed that watchers of all containers may see.
    var tell: @Sendable () -> Void = {}
    /// The contents that may leave a disk with little room are others than before.
    var lookAtDisks: @Sendable () -> Void = {}
    /// Does something that takes long, for as long as the service runs.
    var start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    var uploads: AsyncSemaphore
    var downloads: AsyncSemaphore
    /// For a folder of the person: when contents go to the cloud and from it.
    var pacer: FolderPacer?
    var peers: any DocumentPeers
    /// Devices that are near may not know something that is durable here.
    var tellNear: @Sendable () -> Void
    /// Milliseconds since 1970; nil while it is not known.
    var accountTime: @Sendable () -> UInt64?
    /// The same, for how long something has lasted.
    var countedTime: @Sendable () -> UInt64?
    /// The account's cloud can be called now.
    var isCloudConnected: @Sendable () -> Bool
    /// The cloud is known not to take anything of this container now.
    var isCloudUnreachable: @Sendable () -> Bool
}
