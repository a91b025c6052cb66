/// Bounds of what apps send, besides those of a record (`RecordLimits` of RecordMerge).
enum RecordsBounds {
    /// Bytes of one part of an asset that is handed over.
    static let partBytes = 2 << 20
    /// Changes of rows in one call.
    static let rows = 10_000
    /// Bytes of the answers of one page.
    static let pageBytes = 2 << 20
    /// Bytes of one row that an app is shown, which a message has room for. Policy: a larger one is held. Only rows that hostile records
    /// have become are so large.
    static let shownBytes = 3 << 20
    /// Rows of one page: as many small ones as have those bytes.
    static let pageRows = 5000
    /// Zones of one container.
    static let zones = 1000
    /// Containers on this device, and those of one team. Policy: another one is refused.
    static let containers = 256
    static let teamContainers = 64
    /// Watches of one container. Policy: more are refused.
    static let watches = 64
    /// Uploads of assets under way, and those of one container. Policy: the oldest of the container with the most is given up.
    static let uploads = 16
    static let containerUploads = 8
    /// Mirrors of one zone. Policy: the one that was used least recently goes, unless a group of it has not ended.
    static let mirrors = 64
    /// Bytes of the parts of a group that has not ended, and of all such groups of a container. In memory a group takes many times that.
    static let stagedBytes = 16 << 20
    static let allStagedBytes = 64 << 20
    /// How long they are kept after the last part, in milliseconds.
    static let stagedTime: UInt64 = 24 * 60 * 60 * 1000
    /// Items of one group in the cloud, and their bytes.
    static let groupItems = 500
    static let groupBytes = 5 << 19
    /// Devices that are asked for one asset.
    static let nearDevices = 8
    /// Parts of assets that are asked of devices at once, of all of them: fewer than one of them answers (`RecordLinkHarness.readings`).
    static let nearReadings = 4
    /// Calls that ask one device what it has: fewer than it answers (`RecordLinkHarness.askings`), so that it refuses none.
    static let nearAskings = 8
    /// How long an asset is kept that no record names yet, in milliseconds.
    static let assetGrace: UInt64 = 24 * 60 * 60 * 1000
    /// How long it is known that a table had deleted the row of a record that has not come, in milliseconds.
    static let absentTime: UInt64 = 30 * 24 * 60 * 60 * 1000
}
