import Foundation

/// What the measurements run beside the daemons. Started by `Benchmarks/measure.py`; each prints lines of JSON.
@main
enum BenchmarkTool {
    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("serve", 1):
            try await BaselineServer.run()
        case ("request", 3):
            guard let port = Int(arguments[2]) else { return usage() }
            try await BaselineClient.run(host: arguments[1], port: port)
        case ("drive", 2):
            try await Driver(socketPath: arguments[1]).run()
        case ("match", 2):
            guard let blocks = Int(arguments[1]) else { return usage() }
            try Matching.run(blocks: blocks)
        default:
            usage()
        }
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data("usage: baton-benchmark serve | request HOST PORT | drive SOCKET | match BLOCKS\n".utf8))
        exit(64)
    }
}
