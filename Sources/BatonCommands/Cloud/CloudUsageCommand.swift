import ArgumentParser
import BatonCore
import BatonWire

/// `baton cloud usage`
struct CloudUsageCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Ask the cloud how much room the account uses there.")

    @OptionGroup var options: GlobalOptions

    /// Nothing is lost meanwhile.
    static let full = """
        The account is full: new data stays on this device and is sent once there is room. “baton documents purge” removes \
        deleted documents and earlier versions for good; or ask the cloud's operator for more.
        """

    func run(in session: CommandSession) async throws {
        let usage = try await session.call(CloudControlMethods.getCloudUsage, .init(), timeout: .seconds(60))
        let used = Self.used(usage)
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
                """ + (Self.isFull(usage) ? "\n" + Self.full : ""))
    }

    /// A cloud may say anything.
    private static func used(_ usage: Baton_Control_V1_GetCloudUsageResponse) -> UInt64 {
        [usage.itemBytes, usage.blobBytes, usage.otherBytes].reduce(UInt64(0)) { sum, bytes in
            let (more, isTooMuch) = sum.addingReportingOverflow(bytes)
            return isTooMuch ? UInt64.max : more
        }
    }

    /// Whether so little is left that the next part of a document may not fit.
    static func isFull(_ usage: Baton_Control_V1_GetCloudUsageResponse) -> Bool {
        let used = used(usage)
        guard usage.quotaBytes > used else { return usage.quotaBytes > 0 }
        return usage.quotaBytes - used < min(4 << 20, usage.quotaBytes / 100)
    }
}
