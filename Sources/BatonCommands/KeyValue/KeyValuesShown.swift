import BatonCore
import BatonWire

/// The values that the watcher of a store has seen.
///
/// The daemon reports a key again when only its place changed: a device nearby sent it, then the cloud has it too. To
/// people that is one change.
struct KeyValuesShown {
    /// Without those that were removed. As large as the store, which is bounded.
    private var values: [String: PropertyValue] = [:]
    private var isFirst = true

    /// - Returns: everything at first, then what has another value than was shown; nil when that is nothing.
    mutating func news(in list: Baton_Control_V1_KeyValueList) -> Baton_Control_V1_KeyValueList? {
        var news = list
        news.items = []
        for item in list.items where note(item) || isFirst { news.items.append(item) }
        defer { isFirst = false }
        return isFirst || !news.items.isEmpty ? news : nil
    }

    /// - Returns: whether its value is another. One that cannot be read may be.
    private mutating func note(_ item: Baton_Control_V1_KeyValueItem) -> Bool {
        let value = item.hasValue ? try? PropertyValue(item.value) : nil
        let old = values[item.key]
        values[item.key] = value
        return old != value || (item.hasValue && value == nil)
    }
}
