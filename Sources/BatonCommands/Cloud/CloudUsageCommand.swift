import ArgumentParser
import BatonCore
import BatonWire

/// `baton cloud usage`
struct CloudUsageCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Ask the cloud how much room the account uses there.")

    @OptionGroup var options: GlobalOptions

    /// Nothing is lost meanwhile.
    private static let full = """
        The account is full: what you add stays on this device and is sent once there is room. Delete documents, which \
        goes on, or ask whoever runs the cloud for more.
        """

    func run(in session: CommandSession) async throws {
        let usage = try await session.call(CloudControlMethods.getCloudUsage, .init(), timeout: .seconds(60))
        // A cloud may say anything.
        let used = [usage.itemBytes, usage.blobBytes, usage.otherBytes].reduce(UInt64(0)) { sum, bytes in
            let (more, isTooMuch) = sum.addingReportingOverflow(bytes)
            return isTooMuch ? UInt64.max : more
        }
        let isFull = usage.quotaBytes > 0 && used >= usage.quotaBytes
        let zones = usage.zones == 1 ? "1 zone" : "\(usage.zones) zones"
        try session.emit(
            json: [
                "used_bytes": .init(used), "quota_bytes": .init(nonZero: usage.quotaBytes),
                "item_bytes": .init(usage.itemBytes), "blob_bytes": .init(usage.blobBytes),
                "other_bytes": .init(usage.otherBytes),
                "items": .init(usage.items), "blobs": .init(usage.blobs), "zones": .init(usage.zones),
            ],
            text: """
                Used   \(ByteSize.text(used))\(usage.quotaBytes > 0 ? " of \(ByteSize.text(usage.quotaBytes))" : ", no limit")
                Items  \(usage.items) in \(zones), \(ByteSize.text(usage.itemBytes))
                Blobs  \(usage.blobs), \(ByteSize.text(usage.blobBytes))
                Other  \(ByteSize.text(usage.otherBytes)): answers that are remembered, and what is being removed
                """ + (isFull ? "\n" + Self.full : ""))
    }
}
