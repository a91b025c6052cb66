import Testing

@testable import FileSync

@Suite("Room of tables") struct TableRoomTests {
    @Test("a table that was large gives its room back once it is empty, and not before")
    func large() {
        var table: [Int: Int] = [:]
        var set: Set<Int> = []
        for number in 0..<5000 {
            table[number] = number
            set.insert(number)
        }
        for number in 1..<5000 {
            table[number] = nil
            set.remove(number)
        }
        table.giveBackRoom()
        set.giveBackRoom()
        #expect(table == [0: 0] && set == [0])
        #expect(table.capacity >= 5000 && set.capacity >= 5000)
        table[0] = nil
        set.remove(0)
        table.giveBackRoom()
        set.giveBackRoom()
        #expect(table.capacity == 0 && set.capacity == 0)
    }

    @Test("a small one keeps it")
    func small() {
        var table = [1: 1]
        table[1] = nil
        let room = table.capacity
        table.giveBackRoom()
        #expect(table.capacity == room && room > 0)
    }

    @Test("what waits to be sent takes no room once all was sent, and keeps its order")
    func unsent() {
        var queue = UnsentQueue()
        let ids = (0..<3000).map { EntryID(high: UInt64($0), low: 1) }
        for id in ids { queue.insert(id) }
        queue.remove(ids)
        #expect(queue.isEmpty && Array(queue).isEmpty)
        for id in ids.prefix(3).reversed() { queue.insert(id) }
        #expect(Array(queue) == Array(ids.prefix(3).reversed()))
        #expect(queue.number(of: ids[2]).map { $0 > 3000 } == true)
    }
}
