/// Where each file and directory of a disk was seen last.
///
/// Packed as what is known of a tree (see ``PackedTable``), since there are as many.
package struct PlaceTable: Sendable {
    /// The handle, and its place.
    private struct Packed: PackedValue {
        let packed: [UInt8]

        init(packed bytes: [UInt8]) { packed = bytes }

        init(_ handle: LocalHandle, at place: LocalPlace) {
            var writer = PackedWriter()
            writer.text(handle.bytes.bytes)
            writer.text(place.directory.bytes.bytes)
            writer.text(place.name.bytes)
            packed = writer.exact
        }

        func isOf(_ handle: LocalHandle) -> Bool {
            var reader = PackedReader(packed)
            return reader.isText(handle.bytes.bytes)
        }

        func isIn(_ directory: LocalHandle) -> Bool {
            var reader = PackedReader(packed)
            reader.skipText()
            return reader.isText(directory.bytes.bytes)
        }

        var place: LocalPlace {
            var reader = PackedReader(packed)
            reader.skipText()
            let directory = LocalHandle(reader.text())
            return LocalPlace(directory: directory, name: EntryName(unchecked: reader.text()))
        }
    }

    /// By two hashes of the handle, which are seeded anew in each process: no two handles have both, and a reader looks.
    private var packed = PackedTable<Packed>()

    package init() {}

    package var count: Int { packed.count }

    private static func key(_ handle: LocalHandle) -> EntryID {
        var second = Hasher()
        second.combine(1)
        second.combine(handle)
        return EntryID(
            high: IdentifierTable.hash(of: handle), low: UInt64(bitPattern: Int64(second.finalize())))
    }

    package subscript(handle: LocalHandle) -> LocalPlace? {
        get { packed[Self.key(handle)].flatMap { $0.isOf(handle) ? $0.place : nil } }
        set { packed[Self.key(handle)] = newValue.map { Packed(handle, at: $0) } }
    }

    /// Gives back the memory that it does not use.
    package mutating func compact() { packed.compact() }

    /// Those in one directory.
    package func places(in directory: LocalHandle) -> PlaceTable {
        var result = PlaceTable()
        for (key, value) in packed.all where value.isIn(directory) { result.packed[key] = value }
        return result
    }

    package func hasPlaces(in directory: LocalHandle) -> Bool { packed.all.contains { $0.value.isIn(directory) } }

    /// Takes in those of what has no place here.
    package mutating func add(_ other: PlaceTable) {
        for (key, value) in other.packed.all where packed[key] == nil { packed[key] = value }
    }
}
