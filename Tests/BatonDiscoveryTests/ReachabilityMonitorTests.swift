import BatonDiscovery
import BatonTestSupport
import Foundation
import Testing

@Suite("Reachability of this machine's networks", .timeLimit(.minutes(2)))
struct ReachabilityMonitorTests {
    @Test(
        "A resolver's file that says something else is told, also where it is a link, and where another file takes its place"
    )
    func resolver() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("run")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (link, target, next) = (directory.file("resolv.conf"), folder + "/stub.conf", folder + "/next.conf")
        try Data("nameserver 192.0.2.1\n".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let (news, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let monitor = ReachabilityMonitor(resolver: link) { source.yield() }
        let running = Task { try await monitor.run() }
        defer { running.cancel() }
        var told = news.makeAsyncIterator()
        for round in 0..<4 {
            let text = Data("nameserver 192.0.2.\(10 + round)\n".utf8)
            switch round {
            case 0, 1: try text.write(to: URL(fileURLWithPath: target))
            case 2: try text.write(to: URL(fileURLWithPath: target), options: .atomic)
            default:
                try text.write(to: URL(fileURLWithPath: next))
                try FileManager.default.removeItem(atPath: link)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: next)
            }
            _ = await told.next()
        }
    }
}
