/// The modules of a QR code while it is drawn.
struct QRMatrix {
    private let version: QRCode.Version
    private let size: Int
    private(set) var modules: [[Bool]]
    /// Those of the patterns, which hold no data.
    private var isReserved: [[Bool]]

    init(version: QRCode.Version) {
        self.version = version
        size = version.size
        modules = Array(repeating: Array(repeating: false, count: size), count: size)
        isReserved = modules
        drawPatterns()
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        modules[row][column] = isDark
        isReserved[row][column] = true
    }

    // MARK: Patterns

    private mutating func drawPatterns() {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        let places = version.alignments
        for row in places {
            for column in places where !isCorner(row, column) { drawAlignment(row, column) }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    /// Where a finder is already.
    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        let last = size - 7
        return (row == 6 && (column == 6 || column == last)) || (row == last && column == 6)
    }

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for y in -4...4 {
            for x in -4...4 where (0..<size).contains(row + y) && (0..<size).contains(column + x) {
                let distance = max(abs(x), abs(y))
                set(row + y, column + x, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ row: Int, _ column: Int) {
        for y in -2...2 {
            for x in -2...2 { set(row + y, column + x, max(abs(x), abs(y)) != 1) }
        }
    }

    /// Level M and the mask, twice, with their own error correction.
    private mutating func drawFormat(mask: Int) {
        // Level M is 00.
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(index, 8, bit(index)) }
        set(7, 8, bit(6))
        set(8, 8, bit(7))
        set(8, 7, bit(8))
        for index in 9..<15 { set(8, 14 - index, bit(index)) }
        for index in 0..<8 { set(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { set(size - 15 + index, 8, bit(index)) }
        set(size - 8, 8, true)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version.number << 12 | rest
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (far, near) = (size - 11 + index % 3, index / 3)
            set(far, near, isDark)
            set(near, far, isDark)
        }
    }

    // MARK: Data

    /// In columns of two, from the right, upwards and downwards in turn.
    mutating func place(_ codewords: [UInt8]) {
        var index = 0
        for right in stride(from: size - 1, through: 1, by: -2) {
            // The column of the timing pattern is left out.
            let right = right <= 6 ? right - 1 : right
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isReserved[row][column] && index < codewords.count * 8 {
                    modules[row][column] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                }
            }
        }
    }

    mutating func apply(mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isReserved[row][column] && Self.isInverted(mask, row, column) {
                modules[row][column].toggle()
            }
        }
        drawFormat(mask: mask)
    }

    private static func isInverted(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    // MARK: Penalty

    /// How hard it is to read; the mask with the least is taken.
    var penalty: Int {
        var result = 0
        let columns = (0..<size).map { column in modules.map { $0[column] } }
        for line in modules + columns { result += Self.penalty(ofLine: line) }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let first = modules[row][column]
                if first == modules[row][column + 1], first == modules[row + 1][column],
                    first == modules[row + 1][column + 1]
                {
                    result += 3
                }
            }
        }
        let dark = modules.reduce(0) { $0 + $1.count(where: \.self) }
        // Steps of 5 % away from one half.
        result += abs(dark * 20 - size * size * 10) / (size * size) * 10
        return result
    }

    /// Runs of one colour, and what looks like a finder.
    private static func penalty(ofLine line: [Bool]) -> Int {
        var result = 0
        var run = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run == 5 { result += 3 } else if run > 5 { result += 1 }
        }
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        for pattern in [finder + light, light + finder] {
            for start in 0...(line.count - pattern.count) where Array(line[start..<start + 11]) == pattern {
                result += 40
            }
        }
        return result
    }
}
