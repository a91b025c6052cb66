package import Foundation
import Glibc

/// Secrets are overwritten where they lie, since memory that is given back keeps its content until it is used again.

extension String {
    /// Overwrites the text, also for holders of a copy of it, and makes it empty.
    ///
    /// Only for a text that was made while the program ran, as from a message: one that stands in the program cannot be
    /// written to.
    package mutating func overwrite() {
        // A short text lies in the variable itself.
        withUTF8 { bytes in
            if let start = bytes.baseAddress { explicit_bzero(UnsafeMutableRawPointer(mutating: start), bytes.count) }
        }
        self = ""
    }
}

extension Data {
    /// Overwrites the bytes, and makes it empty.
    package mutating func overwrite() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
        self = Data()
    }
}

extension [UInt8] {
    /// Overwrites the bytes, and makes it empty.
    package mutating func overwrite() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
        self = []
    }
}
