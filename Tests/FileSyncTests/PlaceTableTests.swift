import Testing

@testable import FileSync

@Suite("Places of files") struct PlaceTableTests {
    private static func handle(_ number: Int) -> LocalHandle { LocalHandle(Array("handle \(number)".utf8)) }

    private static func place(_ directory: Int, _ name: String) throws -> LocalPlace {
        LocalPlace(directory: handle(directory), name: try EntryName(name))
    }

    @Test("each file is where it was seen last")
    func last() throws {
        var table = PlaceTable()
        for number in 0..<3000 { table[Self.handle(number)] = try Self.place(number % 7, "file \(number)") }
        for number in stride(from: 0, to: 3000, by: 3) {
            table[Self.handle(number)] = try Self.place(9, "moved \(number)")
        }
        for number in stride(from: 1, to: 3000, by: 3) { table[Self.handle(number)] = nil }
        #expect(table.count == 2000)
        for number in 0..<3000 {
            let expected: LocalPlace? =
                switch number % 3 {
                case 0: try Self.place(9, "moved \(number)")
                case 1: nil
                default: try Self.place(number % 7, "file \(number)")
                }
            #expect(table[Self.handle(number)] == expected)
        }
        #expect(table[Self.handle(3000)] == nil)
    }

    @Test("those in one directory are kept, and others come back where they have no other place")
    func directories() throws {
        var old = PlaceTable()
        old[Self.handle(1)] = try Self.place(100, "staged")
        old[Self.handle(2)] = try Self.place(200, "a")
        old[Self.handle(3)] = try Self.place(200, "b")
        #expect(old.hasPlaces(in: Self.handle(100)) && !old.hasPlaces(in: Self.handle(300)))
        var new = old.places(in: Self.handle(100))
        #expect(new.count == 1 && new[Self.handle(1)] == old[Self.handle(1)] && new[Self.handle(2)] == nil)
        new[Self.handle(2)] = try Self.place(300, "c")
        new.add(old)
        #expect(new.count == 3)
        #expect(try new[Self.handle(2)] == Self.place(300, "c") && new[Self.handle(3)] == Self.place(200, "b"))
    }
}
