import BatonCore
import BatonWire
import Foundation

/// Keys and values as the command line shows them.
enum KeyValueReport {
    static func json(_ list: Baton_Control_V1_KeyValueList) -> JSONValue {
        ["store": .string(list.store), "synced": .boolean(list.synced), "items": .array(list.items.map(json))]
    }

    static func json(_ item: Baton_Control_V1_KeyValueItem) -> JSONValue {
        let value = item.hasValue ? try? PropertyValue(item.value) : nil
        return [
            "key": .string(item.key), "value": value.map(json) ?? .null, "type": .init(nonEmpty: value.map(type) ?? ""),
            "changed_ms": .init(nonZero: item.changed), "device_id": .init(nonEmpty: item.deviceID),
            "device_name": .init(nonEmpty: item.deviceName), "waiting": .boolean(item.waiting),
        ]
    }

    static func text(_ list: Baton_Control_V1_KeyValueList, _ session: CommandSession) -> String {
        guard !list.items.isEmpty else { return "The store holds nothing." }
        var table = session.table([
            .init("KEY", isFlexible: true), .init("TYPE"), .init("VALUE", isFlexible: true),
            .init("SET BY", isFlexible: true), .init("STATE"),
        ])
        for item in list.items {
            let value = item.hasValue ? try? PropertyValue(item.value) : nil
            table.add(
                item.key, value.map(type) ?? "", value.map(text) ?? "(removed)",
                item.deviceName.isEmpty ? "this device" : item.deviceName, item.waiting ? "waiting" : "")
        }
        return table.render()
    }

    /// A text as it is, anything else as JSON.
    static func text(_ value: PropertyValue) -> String {
        switch value {
        case .string(let text): text
        case .date, .data: if case .string(let text) = json(value) { text } else { "" }
        default: json(value).description
        }
    }

    static func type(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .unsignedInteger: "integer"
        case .real: "real"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .url: "url"
        case .uuid: "uuid"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }

    /// Data in base64, dates as RFC 3339 has them.
    static func json(_ value: PropertyValue) -> JSONValue {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsignedInteger(let value): .string(String(value))
        case .real(let value): .real(value)
        case .string(let text): .string(text)
        case .data(let data): .string(data.base64EncodedString())
        case .date(let date): .string(date.formatted(.iso8601))
        case .url(let url): .string(url.absoluteString)
        case .uuid(let uuid): .string(uuid.uuidString)
        case .array(let values): .array(values.map(json))
        case .set(let values): .array(values.map(json))
        case .dictionary(let entries):
            .object(entries.map { .init(text($0.key), json($0.value)) }.sorted { $0.key < $1.key })
        }
    }
}
