import Glibc
import Testing

@testable import Transfers

/// A file's times, as a sender says them. Apps set them to whatever they like.
@Suite struct FileStatusTests {
    @Test("any time that a file system keeps is a time", arguments: [0, 1_700_000_000, Int.max, Int.min])
    func anyTime(_ seconds: Int) {
        var status = stat()
        status.st_mtim = timespec(tv_sec: seconds, tv_nsec: 0)
        let modified = FileStatus(status).modified
        #expect(modified / 1000 <= UInt64(max(0, seconds)))
        if (0...1_700_000_000).contains(seconds) { #expect(modified == UInt64(seconds) * 1000) }
    }
}
