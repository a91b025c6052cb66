/// Which tables and columns synced at the last start.
package struct KnownColumns: Sendable, Equatable {
    private var columns: [String: Set<String>]

    package init(_ shapes: [TableShape]) {
        columns = Dictionary(shapes.map { ($0.name, Set($0.columns.map(\.name))) }) { first, _ in first }
    }

    /// As ``text`` writes them. Names have no spaces, or they could not sync.
    package init(text: String) {
        columns = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if let table = words.first { columns[table] = Set(words.dropFirst()) }
        }
    }

    package var text: String {
        columns.sorted { $0.key < $1.key }.map { ([$0.key] + $0.value.sorted()).joined(separator: " ") }
            .joined(separator: "\n")
    }

    package func has(_ table: String) -> Bool { columns[table] != nil }
    package func has(_ table: String, _ column: String) -> Bool { columns[table]?.contains(column) ?? false }
}
