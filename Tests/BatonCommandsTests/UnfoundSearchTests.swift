import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

struct UnfoundSearchTests {
    /// A daemon that finds nothing.
    private func fixture(_ why: Baton_Control_V1_NothingFound?) -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(SearchMethods.search) { _ in .with { if let why { $0.nothing = why } } }
        return fixture
    }

    @Test("A search without results says why, and what to do, for people and for programs")
    func nothing() async {
        let known = fixture(
            .with {
                $0.reason = "unknown_word"
                $0.message = "Nothing has the word “fransizko”. Did you mean “francisco”?"
                $0.words = ["francisco"]
            })
        #expect(await known.run("search", "fransizko") == .success)
        #expect(
            known.output.text
                == "Nothing is found. Nothing has the word “fransizko”. Did you mean “francisco”?\n")
        let forPrograms = fixture(
            .with {
                $0.reason = "not_indexed_yet"
                $0.message = "Search again in a moment."
            })
        #expect(await forPrograms.run("search", "dumplings", "--json") == .success)
        #expect(forPrograms.output.text.contains("not_indexed_yet"))
        #expect(forPrograms.output.text.contains("Search again in a moment."))
        let opened = fixture(.with { $0.message = "Search without --app." })
        #expect(await opened.run("search", "dumplings", "--open", "1") == .notFound)
        #expect(opened.errors.text.contains("Nothing is found. Search without --app."))
        let unknown = fixture(nil)
        #expect(await unknown.run("search", "dumplings") == .success)
        #expect(unknown.output.text.contains("“baton index” lists what is searched; new documents take a while"))
    }
}
