import Testing

@testable import Documents

/// A disk that is nearly full is not filled by contents that never become whole (D-5).
@Suite("Room for contents that come") struct ContentRoomTests {
    private static let mebibyte: UInt64 = 1 << 20

    private static func fits(
        _ size: UInt64, here: UInt64 = 0, free: UInt64, others: [(size: UInt64, here: UInt64)] = []
    ) -> Bool {
        let others = others.map { ContentRoom.Coming(size: $0.size * mebibyte, here: $0.here * mebibyte) }
        let room = ContentRoom(free: free * mebibyte, others: others)
        return room.fits(.init(size: size * mebibyte, here: here * mebibyte))
    }

    @Test("some of the disk stays free, as much as a small content takes (D-5)") func reserve() {
        #expect(Self.fits(100, free: 116))
        #expect(!Self.fits(100, free: 115))
        #expect(Self.fits(4, free: 8))
        #expect(!Self.fits(4, free: 7))
        #expect(Self.fits(0, free: 0))
    }

    @Test("what has come of it needs no more room (D-5)") func part() {
        #expect(Self.fits(100, here: 90, free: 20))
        #expect(!Self.fits(100, here: 90, free: 19))
        #expect(Self.fits(100, here: 200, free: 0), "a file system may count more than there is")
    }

    @Test("two that do not fit together do not come together (D-5)") func together() {
        #expect(Self.fits(100, free: 190))
        #expect(!Self.fits(100, free: 190, others: [(100, 0)]))
        #expect(Self.fits(100, free: 190, others: [(100, 30)]))
        let all = UInt64.max / Self.mebibyte
        let huge: [(size: UInt64, here: UInt64)] = [(all, 0), (all, 0)]
        #expect(!Self.fits(100, free: all, others: huge))
    }
}
