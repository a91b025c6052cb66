import BatonCore
import BatonWire

/// Rewrites the URLs in a `userInfo`, however deep they are nested, in containers and as keys: pure but for the two
/// questions that it is given.
struct DocumentURLs: Sendable {
    typealias Value = Baton_Value_V1_PropertyValue
    typealias Reference = Baton_Value_V1_DocumentReference

    /// The reference that replaces the URL of a file here; nil to leave it as it is.
    var reference: @Sendable (String) -> Reference?
    /// The URL that a reference means here.
    var url: @Sendable (Reference) -> String

    /// - Returns: nil when nothing has to be changed, or the value nests too deep, which its reader refuses.
    func rewritten(_ value: Value) -> Value? { rewritten(value, depth: 0) }

    private func rewritten(_ value: Value, depth: Int) -> Value? {
        guard depth <= PropertyValue.maximumDepth else { return nil }
        var result = value
        switch value.kind {
        case .url(let text):
            guard let reference = reference(text) else { return nil }
            result.document = reference
        case .document(let reference):
            result.url = url(reference)
        case .array(let array):
            guard let values = rewritten(array.values, depth: depth) else { return nil }
            result.array.values = values
        case .set(let set):
            guard let values = rewritten(set.values, depth: depth) else { return nil }
            // Two names of one document are one member.
            var members: Set<Value> = []
            result.set.values = values.filter { members.insert($0).inserted }
        case .dictionary(let dictionary):
            guard let entries = rewritten(dictionary.entries, depth: depth) else { return nil }
            result.dictionary.entries = entries
        default:
            return nil
        }
        return result
    }

    private func rewritten(_ values: [Value], depth: Int) -> [Value]? {
        var hasChanged = false
        let result = values.map { value in
            guard let new = rewritten(value, depth: depth + 1) else { return value }
            hasChanged = true
            return new
        }
        return hasChanged ? result : nil
    }

    private func rewritten(_ entries: [Baton_Value_V1_PropertyEntry], depth: Int) -> [Baton_Value_V1_PropertyEntry]? {
        var hasChanged = false
        var seen: Set<Value> = []
        var result: [Baton_Value_V1_PropertyEntry] = []
        for var entry in entries {
            if let value = rewritten(entry.value, depth: depth + 1) {
                entry.value = value
                hasChanged = true
            }
            if let key = rewritten(entry.key, depth: depth + 1) {
                entry.key = key
                hasChanged = true
                // Two names of one document are one key: the first entry stays. A double key that was sent as such is
                // left for its reader to refuse.
                if seen.contains(key) { continue }
            }
            seen.insert(entry.key)
            result.append(entry)
        }
        return hasChanged ? result : nil
    }
}
