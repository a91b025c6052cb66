import BatonCore
import BatonWire
import Foundation

/// Databases of records as the command line shows them.
enum RecordsReport {
    static func json(_ container: Baton_Control_V1_RecordContainer) -> JSONValue {
        [
            "identifier": .string(container.identifier), "team_id": .string(container.teamID),
            "apps": .init(strings: container.apps), "bytes": .init(container.bytes),
            "zones": .array(
                container.zones.map { zone in
                    [
                        "name": .string(zone.name), "records": .init(zone.records), "bytes": .init(zone.bytes),
                        "waiting": .init(zone.waiting), "held": .init(zone.held),
                        "mirrored": .boolean(zone.mirrored), "complete": .boolean(zone.complete),
                    ]
                }),
        ]
    }

    /// - Parameter hasCloud: the account has one. Else nothing is sent there, and what waits does so for none.
    static func text(
        _ containers: [Baton_Control_V1_RecordContainer], hasCloud: Bool, _ session: CommandSession
    ) -> String {
        guard !containers.isEmpty else {
            return "No app keeps records here. An app makes its database at its first start, while an account is there."
        }
        var table = session.table([
            .init("CONTAINER", isFlexible: true), .init("ZONE", isFlexible: true), .init("RECORDS"), .init("SIZE"),
            .init("STATE", isFlexible: true),
        ])
        for container in containers {
            for zone in container.zones {
                table.add(
                    container.identifier, zone.name, "\(zone.records)", ByteSize.text(zone.bytes), state(zone, hasCloud)
                )
            }
        }
        return table.render()
    }

    private static func state(_ zone: Baton_Control_V1_RecordZone, _ hasCloud: Bool) -> String {
        var parts: [String] = []
        if zone.waiting > 0 {
            parts.append(
                hasCloud
                    ? "\(zone.waiting) to send to the cloud"
                    : "\(zone.waiting) for devices that come near, since there is no cloud")
        }
        if zone.held > 0 { parts.append("\(zone.held) held") }
        if !zone.complete { parts.append("not read from the cloud yet") }
        return parts.isEmpty ? "up to date" : parts.joined(separator: ", ")
    }

    static func json(_ record: Baton_Control_V1_ShownRecord) -> JSONValue {
        [
            "name": .string(record.name), "type": .string(record.type), "modified_ms": .init(nonZero: record.modified),
            "waiting": .boolean(record.waiting), "deleted": .boolean(record.deleted),
            "held": .init(nonEmpty: record.held), "merged_into": .init(nonEmpty: record.mergedInto),
            "parent": .init(nonEmpty: record.parent),
            "fields": .array(
                record.fields.map { field in
                    [
                        "name": .string(field.name), "encrypted": .boolean(field.encrypted),
                        "value": .string(field.value), "written_ms": .init(nonZero: field.written),
                        "device_name": .init(nonEmpty: field.deviceName),
                    ]
                }),
        ]
    }

    static func text(
        _ records: [Baton_Control_V1_ShownRecord], hasCloud: Bool, _ session: CommandSession
    ) -> String {
        guard !records.isEmpty else { return "There are no records." }
        var table = session.table([
            .init("TYPE", isFlexible: true), .init("NAME", isFlexible: true), .init("CHANGED"),
            .init("STATE", isFlexible: true),
        ])
        for record in records {
            table.add(
                record.type, record.name,
                record.modified == 0
                    ? "" : TimeFormat.age(milliseconds: record.modified, now: session.context.clock.now),
                record.held.isEmpty ? (record.waiting && hasCloud ? "to send" : "") : "held: \(record.held)")
        }
        return table.render()
    }

    /// One with all its fields.
    static func whole(_ record: Baton_Control_V1_ShownRecord, _ session: CommandSession) -> String {
        var lines = [session.paint(.bold, TerminalText.escape("\(record.type) \(record.name)"))]
        if record.deleted { lines.append("  deleted") }
        if !record.mergedInto.isEmpty { lines.append(TerminalText.escape("  one with \(record.mergedInto)")) }
        if !record.parent.isEmpty { lines.append(TerminalText.escape("  parent: \(record.parent)")) }
        for field in record.fields {
            var line = "  \(field.name): \(field.value)"
            if field.encrypted { line += " (encrypted)" }
            var writer: [String] = []
            if field.written > 0 {
                writer.append(TimeFormat.age(milliseconds: field.written, now: session.context.clock.now))
            } else {
                writer.append("from before sync began")
            }
            if !field.deviceName.isEmpty { writer.append("by \(field.deviceName)") }
            line += "  [" + writer.joined(separator: " ") + "]"
            lines.append(TerminalText.escape(line))
        }
        return lines.joined(separator: "\n")
    }
}
