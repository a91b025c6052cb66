import Glibc

/// An open file or folder, closed when it goes.
package struct OwnedDescriptor: ~Copyable {
    package let number: Int32

    /// - Parameter number: of an open file; nil is returned if it is negative, as system calls return it.
    package init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }
}
