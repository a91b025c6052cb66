import Testing

@testable import BatonCommands

@Suite("QR codes")
struct QRCodeTests {
    // Made with another encoder, and the same mask.
    private static let known = """
        #######.....##..##.#.####.#######
        #.....#.....####.##.......#.....#
        #.###.#.##.###....##.#..#.#.###.#
        #.###.#.#####.#######.#...#.###.#
        #.###.#.#####..#..######..#.###.#
        #.....#.#....#.####.#.#...#.....#
        #######.#.#.#.#.#.#.#.#.#.#######
        ........##.##.##..#..#..#........
        #.#####..##.####.####.....#####..
        ##.#.#......#...##.#.####.##.##.#
        .#########..#..###..#...###.#.##.
        .##.##.#.#.#..##...#.###....###.#
        ###.####.##.#..#..#.#.##.#.###.#.
        #.......#.#.#####.###.##..#..####
        ...#..#.##..##...##..#..###.##.#.
        .#..#...#.#####.#.#..#..#######..
        ....#.##.#...#...####...#..##...#
        #..#.....#......##.#.#.#####.##.#
        .#.#..#####.#..###...##.#####.##.
        .#...#..#.#..#..####.#.###.#####.
        ..#...##...#....#...#.#..#.###.#.
        ##..##.#..#.#.##.####.##..#.....#
        #.#####.##.#.####.#.#.#....##.##.
        #..###..###.#..#..####.#.#.####.#
        #....##.#..#..##.##.#..######..#.
        ........###.##.....#.####...#.#.#
        #######..#.######.#..####.#.#.##.
        #.....#.##..####...####.#...###..
        #.###.#.##.#.##...###.#.######.#.
        #.###.#.#..######..######...#..##
        #.###.#.###.#....#...#...###.##..
        #.....#...##....#.#####..##.###..
        #######.##.#..#.###....##.##...#.
        """

    private func text(_ code: QRCode) -> String {
        code.rows.map { String($0.map { $0 ? "#" : "." }) }.joined(separator: "\n")
    }

    @Test("A code is what another encoder makes of the same text")
    func known() throws {
        let code = try #require(QRCode("https://192.168.1.23:22869/abcdefghijklmnopqrstuvwxyz/"))
        #expect(text(code) == Self.known)
    }

    // With blocks of two lengths, the version's own pattern, and lengths of two bytes; as FNV-1a of the other encoder's.
    @Test(
        "Larger codes are, too",
        arguments: [(60, 45, 0xC2A6_D450_F0F3_5046), (89, 53, 0xBE72_A6E1_5BE0_D96A), (106, 57, 0xA31D_E371_3BDE_E098)])
    func larger(count: Int, size: Int, hash: UInt64) throws {
        let code = try #require(QRCode(String(repeating: "Az", count: count)))
        #expect(code.size == size)
        let sum = text(code).utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        #expect(sum == hash)
    }

    @Test("A text that is too long has no code, and a code has light around it in the terminal")
    func limits() throws {
        #expect(QRCode(String(repeating: "A", count: 213)) != nil)
        #expect(QRCode(String(repeating: "A", count: 214)) == nil)
        let code = try #require(QRCode(""))
        let lines = code.terminalLines(quietZone: 2)
        #expect(lines.count == 13)
        #expect(lines.first?.contains(String(repeating: " ", count: 25)) == true)
    }
}
