import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud check-config`
struct CheckConfigurationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config", abstract: "Report the problems of a configuration file.",
        discussion: """
            Reads the file, and the certificate that it names; starts and changes nothing. Reports everything at once, with \
            the line of each setting.
            Exit codes: 0 when the file can be used, 78 when it cannot, or is not there.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    func run() async throws {
        try await explaining {
            let reading = try ConfigurationFile.inspect(file)
            let configuration = reading.configuration
            // A setting that could not be read contradicts nothing.
            let unread = Set(reading.problems.map { $0.line })
            var problems = reading.problems
            for finding in configuration.findings {
                let lines = finding.settings.compactMap { reading.lines[$0] }
                guard unread.isDisjoint(with: lines) else { continue }
                // 0: about what is not there.
                problems.append((lines.first ?? 0, finding.text))
            }
            if let certificate = configuration.certificate {
                do throws(BatonError) {
                    if let key = configuration.key {
                        _ = try ServerIdentity(certificatePath: certificate, keyPath: key)
                    } else {
                        _ = try ServerIdentity.fingerprint(certificatePath: certificate)
                    }
                } catch {
                    let setting = error.message.contains("“\(certificate)”") ? "certificate" : "key"
                    problems.append((reading.lines[setting] ?? 0, error.message))
                }
            }
            guard problems.isEmpty else {
                throw CloudConfiguration.unusable(
                    problems.sorted { $0.line < $1.line }.map { line, text in
                        line == 0 ? "\(file): \(text)" : "\(file), line \(line): \(text)"
                    })
            }
            say("“\(file)” can be used.")
        }
    }
}
