import ArgumentParser
import BatonCore
import WebMarkup

/// `baton extract`
struct ExtractCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Print what a web page says of itself for programs: its things and its places.",
        discussion: """
            JSON-LD, microdata and RDFa are read. The daemon is not needed, and nothing but the page is fetched.
            --expanded prints everything that was found, of all three, as expanded JSON-LD.
            """)

    @Argument(help: "An address of http or https, or a file; “-” for standard input.", completion: .file())
    var page: String

    @Flag(name: .long, help: "Print everything as expanded JSON-LD.")
    var expanded = false

    @Option(name: .long, help: "The base address for the file's relative addresses.")
    var base: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        let scheme = page.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        let isOther = page.dropFirst(scheme.count).hasPrefix("://") && !["http", "https"].contains(scheme)
        guard !page.isEmpty, !isOther || scheme.isEmpty else {
            throw ValidationError(
                "“\(page)” is no page. Write an address that begins with http:// or https://, or the path of a file.")
        }
    }

    func run(in session: CommandSession) async throws {
        let limits = ExtractionLimits()
        let isAddress = page.hasPrefix("http://") || page.hasPrefix("https://")
        let fetched: PageFetcher.Page
        if isAddress {
            fetched = try await PageFetcher.fetch(page, limit: limits.bytes)
        } else {
            let (page, context) = (page, session.context)
            let bytes = try await blocking {
                try page == "-"
                    ? context.readInput(limits.bytes)
                    : ByteFile.read(context.absolutePath(page), limit: limits.bytes)
            }
            fetched = .init(bytes: bytes, charset: nil)
        }
        let markup = try PageExtractor.extract(
            fetched.bytes, charset: fetched.charset, address: base ?? (isAddress ? page : nil), limits: limits)
        if expanded {
            try session.emitContent(JSONWriter.text(.array(markup.expanded)) + "\n")
            for problem in PageReport(markup).remarks { try session.remark(problem) }
        } else {
            let report = PageReport(markup)
            try session.emit(json: report.json, text: report.text)
        }
    }
}
