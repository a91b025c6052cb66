import ArgumentParser
import BatonCore
import Foundation
import Glibc

/// Where the server keeps everything.
struct DataOption: ParsableArguments {
    @Option(help: "The folder that everything is kept in. Default: baton-cloud in $XDG_DATA_HOME.")
    var data: String?

    var path: String {
        get throws(BatonError) {
            let environment = ProcessInfo.processInfo.environment
            if let data {
                return data.hasPrefix("/") ? data : FileManager.default.currentDirectoryPath + "/" + data
            }
            if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/baton-cloud" }
            guard let home = environment["HOME"], home.hasPrefix("/") else {
                throw BatonError(
                    .failedPrecondition, reason: "no_home", "Neither HOME nor XDG_DATA_HOME is set. Say --data.")
            }
            return home + "/.local/share/baton-cloud"
        }
    }
}

/// Runs a command, and says in a sentence why it cannot go on.
func explaining(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as BatonError {
        FileHandle.standardError.write(Data("baton-cloud: \(error.message)\n".utf8))
        throw ExitCode(1)
    }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
