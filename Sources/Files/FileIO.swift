import Glibc

/// Reads and writes whole buffers, and goes on after a signal. Every function blocks.
///
/// The caller decides what a failed call of the system means for a person: `failure` makes the error of its `errno`.
package enum FileIO {
    /// - Parameter offset: of the file; nil for where it is.
    /// - Returns: how many bytes there were, maybe fewer than fit; 0 at the end.
    package static func read<Failure: Error>(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64? = nil,
        failure: (Int32) -> Failure
    ) throws(Failure) -> Int {
        while true {
            let count =
                if let offset {
                    pread(descriptor, buffer.baseAddress, buffer.count, off_t(clamping: offset))
                } else {
                    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            return count
        }
    }

    /// Fills the buffer.
    /// - Returns: how many bytes there were, fewer than fit only at the end of the file.
    package static func readAll<Failure: Error>(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64? = nil,
        failure: (Int32) -> Failure
    ) throws(Failure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(descriptor, into: rest, at: offset.map { $0 + UInt64(filled) }, failure: failure)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// - Returns: fewer bytes than `count` only at the end of the file.
    package static func readAll<Failure: Error>(
        _ descriptor: Int32, count: Int, at offset: UInt64? = nil, failure: (Int32) -> Failure
    ) throws(Failure) -> [UInt8] {
        var problem: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let whole = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
            do throws(Failure) {
                filled = try readAll(descriptor, into: whole, at: offset, failure: failure)
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
        return bytes
    }

    /// Writes all bytes, which may take several calls of the system.
    package static func writeAll<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: UInt64? = nil, failure: (Int32) -> Failure
    ) throws(Failure) {
        if let code = write(bytes, to: descriptor, at: offset) { throw failure(code) }
    }

    /// Writes all bytes, which may take several calls of the system.
    package static func writeAll<Failure: Error>(
        _ bytes: some Collection<UInt8>, to descriptor: Int32, at offset: UInt64? = nil, failure: (Int32) -> Failure
    ) throws(Failure) {
        let inPlace = bytes.withContiguousStorageIfAvailable {
            write(UnsafeRawBufferPointer($0), to: descriptor, at: offset)
        }
        let code = inPlace ?? Array(bytes).withUnsafeBytes { write($0, to: descriptor, at: offset) }
        if let code { throw failure(code) }
    }

    /// - Returns: the `errno` of what failed.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: UInt64?) -> Int32? {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count =
                if let offset {
                    pwrite(descriptor, rest.baseAddress, rest.count, off_t(clamping: offset + UInt64(done)))
                } else {
                    Glibc.write(descriptor, rest.baseAddress, rest.count)
                }
            if count < 0, errno == EINTR { continue }
            // A call that takes nothing and names no reason would go on for ever.
            guard count != 0 else { return EIO }
            guard count > 0 else { return errno }
            done += count
        }
        return nil
    }
}
