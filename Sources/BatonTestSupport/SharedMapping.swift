import Glibc
import SystemPackage

/// The first page of a file, mapped so that what is written there changes the file.
package final class SharedMapping {
    private static let length = 4096

    private let memory: UnsafeMutableRawPointer

    package init(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        defer { close(descriptor) }
        guard let memory = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        self.memory = memory
    }

    package func write(_ text: String) {
        for (index, byte) in text.utf8.enumerated() { memory.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    }

    package func end() { munmap(memory, Self.length) }
}
