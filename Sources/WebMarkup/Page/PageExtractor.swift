package import BatonCore
import Foundation

/// Extracts what pages say in JSON-LD, microdata and RDFa. It fetches nothing.
package struct PageExtractor {
    private let limits: ExtractionLimits
    private let address: String?
    private var result = PageMarkup()
    private var values: Int
    private var budget: WorkBudget

    private init(address: String?, _ limits: ExtractionLimits) {
        self.limits = limits
        self.address = address
        values = limits.nodes
        budget = WorkBudget(steps: limits.steps)
    }

    /// - Parameters:
    ///   - charset: The encoding that the server named.
    ///   - address: The page's own, which relative ones are resolved with.
    /// - Throws: `page_too_large`, `page_too_deep`.
    package static func extract(
        _ bytes: [UInt8], charset: String? = nil, address: String?, limits: ExtractionLimits = .init()
    ) throws(BatonError) -> PageMarkup {
        try check(size: bytes.count, limits)
        var extractor = PageExtractor(address: address, limits)
        let text = PageText(bytes, charset: charset).bytes
        try check(size: text.count, limits)
        let first = text.first { $0 > 0x20 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            // JSON-LD without a page around it.
            extractor.readScript(text, base: address)
        } else {
            try extractor.read(text)
        }
        extractor.finish()
        return extractor.result
    }

    /// Extracts what a browser's extension sends: the texts of JSON-LD, and the document where it has markup.
    package static func extract(
        scripts: [String], document: String?, address: String?, limits: ExtractionLimits = .init()
    ) throws(BatonError) -> PageMarkup {
        let size = scripts.reduce(document?.utf8.count ?? 0) { $0 + $1.utf8.count }
        try check(size: size, limits)
        var extractor = PageExtractor(address: address, limits)
        for script in scripts { extractor.readScript(Array(script.utf8), base: address) }
        if let document { try extractor.read(PageText(Array(document.utf8), charset: "utf-8").bytes) }
        extractor.finish()
        return extractor.result
    }

    private static func check(size: Int, _ limits: ExtractionLimits) throws(BatonError) {
        guard size <= limits.bytes else {
            throw BatonError(
                .invalidArgument, reason: "page_too_large",
                "The page has \(ByteSize.text(size)), and at most \(ByteSize.text(limits.bytes)) are read. Nothing was read."
            )
        }
    }

    private mutating func read(_ text: [UInt8]) throws(BatonError) {
        let outcome: Result<Void, BatonError> = text.withUnsafeBufferPointer { bytes in
            do throws(BatonError) {
                let page = try PageScanner.scan(bytes, limits)
                read(page, bytes)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    private mutating func read(_ page: ScannedPage, _ bytes: UnsafeBufferPointer<UInt8>) {
        result.title = result.title ?? page.title
        result.summary = result.summary ?? page.summary
        let base = page.base.map { IRI.resolve(HTMLText.trimmed($0), against: address) } ?? address
        result.canonical = page.canonical.map { IRI.resolve(HTMLText.trimmed($0), against: base) }
        result.isTruncated = result.isTruncated || page.isTruncated
        for script in page.scripts { readScript(Array(bytes[script]), base: base) }
        guard page.hasMicrodata || page.hasRDFa else { return }
        let (markup, isCut) = page.markup(of: bytes, limit: limits.markupBytes)
        if isCut { result.isTruncated = true }
        markup.withUnsafeBufferPointer { markup in
            PageTree.with(markup, limit: limits.treeBytes) { tree in
                guard let tree else {
                    result.isTruncated = true
                    result.problems.append("The page's elements need too much memory; their markup was left out.")
                    return
                }
                read(tree, page, base)
            }
        }
    }

    private mutating func read(_ tree: PageTree, _ page: ScannedPage, _ base: String?) {
        if page.hasMicrodata {
            var reader = MicrodataReader(base: base, budget: budget)
            result.expanded += reader.read(tree)
            budget = reader.budget
            if reader.isTruncated { result.isTruncated = true }
            if reader.hasCycle { result.problems.append("An item of the page's microdata contains itself.") }
        }
        if page.hasRDFa, !budget.isSpent {
            var reader = RDFaReader(base: base, budget: budget)
            result.expanded += reader.read(tree)
            budget = reader.budget
        }
        if budget.isSpent { result.isTruncated = true }
    }

    private mutating func readScript(_ text: [UInt8], base: String?) {
        // More scripts than this are no page's own.
        guard values > 0, result.problems.count < 50 else {
            result.isTruncated = true
            return
        }
        do throws(JSONReader.Failure) {
            let (value, isTruncated) = try JSONReader.value(of: text, values: &values)
            if isTruncated { result.isTruncated = true }
            if let value { expand(value, base: base) }
        } catch {
            switch error {
            case .malformed(let place):
                result.problems.append(
                    "A script of JSON-LD is not valid JSON: unexpected text at byte \(place).")
            case .tooDeep:
                result.isTruncated = true
                result.problems.append("A script of JSON-LD has too many values within each other; it was left out.")
            }
        }
    }

    private mutating func expand(_ value: JSONValue, base: String?) {
        var options = Expander.Options(base: base)
        options.steps = budget.steps
        var expander = Expander(options)
        do throws(JSONLDError) {
            result.expanded += try expander.expand(value)
        } catch .tooMuchWork {
            result.isTruncated = true
            result.problems.append("A script of JSON-LD takes too much work; it was left out.")
        } catch {
            result.problems.append("A script of JSON-LD has no meaning (\(error.rawValue)); it was left out.")
        }
        for context in expander.leftOutContexts.sorted() {
            let shown = PlaceText.clean(context, limit: 200) ?? ""
            result.problems.append("The context \(shown) is not built in; its terms were left out.")
        }
        budget = WorkBudget(steps: max(0, expander.remainingSteps))
    }

    private mutating func finish() {
        var graph = EntityGraph(result.expanded)
        graph.resolve()
        result.entities = graph
        result.places = PlaceFinder.places(in: graph, pageAddress: result.canonical ?? address)
    }
}
