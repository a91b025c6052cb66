import BatonCore
import BatonWire
import SwiftProtobuf

/// The documents of an app in iCloud when it is uninstalled: how many there are, and what becomes of them (D-35).
struct RemainingDocuments {
    let containers: [Baton_Control_V1_DocumentContainer]

    /// - Returns: none where the app has no container, or nothing is in it.
    static func of(_ bundleID: String, _ session: CommandSession) async throws -> RemainingDocuments {
        let all = try await session.call(DocumentsMethods.listContainers, .init()).containers
        return RemainingDocuments(
            containers: all.filter { $0.apps.contains(bundleID) && ($0.items > 1 || !$0.enabled) })
    }

    /// A paragraph for people; empty without documents.
    var warning: String { containers.map(Self.warning).joined(separator: "\n") }

    private static func warning(_ container: Baton_Control_V1_DocumentContainer) -> String {
        let name = TerminalText.escape(container.identifier)
        var lines: [String] = []
        if container.enabled {
            // The folder Documents itself is one of the items.
            lines.append(
                "\(container.items - 1) items (\(ByteSize.text(Int(clamping: container.bytes)))) in iCloud (\(name)) remain: on "
                    + "your other devices, and on this one in \(TerminalText.escape(container.path)).")
            if container.toUpload > 0 {
                lines.append("\(container.toUpload) of them have not been sent yet, and are on this device only.")
            }
        } else {
            lines.append(
                "Documents in iCloud (\(name)) are off here. Files in \(TerminalText.escape(container.path)) remain."
            )
        }
        if container.apps.count > 1 { lines.append("Other apps here use them too.") }
        lines.append("“baton documents delete” deletes documents everywhere.")
        return lines.joined(separator: " ")
    }

    var json: JSONValue { .array(containers.map(DocumentReport.json)) }
}
