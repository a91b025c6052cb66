import ArgumentParser
import AssociatedDomains
import BatonCore

/// `baton links sign`
struct LinksSignCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a site's file with a certificate.",
        discussion: """
            Checks the JSON and makes what “openssl smime -sign -nodetach -noattr -outform DER” makes: to be served as
            application/pkcs7-mime. Most sites need no signed file: plain JSON is served as application/json.
            """)

    @Argument(help: "The JSON file; “-” for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The certificate's private key, in PEM form without a passphrase.", completion: .file())
    var key: String

    @Option(name: .long, help: "The certificate, in PEM form.", completion: .file())
    var certificate: String

    @Option(name: .long, help: "The intermediate certificates up to the root, in PEM form.", completion: .file())
    var chain: String?

    @Option(
        name: .shortAndLong, help: "The file to write (default or “-”: standard output).", completion: .file())
    var output: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let context = session.context
        let destination = output == "-" ? nil : output
        guard destination != nil || (!session.isJSON && !context.terminal.isOutputInteractive) else {
            throw CommandFailure.usage(
                "The signed file is binary: name a file with --output, or send standard output to one.")
        }
        let (file, key, certificate, chain) = (file, key, certificate, chain)
        let bytes = try await blocking {
            func text(_ path: String) throws -> String {
                String(decoding: try ByteFile.read(context.absolutePath(path), limit: 1 << 20), as: UTF8.self)
            }
            let content =
                file == "-"
                ? try context.readInput(SiteFile.maximumSize)
                : try ByteFile.read(context.absolutePath(file), limit: SiteFile.maximumSize)
            let signed = try SiteFileSigning.sign(
                content, key: try text(key), certificate: try text(certificate), chain: try chain.map(text) ?? "",
                time: context.clock.now)
            if let destination {
                try ByteFile.write(signed, to: context.absolutePath(destination))
            } else {
                try context.writeOutput(signed)
            }
            return signed
        }
        guard let destination else { return }
        let path = context.absolutePath(destination)
        try session.emit(
            json: ["file": .string(path), "bytes": .init(bytes.count)],
            text: "Wrote \(TerminalText.escape(path)). Serve it as application/pkcs7-mime.")
    }
}
