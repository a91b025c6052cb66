import Foundation

/// `baton-fuzz TARGET [libFuzzer's arguments]`, `baton-fuzz --list`, `baton-fuzz --seeds TARGET FOLDER`
@main
enum BatonFuzz {
    static let targets: [any FuzzTarget.Type] = [
        SiteFileTarget.self, SignedFileTarget.self, MatcherTarget.self, PageURLTarget.self, ConnectTarget.self,
        StreamFramesTarget.self, NativeMessagingTarget.self, PropertyValueTarget.self, PropertyListTarget.self,
        AccountItemTarget.self, AirDropMessageTarget.self, AirDropArchiveTarget.self,
        VCardTarget.self, ICalendarTarget.self, RequestTarget.self, GPSTarget.self,
        RecordItemTarget.self, RecordJournalTarget.self,
        PageTarget.self, JSONTarget.self, ExpansionTarget.self, MicrodataTarget.self, SearchQueryTarget.self,
    ]

    static func main() throws {
        let arguments = CommandLine.arguments
        switch (arguments.dropFirst().first, arguments.count) {
        case ("--list", 2):
            for target in targets { print(target.name) }
        case ("--seeds", 4):
            guard let target = target(arguments[2]) else { usage() }
            for (index, seed) in try target.seeds().enumerated() {
                try Data(seed).write(to: URL(fileURLWithPath: "\(arguments[3])/seed-\(index)"))
            }
        case (.some(let name), _):
            guard let target = target(name) else { usage() }
            exit(fuzz(target, [arguments[0]] + arguments.dropFirst(2)))
        default: usage()
        }
    }

    private static func target(_ name: String) -> (any FuzzTarget.Type)? { targets.first { $0.name == name } }

    private static func usage() -> Never {
        FileHandle.standardError.write(
            Data("usage: baton-fuzz TARGET [ARGUMENT...] | --list | --seeds TARGET FOLDER\n".utf8))
        exit(64)
    }

    private static func fuzz(_ target: any FuzzTarget.Type, _ arguments: [String]) -> Int32 {
        current = target
        var count = Int32(arguments.count)
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        return pointers.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return runDriver(&count, &base) { bytes, count in
                BatonFuzz.current?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
    }

    /// Set once, before libFuzzer calls anything.
    private nonisolated(unsafe) static var current: (any FuzzTarget.Type)?
}

/// libFuzzer's entry for programs with a `main` of their own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
