/// A QR code (ISO/IEC 18004) of a text: bytes, versions 1 to 10, error correction of level M.
struct QRCode: Equatable {
    /// Rows of modules, from the top; true is dark. Without the quiet zone around it.
    let rows: [[Bool]]

    var size: Int { rows.count }

    /// - Returns: nil for a text of more than 213 bytes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version.smallest(for: bytes.count) else { return nil }
        var best: (rows: [[Bool]], penalty: Int)?
        let codewords = version.codewords(for: bytes)
        for mask in 0..<8 {
            var matrix = QRMatrix(version: version)
            matrix.place(codewords)
            matrix.apply(mask: mask)
            let penalty = matrix.penalty
            if best.map({ penalty < $0.penalty }) ?? true { best = (matrix.modules, penalty) }
        }
        rows = best?.rows ?? []
    }

    /// As text of half blocks, two rows of modules in one line, dark on light whatever the terminal's colours are.
    func terminalLines(quietZone: Int = 2) -> [String] {
        let width = size + 2 * quietZone
        func isDark(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - quietZone, column - quietZone)
            guard rows.indices.contains(row), rows.indices.contains(column) else { return false }
            return rows[row][column]
        }
        return stride(from: 0, to: width, by: 2).map { row in
            let blocks = (0..<width).map { column -> String in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            // Black on bright white; each is a sequence that may pass to the terminal.
            return "\u{1B}[30m\u{1B}[107m\(blocks.joined())\u{1B}[0m"
        }
    }

    /// How much a code of some size holds, at level M.
    struct Version {
        let number: Int
        /// Codewords of data and of error correction.
        private let total: Int
        private let correction: Int
        private let blocks: Int
        let alignments: [Int]

        var size: Int { 17 + 4 * number }
        private var dataCount: Int { total - correction * blocks }
        /// Bits of the length.
        private var lengthBits: Int { number < 10 ? 8 : 16 }

        private static let all = [
            Version(number: 1, total: 26, correction: 10, blocks: 1, alignments: []),
            Version(number: 2, total: 44, correction: 16, blocks: 1, alignments: [6, 18]),
            Version(number: 3, total: 70, correction: 26, blocks: 1, alignments: [6, 22]),
            Version(number: 4, total: 100, correction: 18, blocks: 2, alignments: [6, 26]),
            Version(number: 5, total: 134, correction: 24, blocks: 2, alignments: [6, 30]),
            Version(number: 6, total: 172, correction: 16, blocks: 4, alignments: [6, 34]),
            Version(number: 7, total: 196, correction: 18, blocks: 4, alignments: [6, 22, 38]),
            Version(number: 8, total: 242, correction: 22, blocks: 4, alignments: [6, 24, 42]),
            Version(number: 9, total: 292, correction: 22, blocks: 5, alignments: [6, 26, 46]),
            Version(number: 10, total: 346, correction: 26, blocks: 5, alignments: [6, 28, 50]),
        ]

        static func smallest(for count: Int) -> Version? {
            all.first { 4 + $0.lengthBits + 8 * count <= 8 * $0.dataCount }
        }

        /// The data with its error correction, in the order in which they are placed.
        func codewords(for bytes: [UInt8]) -> [UInt8] {
            var bits: [Bool] = []
            func append(_ value: Int, _ count: Int) {
                for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
            }
            append(0b0100, 4)
            append(bytes.count, lengthBits)
            for byte in bytes { append(Int(byte), 8) }
            append(0, min(4, 8 * dataCount - bits.count))
            append(0, (8 - bits.count % 8) % 8)
            var data = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
            var pad: UInt8 = 0xEC
            while data.count < dataCount {
                data.append(pad)
                pad ^= 0xEC ^ 0x11
            }
            return interleaved(data)
        }

        private func interleaved(_ data: [UInt8]) -> [UInt8] {
            let short = dataCount / blocks
            let longOnes = dataCount % blocks
            var parts: [[UInt8]] = []
            var next = 0
            for block in 0..<blocks {
                let count = short + (block >= blocks - longOnes ? 1 : 0)
                parts.append(Array(data[next..<next + count]))
                next += count
            }
            let corrections = parts.map { ReedSolomon.correction(of: $0, count: correction) }
            var result: [UInt8] = []
            for index in 0...short { result += parts.compactMap { $0.indices.contains(index) ? $0[index] : nil } }
            for index in 0..<correction { result += corrections.map { $0[index] } }
            return result
        }
    }
}

/// Error correction over the field of 256 elements with the polynomial 0x11D.
private enum ReedSolomon {
    static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        // The generator: the product of (x - 2^i), without its first coefficient.
        var generator = [UInt8](repeating: 0, count: count)
        generator[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = product(generator[index], root)
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
            root = product(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= product(generator[index], factor) }
        }
        return rest
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            let carries = result & 0x80 != 0
            result <<= 1
            if carries { result ^= 0x1D }
            if right >> bit & 1 == 1 { result ^= left }
        }
        return result
    }
}
