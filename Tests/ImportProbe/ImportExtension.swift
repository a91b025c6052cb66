import Baton
import Foundation
import Glibc

/// Does what the document says, also what it must not; see ImportExtensionTests.
final class ImportExtension: CSImportExtension {
    override func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {
        let words = try String(contentsOf: contentURL, encoding: .utf8).split(separator: " ").map(String.init)
        attributes.title = "chosen by the extension"
        if let path = CSCustomAttributeKey(keyName: "path") {
            attributes.setValue("/etc/passwd" as NSString, forCustomKey: path)
        }
        switch words.first {
        case "say": attributes.textContent = words.dropFirst().joined(separator: " ")
        case "hang": Self.wait()
        case "memory": Self.touch(mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        case "shared": Self.touch(mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
        case "crash": kill(getpid(), SIGSEGV)
        case "large": attributes.textContent = String(repeating: "large ", count: 1 << 18)
        case "reach": attributes.textContent = Self.reach(words.dropFirst()).joined(separator: " ")
        case "refuse": throw CocoaError(.fileReadCorruptFile)
        default: break
        }
    }

    private static func touch(_ memory: UnsafeMutableRawPointer?) {
        guard let memory, memory != MAP_FAILED else { abort() }
        memset(memory, 1, 1 << 30)
        wait()
    }

    /// Until it is ended.
    private static func wait() -> Never {
        while true { pause() }
    }

    /// One word for each thing that it could do.
    private static func reach(_ paths: ArraySlice<String>) -> [String] {
        var reached = ["tried"]
        if socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 { reached.append("network") }
        if socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 { reached.append("sockets") }
        if kill(getppid(), 0) == 0 { reached.append("parent") }
        var process = pid_t()
        if posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil]) == 0 { reached.append("processes") }
        for path in paths where access(path, R_OK) == 0 {
            if let file = fopen(path, "r") {
                fclose(file)
                reached.append("files")
            }
        }
        if open("/tmp/baton-import-probe", O_CREAT | O_WRONLY, 0o600) >= 0 { reached.append("writing") }
        return reached
    }
}
