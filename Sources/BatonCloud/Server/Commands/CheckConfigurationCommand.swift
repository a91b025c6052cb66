import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud check-config`
struct CheckConfigurationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config", abstract: "Report the problems of a configuration file.",
        discussion: """
            Reads the file, and the certificate that it names; starts and changes nothing.
            Exit codes: 0 when the file can be used, 78 when it cannot, or is not there.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    func run() async throws {
        try await explaining {
            let configuration = try ConfigurationFile.read(file)
            var problems = configuration.problems
            if let certificate = configuration.certificate {
                do throws(BatonError) {
                    if let key = configuration.key {
                        _ = try ServerIdentity(certificatePath: certificate, keyPath: key)
                    } else {
                        _ = try ServerIdentity.fingerprint(certificatePath: certificate)
                    }
                } catch {
                    problems.append(error.message)
                }
            }
            guard problems.isEmpty else { throw CloudConfiguration.unusable(problems.map { "\(file): \($0)" }) }
            say("“\(file)” can be used.")
        }
    }
}
