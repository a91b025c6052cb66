import ArgumentParser
import BatonWire

/// `baton cloud usage`
struct CloudUsageCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Ask the cloud how much room the account uses there.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let usage = try await session.call(CloudControlMethods.usage, .init(), timeout: .seconds(60))
        // A cloud may say anything.
        let used = [usage.itemBytes, usage.blobBytes, usage.otherBytes].reduce(UInt64(0)) { sum, bytes in
            let (more, isTooMuch) = sum.addingReportingOverflow(bytes)
            return isTooMuch ? UInt64.max : more
        }
        let zones = usage.zones == 1 ? "1 zone" : "\(usage.zones) zones"
        try session.emit(
            json: [
                "used_bytes": .init(used), "quota_bytes": .init(nonZero: usage.quotaBytes),
                "item_bytes": .init(usage.itemBytes), "blob_bytes": .init(usage.blobBytes),
                "other_bytes": .init(usage.otherBytes),
                "items": .init(usage.items), "blobs": .init(usage.blobs), "zones": .init(usage.zones),
            ],
            text: """
                Used   \(Self.size(used))\(usage.quotaBytes > 0 ? " of \(Self.size(usage.quotaBytes))" : ", no limit")
                Items  \(usage.items) in \(zones), \(Self.size(usage.itemBytes))
                Blobs  \(usage.blobs), \(Self.size(usage.blobBytes))
                Other  \(Self.size(usage.otherBytes)): answers that are remembered, and what is being removed
                """)
    }

    private static func size(_ bytes: UInt64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(bytes), 0)
        // What would be rounded to 1024.0 is one of the next unit.
        while value >= (unit == 0 ? 1024 : 1023.95), unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        return "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
