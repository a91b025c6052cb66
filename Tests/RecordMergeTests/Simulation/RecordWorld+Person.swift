import RecordMerge

/// A person's changes in the app.
extension RecordWorld {
    /// A key of a row of that table, or a new one.
    private mutating func key(_ table: String, of app: SimulatedApp, isNew: Bool = false) -> RecordValue {
        let keys = app.rows.values.filter { $0.table == table }.compactMap { $0.columns["id"] }.sorted()
        return isNew || keys.isEmpty ? .text("\(1 + chance(4))") : keys[chance(keys.count)]
    }

    mutating func changeOnce(_ app: inout SimulatedApp) {
        let number = RecordValue.integer(Int64(chance(1000)))
        let title = RecordValue.text(["Home", "Work", "Garden"][chance(3)])
        let list = key("lists", of: app)
        let item = key("items", of: app)
        switch chance(23) {
        case 0...1: app.upsert(SampleSchema.lists, ["id": key("lists", of: app, isNew: true), "title": title])
        case 2: app.upsert(SampleSchema.lists, ["id": list, "title": title])
        case 3: app.upsert(SampleSchema.lists, ["id": list, "color": number])
        case 4...5:
            let text = RecordValue.text(chance(3) == 0 ? "long" : "text \(chance(100))")
            app.upsert(SampleSchema.items, ["id": key("items", of: app, isNew: true), "list": list, "text": text])
        case 6: app.upsert(SampleSchema.items, ["id": item, "list": list, "done": number])
        case 7...8: app.upsert(SampleSchema.items, ["id": item, "list": list, "tag": key("tags", of: app)])
        case 9...10: app.upsert(SampleSchema.items, ["id": item, "list": list, "slot": title])
        case 11: app.upsert(SampleSchema.items, ["id": item, "list": list, "after": key("items", of: app)])
        case 12: app.upsert(SampleSchema.tags, ["id": key("tags", of: app, isNew: true), "name": title])
        case 13: app.upsert(SampleSchema.covers, ["list": list, "image": number])
        case 14: app.upsert(SampleSchema.itemTags, ["item": item, "tag": key("tags", of: app)])
        case 15:
            let lists = app.rows.filter { $0.value.table == "lists" }.keys.sorted()
            if lists.count > 1 { app.swap("title", lists[0], lists[1]) }
        case 16...17: changeQuietly(&app, number)
        case 18...19:
            let note = key("notes", of: app, isNew: true)
            app.upsert(SampleSchema.notes, ["id": note, "title": title, "list": list, "tag": key("tags", of: app)])
        case 20: app.upsert(SampleSchema.notes, ["id": key("notes", of: app), "list": list])
        default:
            // Lists go often: much needs them.
            let lists = app.rows.filter { $0.value.table == "lists" }.keys.sorted()
            let rows = lists.isEmpty || chance(3) > 0 ? app.rows.keys.sorted() : lists
            if !rows.isEmpty { app.delete(rows[chance(rows.count)]) }
        }
    }

    /// Columns that keep no row alive, of a row that is there.
    private mutating func changeQuietly(_ app: inout SimulatedApp, _ number: RecordValue) {
        let items = app.rows.filter { $0.value.table == "items" }.sorted { $0.key < $1.key }
        guard !items.isEmpty else { return }
        let columns = items[chance(items.count)].value.columns
        var views = RecordValue.integer(1)
        if case .integer(let old)? = columns["views"] { views = .integer(old + 1) }
        app.upsert(
            SampleSchema.items,
            ["id": columns["id"] ?? .nothing, "list": columns["list"] ?? .nothing, "opened": number, "views": views])
    }
}
