import ArgumentParser
import AssociatedDomains
import BatonCore

/// `baton links sign`
struct LinksSignCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a site's file with a certificate.",
        discussion: """
            Checks the JSON and makes what “openssl smime -sign -nodetach -noattr -outform DER” makes: to be served as \
            application/pkcs7-mime. Most sites need no signed file: plain JSON is served as application/json.
            Exit status: 2 the file, the key or a certificate is missing or cannot be used.
            """)

    @Argument(help: "The JSON file; “-” for standard input.", completion: .file())
    var file: String

    @Option(
        name: .long, help: ArgumentHelp("The certificate's private key (PEM, no passphrase).", valueName: "file"),
        completion: .file())
    var key: String

    @Option(name: .long, help: ArgumentHelp("The certificate (PEM).", valueName: "file"), completion: .file())
    var certificate: String

    @Option(
        name: .long, help: ArgumentHelp("The intermediate certificates up to the root (PEM).", valueName: "file"),
        completion: .file())
    var chain: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write (default, and “-”: standard output).", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let context = session.context
        let destination = output == "-" ? nil : output
        guard destination != nil || (!session.isJSON && !context.terminal.isOutputInteractive) else {
            throw CommandFailure.usage(
                "The signed file is binary: name a file with --output, or send standard output to one.")
        }
        let parts = Parts(file: file, key: key, certificate: certificate, chain: chain)
        let signed: [UInt8]
        do {
            signed = try await blocking { try parts.sign(context) }
        } catch let error as BatonError where error.code != .internal {
            throw CommandFailure(.usage, error)
        }
        try await blocking {
            if let destination {
                try ByteFile.write(signed, to: context.absolutePath(destination))
            } else {
                try context.writeOutput(signed)
            }
        }
        guard let destination else { return }
        let path = context.absolutePath(destination)
        try session.emit(
            json: ["file": .string(path), "bytes": .init(signed.count)],
            text: "Wrote \(TerminalText.escape(path)). Serve it as application/pkcs7-mime.")
    }
}

/// The files named on the command line.
private struct Parts: Sendable {
    let file: String
    let key: String
    let certificate: String
    let chain: String?

    func sign(_ context: CommandContext) throws -> [UInt8] {
        func text(_ path: String) throws -> String {
            String(decoding: try ByteFile.read(context.absolutePath(path), limit: 1 << 20), as: UTF8.self)
        }
        let content =
            file == "-"
            ? try context.readInput(SiteFile.maximumSize)
            : try ByteFile.read(context.absolutePath(file), limit: SiteFile.maximumSize)
        var names = SiteFileSigning.Names()
        names.key = key
        names.certificate = certificate
        if let chain { names.chain = chain }
        return try SiteFileSigning.sign(
            content, key: try text(key), certificate: try text(certificate), chain: try chain.map(text), names: names,
            time: context.clock.now)
    }
}
