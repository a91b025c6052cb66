import ArgumentParser
import Foundation
import Testing

@testable import BatonCommands

struct HelpExamplesTests {
    /// As a shell would split them, without what it keeps for itself.
    private func words(_ line: String) -> [String] {
        var words: [String] = []
        var (word, isQuoted) = ("", false)
        for character in line + " " {
            switch character {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return Array(words.prefix { $0 != "<" })
    }

    @Test(
        "Each example is a command line that the verb above it understands", arguments: HelpExamples.all.keys.sorted())
    func understood(verb: String) throws {
        let examples = try #require(HelpExamples.all[verb])
        #expect(examples.count == 2)
        for example in examples {
            let words = words(example)
            #expect(
                words.first == "baton"
                    && Array(words.dropFirst()).starts(with: verb.split(separator: " ").map(String.init).prefix(1)))
            #expect(throws: Never.self) { try BatonCommand.parseAsRoot(Array(words.dropFirst())) }
        }
    }

    /// The words of each verb that is listed, and of the groups of verbs.
    private func verbs(_ words: [String], _ command: any ParsableCommand.Type) -> [[String]] {
        guard command.configuration.shouldDisplay else { return [] }
        return [words]
            + command.configuration.subcommands.flatMap { verbs(words + [$0._commandName], $0) }
    }

    @Test("Each help has two examples")
    func everywhere() async {
        let verbs = verbs([], BatonCommand.self)
        #expect(verbs.contains(["folder", "on-demand"]) && verbs.contains(["sync"]))
        for verb in verbs {
            let fixture = CommandLineFixture()
            #expect(await fixture.run(verb + ["--help"]) == .success)
            let examples = fixture.output.text.components(separatedBy: "EXAMPLES:\n").last ?? ""
            #expect(
                examples.split(separator: "\n").count { $0.hasPrefix("  baton ") } == 2,
                "\(verb.joined(separator: " "))")
        }
    }

    @Test(
        "The help of a verb ends with its examples",
        arguments: [["continue", "--help"], ["help", "continue"], ["--home", "/x", "continue", "-h"]])
    func shown(arguments: [String]) async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run(arguments) == .success)
        #expect(fixture.output.text.hasSuffix("EXAMPLES:\n  baton continue\n  baton continue XK3F --verbose\n"))
    }
}
