import CLinux
import Glibc

/// Runs of zeros, which a file need not store: a hole is read as they are. A content comes without the holes that its file had
/// elsewhere, and gets them again.
enum ZeroRuns {
    /// Holes begin and end where a page does.
    static let alignment = 4 << 10
    /// Shorter ones are written: many small holes cost a file system more than they spare.
    static let minimum = 64 << 10

    /// The runs of zeros that are worth a hole, in ascending order. The last byte is in none, so that a file is as long as what was
    /// written to it.
    /// - Parameter offset: where in the file the bytes are.
    static func runs(in bytes: [UInt8], at offset: UInt64) -> [Range<Int>] {
        guard bytes.count > minimum else { return [] }
        return bytes.withUnsafeBytes { bytes in
            var runs: [Range<Int>] = []
            func add(_ run: Range<Int>) { if run.count >= minimum { runs.append(run) } }
            var index = (alignment - Int(offset % UInt64(alignment))) % alignment
            var begin = index
            while index + alignment < bytes.count {
                if !isZero(bytes, index) {
                    add(begin..<index)
                    begin = index + alignment
                }
                index += alignment
            }
            add(begin..<index)
            return runs
        }
    }

    private static func isZero(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard bytes[start] == 0, let base = bytes.baseAddress?.advanced(by: start) else { return false }
        return memcmp(base, base + 1, alignment - 1) == 0
    }

    /// Makes a run a hole, whatever was there. Beyond the end of the file nothing is there, nor is afterwards.
    /// - Returns: false where the file system has no holes, or could not make this one: then the zeros are to be written.
    static func punch(_ run: Range<Int>, at offset: UInt64, in file: Int32) -> Bool {
        guard let start = Int(exactly: offset + UInt64(run.lowerBound)) else { return false }
        return baton_punch_hole(file, start, run.count) == 0
    }
}
