import BatonCore
import BatonWire
import Foundation

/// Containers, documents and versions as the command line shows them.
enum DocumentReport {
    static func json(_ container: Baton_Control_V1_DocumentContainer) -> JSONValue {
        [
            "identifier": .string(container.identifier), "path": .string(container.path),
            "name": .string(container.name),
            "apps": .init(strings: container.apps), "items": .init(container.items), "bytes": .init(container.bytes),
            "to_upload": .init(container.toUpload), "to_download": .init(container.toDownload),
            "not_downloaded": .init(container.notDownloaded), "conflicts": .init(container.conflicts),
            "held_deletions": .init(container.heldDeletions), "problem": .init(nonEmpty: container.problem),
            "problem_message": .init(nonEmpty: container.problemMessage), "complete": .boolean(container.read),
            "enabled": .boolean(container.enabled), "off_apps": .init(strings: container.offApps),
            "findings": .init(strings: container.findings), "elsewhere": .boolean(container.elsewhere),
            "folder": .init(nonEmpty: container.folder), "folder_levels": .init(nonEmpty: container.folderLevels),
        ]
    }

    static func text(_ containers: [Baton_Control_V1_DocumentContainer], _ session: CommandSession) -> String {
        guard !containers.isEmpty else {
            return
                "There is no iCloud container here. An app makes its own at its first start, while an account is there."
        }
        var table = session.table([
            .init("CONTAINER", isFlexible: true), .init("ITEMS"), .init("SIZE"), .init("STATE", isFlexible: true),
            .init("FOLDER", isFlexible: true),
        ])
        for container in containers {
            table.add(
                container.identifier, "\(container.items)", ByteSize.text(Int(clamping: container.bytes)),
                state(container), container.folder)
            table.add(notes: sentences(container))
        }
        return table.render()
    }

    /// In a few words; ``sentences(_:)`` say more.
    static func state(_ container: Baton_Control_V1_DocumentContainer) -> String {
        if container.elsewhere { return "in the account, not on this device: “baton documents add”" }
        if !container.enabled { return "off on this device: “baton documents on”" }
        if !container.problemMessage.isEmpty { return "does not sync" }
        var parts: [String] = []
        if container.toUpload > 0 { parts.append("\(container.toUpload) to send") }
        if container.toDownload > 0 { parts.append("\(container.toDownload) to fetch") }
        if container.conflicts > 0 { parts.append("\(container.conflicts) with conflicts") }
        if !container.read { parts.append("the account's state of it is not known here yet") }
        if !parts.isEmpty { return parts.joined(separator: ", ") }
        return container.findings.isEmpty ? "up to date" : "see below"
    }

    /// The reasons why a container, or something in it, is not the same everywhere.
    static func sentences(_ container: Baton_Control_V1_DocumentContainer) -> [String] {
        let problem = container.problemMessage
        return (problem.isEmpty || container.findings.contains(problem) ? [] : [problem]) + container.findings
    }

    static func json(_ item: Baton_App_V1_DocumentItem) -> JSONValue {
        [
            "path": .string(item.path), "kind": .string(kind(item.kind)), "size": .init(item.size),
            "modified_ms": .integer(item.modified / 1_000_000), "state": .string(state(item)),
            "uploaded": .boolean(item.uploaded), "conflicts": .integer(Int64(item.conflicts)),
            "device_name": .init(nonEmpty: item.deviceName), "problem": .init(nonEmpty: item.problem),
            "problem_message": .init(nonEmpty: item.problemMessage), "deleted_ms": .init(nonZero: item.deleted),
        ]
    }

    static func text(
        _ items: [Baton_App_V1_DocumentItem], _ session: CommandSession, isDeleted: Bool = false
    ) -> String {
        guard !items.isEmpty else { return isDeleted ? "Nothing was deleted." : "There are no documents." }
        var table = session.table([
            .init("DOCUMENT", isFlexible: true), .init("SIZE"),
            .init(isDeleted ? "DELETED" : "STATE", isFlexible: true),
        ])
        for item in items {
            let isFolder = item.kind == .directory
            table.add(
                item.path + (isFolder ? "/" : ""), isFolder ? "" : ByteSize.text(Int(clamping: item.size)),
                isDeleted
                    ? TimeFormat.age(milliseconds: item.deleted, now: session.context.clock.now) : shownState(item))
        }
        return table.render()
    }

    private static func shownState(_ item: Baton_App_V1_DocumentItem) -> String {
        if !item.problemMessage.isEmpty { return item.problemMessage }
        var parts: [String] = []
        switch state(item) {
        case "not_downloaded": parts.append("in iCloud")
        case "downloading": parts.append("fetching \(Int(item.downloadedPercent)) %")
        case "outdated": parts.append("a newer version comes")
        default: break
        }
        if !item.uploaded { parts.append(item.uploading ? "sending" : "to send") }
        if item.conflicts > 0 { parts.append(item.conflicts == 1 ? "1 conflict" : "\(item.conflicts) conflicts") }
        return parts.joined(separator: ", ")
    }

    private static func state(_ item: Baton_App_V1_DocumentItem) -> String {
        if item.downloading { return "downloading" }
        return switch item.download {
        case .notDownloaded: "not_downloaded"
        case .downloaded: "outdated"
        case .current, .unspecified, .UNRECOGNIZED: "here"
        }
    }

    private static func kind(_ kind: Baton_App_V1_DocumentKind) -> String {
        switch kind {
        case .directory: "folder"
        case .symbolicLink: "link"
        case .package: "package"
        case .file, .unspecified, .UNRECOGNIZED: "file"
        }
    }

    static func json(_ version: Baton_App_V1_DocumentVersion) -> JSONValue {
        [
            "id": .string(version.id), "device_name": .init(nonEmpty: version.deviceName),
            "modified_ms": .integer(version.modified / 1_000_000), "size": .init(version.size),
            "current": .boolean(version.current), "conflict": .boolean(version.conflict),
            "here": .boolean(version.isLocal),
        ]
    }
}
