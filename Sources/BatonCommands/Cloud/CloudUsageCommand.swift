import ArgumentParser
import BatonWire

/// `baton cloud usage`
struct CloudUsageCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Ask the cloud how much room the account uses there.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let usage = try await session.call(CloudControlMethods.usage, .init(), timeout: .seconds(60))
        let used = usage.itemBytes + usage.blobBytes
        try session.emit(
            json: [
                "used_bytes": .init(used), "quota_bytes": .init(usage.quotaBytes), "item_bytes": .init(usage.itemBytes),
                "blob_bytes": .init(usage.blobBytes), "items": .init(usage.items), "blobs": .init(usage.blobs),
                "zones": .init(usage.zones),
            ],
            text: """
                Used   \(Self.size(used))\(usage.quotaBytes > 0 ? " of \(Self.size(usage.quotaBytes))" : "")
                Items  \(usage.items) in \(usage.zones) zones, \(Self.size(usage.itemBytes))
                Blobs  \(usage.blobs), \(Self.size(usage.blobBytes))
                """)
    }

    private static func size(_ bytes: UInt64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        return unit == 0 ? "\(bytes) bytes" : "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
