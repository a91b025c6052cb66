import BatonCore
import Glibc

/// Memory for what must not be read while the device is locked: it is not written to swap space where the system allows that,
/// stands in no core dump, and is overwritten at the end.
final class SecretBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    /// `MADV_DONTDUMP`, which Swift's import of the C library leaves out.
    private static let withoutDump: Int32 = 16

    init(size: Int) throws(BatonError) {
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            throw BatonError(.resourceExhausted, reason: "no_memory", "There is not enough memory. Try again later.")
        }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: size)
        // Either may be refused, as beyond the limit of locked memory: then it is overwritten all the same.
        mlock(memory, size)
        madvise(memory, size, Self.withoutDump)
    }

    deinit {
        if let start = bytes.baseAddress {
            explicit_bzero(start, bytes.count)
            munmap(start, bytes.count)
        }
    }
}
