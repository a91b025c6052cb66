import Foundation

/// The tool that the measurements run beside the daemons. Started by `Benchmarks/measure.py`; each prints lines of JSON.
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
        case ("devices", 3):
            guard let port = Int(arguments[1]) else { return usage() }
            try await CloudLoad(target: CloudTarget(port: port, fingerprint: arguments[2])).run()
        case ("commits", 2):
            try await BareCommits.run(folder: arguments[1])
        case ("round-trip", 4):
            try await RoundTrip.run(url: arguments[1], fingerprint: arguments[2], folder: arguments[3])
        case ("values", 1):
            Values.run()
        case ("mirror", 3):
            guard let blocks = Int(arguments[1]) else { return usage() }
            try await MirrorCosts.run(blocks: blocks, folder: arguments[2])
        case ("rows", 2):
            try await MirroredRows.run(folder: arguments[1])
        case ("search-quality", 3):
            try await SearchQuality(collection: arguments[1]).run(folder: arguments[2])
        case ("search-speed", 3):
            guard let count = Int(arguments[1]) else { return usage() }
            var speed = SearchSpeed(count: count)
            try await speed.run(folder: arguments[2])
        case ("pages", 2):
            guard let blocks = Int(arguments[1]) else { return usage() }
            try PageExtraction.run(blocks: blocks)
        case ("prediction", 2):
            try PredictionQuality.run(log: arguments[1])
        case ("requests", 1):
            RequestReading.run()
        case ("cards", 3):
            guard let count = Int(arguments[1]) else { return usage() }
            try await CardReading.run(count: count, folder: arguments[2])
        case ("store", 3):
            guard let blocks = Int(arguments[1]) else { return usage() }
            try await LocalStore.run(blocks: blocks, folder: arguments[2])
        case ("growth", 6...):
            let numbers = arguments[2...].compactMap { Int($0) }
            guard numbers.count == arguments.count - 2 else { return usage() }
            try await Growth.run(
                folder: arguments[1], sizes: Array(numbers[2...]), blocks: numbers[0], count: numbers[1])
        default:
            usage()
        }
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data(
                """
                usage: baton-benchmark serve | request HOST PORT | drive SOCKET | match BLOCKS | devices PORT FINGERPRINT |
                    commits FOLDER | round-trip URL FINGERPRINT FOLDER | values | store BLOCKS FOLDER |
                    mirror BLOCKS FOLDER | rows FOLDER |
                    search-quality COLLECTION FOLDER | search-speed ITEMS FOLDER | pages BLOCKS | prediction LOG | requests |
                    cards COUNT FOLDER |
                    growth FOLDER BLOCKS COUNT SIZE SIZE ...

                """.utf8))
        exit(64)
    }
}
