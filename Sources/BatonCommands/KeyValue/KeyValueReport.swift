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
                setter(of: item), item.waiting ? "waiting" : "")
        }
        return table.render()
    }

    private static func setter(of item: Baton_Control_V1_KeyValueItem) -> String {
        if !item.deviceName.isEmpty { return item.deviceName }
        return item.deviceID.isEmpty ? "this device" : item.deviceID
    }

    /// A text as it is, anything else as JSON.
    static func text(_ value: PropertyValue) -> String {
        switch value {
        case .string(let text): text
        case .real(let number) where number.isNaN: "NaN"
        case .real(let number) where number.isInfinite: number < 0 ? "-infinity" : "infinity"
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

    /// Data in base64, dates as RFC 3339 has them, numbers that JSON does not have by name.
    static func json(_ value: PropertyValue) -> JSONValue {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsignedInteger(let value): .string(String(value))
        case .real(let value): real(value)
        case .string(let text): .string(text)
        case .data(let data): .string(data.base64EncodedString())
        case .date(let date): .string(moment(date))
        case .url(let url): .string(url.absoluteString)
        case .uuid(let uuid): .string(uuid.uuidString)
        case .array(let values): .array(values.map(json))
        case .set(let values): .array(values.map(json))
        case .dictionary(let entries):
            .object(entries.map { .init(text($0.key), json($0.value)) }.sorted { $0.key < $1.key })
        }
    }

    /// By the names that JavaScript has for them. `null` would be no value at all.
    private static func real(_ value: Double) -> JSONValue {
        if value.isNaN { return .string("NaN") }
        if value.isInfinite { return .string(value < 0 ? "-Infinity" : "Infinity") }
        return .real(value)
    }

    /// To the millisecond, which is left out where it is 0.
    private static func moment(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // Beyond that a date has no milliseconds that mean anything.
        guard milliseconds.magnitude < 1e15 else { return date.formatted(.iso8601) }
        let seconds = (milliseconds / 1000).rounded(.down)
        let text = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
        let fraction = Int(milliseconds - seconds * 1000)
        guard fraction > 0, text.hasSuffix("Z") else { return text }
        return "\(text.dropLast()).\(String(1000 + fraction).dropFirst())Z"
    }
}
