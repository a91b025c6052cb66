package import BatonClient
package import BatonCore
package import Foundation

/// All of the outside world that a command may touch. Tests give it another one.
package struct CommandContext: Sendable {
    package var environment: [String: String]
    package var workingDirectory: String
    package var terminal: Terminal
    package var standardOutput: any TextSink
    package var standardError: any TextSink
    let openLine: OpenLine
    package var input: any LineSource
    /// Asked for when it is needed: finding it out takes longer than most commands.
    private let makeTimeZone: @Sendable () -> TimeZone
    package var clock: WallClock
    /// How long `continue` stays for the other device to confirm, once the app here has the activity.
    package var acknowledgementPatience = Duration.seconds(5)
    /// How long a command looks for a device before it says that it does.
    package var lookingPatience = Duration.seconds(1)
    /// How long `setup` waits for a daemon that was started just before, as by a login.
    package var startingPatience = Duration.seconds(5)
    /// How long a new recovery key waits for the account's cloud, and how long between two attempts at first.
    package var recoveryPatience = Duration.seconds(60)
    package var recoveryPause = Duration.milliseconds(500)
    /// How long between two looks at how far work is.
    package var progressPause = Duration.seconds(1)
    /// Seconds in which no person can have read a question that has just been shown.
    package var readingTime: TimeInterval = 0.5
    /// Drops what was typed at the terminal and not read yet.
    package var discardTypedInput: @Sendable () -> Void = { if isatty(0) == 1 { tcflush(0, TCIFLUSH) } }
    package var makeClient: @Sendable (Locations) throws -> any ConnectClient
    /// Standard input as bytes: its beginning, up to one byte over the limit. Blocks.
    package var readInput: @Sendable (_ limit: Int) throws -> [UInt8] = { try ByteFile.read(descriptor: 0, limit: $0) }
    /// Puts bytes on standard output. Blocks.
    package var writeOutput: @Sendable ([UInt8]) throws -> Void = { try FileDescriptorSink(1).write($0) }

    /// A part of standard input, as soon as there is one; empty at the end. Blocks.
    package var readChunk: @Sendable () throws -> [UInt8] = { try ByteFile.readChunk(descriptor: 0) }
    /// The arguments of the process as bytes. Blocks.
    package var argumentBytes: @Sendable () -> [[UInt8]] = {
        let all = (try? ByteFile.read("/proc/self/cmdline", limit: 8 << 20)) ?? []
        return all.split(separator: 0).map { Array($0) }
    }
    /// The addresses of a host as this machine finds them, and the machine's own.
    package var findHost: @Sendable (_ host: String) async -> (addresses: [String], own: Set<String>) = {
        await OwnHost.lookUp($0)
    }
    /// The machine that `setup` and `doctor` look at.
    package var machine: any Machine = SystemMachine()
    /// The program that runs, for files that name it.
    package var executable =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

    package init(
        environment: [String: String], workingDirectory: String, terminal: Terminal, standardOutput: any TextSink,
        standardError: any TextSink, input: any LineSource,
        timeZone: @autoclosure @escaping @Sendable () -> TimeZone, clock: WallClock, openLine: OpenLine = OpenLine(),
        makeClient: @escaping @Sendable (Locations) throws -> any ConnectClient
    ) {
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.terminal = terminal
        self.standardOutput = OpenLine.Sink(sink: standardOutput, line: openLine)
        self.standardError = OpenLine.Sink(sink: standardError, line: openLine)
        self.openLine = openLine
        self.input = input
        makeTimeZone = timeZone
        self.clock = clock
        self.makeClient = makeClient
    }

    package var timeZone: TimeZone { makeTimeZone() }

    /// The process itself.
    package static func system() -> CommandContext {
        let environment = ProcessInfo.processInfo.environment
        let line = OpenLine()
        return CommandContext(
            environment: environment,
            workingDirectory: FileManager.default.currentDirectoryPath,
            terminal: .system(environment: environment),
            standardOutput: FileDescriptorSink(1),
            standardError: FileDescriptorSink(2),
            input: StandardInput(closing: line),
            timeZone: .current,
            clock: .system,
            openLine: line,
            makeClient: { HTTPConnectClient(socketPath: $0.socket) })
    }

    package func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// `path` as the person means it: relative to where they are, `~` being left to the shell.
    package func absolutePath(_ path: String) -> String {
        let joined = path.hasPrefix("/") ? path : workingDirectory + "/" + path
        return URL(fileURLWithPath: joined).standardizedFileURL.path
    }
}
