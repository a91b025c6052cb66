import BatonTestSupport
import Foundation

/// A row of `document-cases.md`: what two devices do apart from each other, and what both have in the end.
struct DocumentCase: Sendable {
    typealias Work = @Sendable (CaseFolder) async throws -> Void

    var number: String
    var title: String
    /// Synced to both before they are apart.
    var base: Work = { try $0.write("base", to: "f") }
    var a: Work
    var b: Work = { _ in }
    /// One of these.
    var results: [[String: String]]
    /// By name: all contents that are kept, as the file and as its conflict versions.
    var kept: [String: Set<String>] = [:]
    /// On the device that made the change b: the file that was at the first name is at the second, and is the same.
    var sameFiles: [String: String] = [:]
    var modes: [String: Int] = [:]
    /// It begins with a command that the daemon performs.
    var needsDaemon = false

    static let all = edits + deletions + moves + names + kinds

    private static let edits: [DocumentCase] = [
        .init(number: "1", title: "one edit", a: { try $0.write("of a", to: "f") }, results: [["f": "of a"]]),
        .init(
            number: "2", title: "the same edit twice", a: { try $0.write("same", to: "f") },
            b: { try $0.write("same", to: "f") }, results: [["f": "same"]], kept: ["f": ["same"]]),
        .init(
            number: "3", title: "two edits", a: { try $0.write("of a", to: "f") },
            b: { try $0.write("of b", to: "f") }, results: [["f": "of a"], ["f": "of b"]],
            kept: ["f": ["of a", "of b"]]),
        .init(
            number: "3", title: "two edits that are too large for an entry",
            a: { try $0.write(String(repeating: "of a ", count: 4000), to: "f") },
            b: { try $0.write(String(repeating: "of b ", count: 4000), to: "f") },
            results: ["of a ", "of b "].map { ["f": String(repeating: $0, count: 4000)] },
            kept: ["f": [String(repeating: "of a ", count: 4000), String(repeating: "of b ", count: 4000)]]),
        .init(
            number: "18", title: "a save by renaming against an edit", a: { try $0.save("of a", to: "f") },
            b: { try $0.write("of b", to: "f") }, results: [["f": "of a"], ["f": "of b"]],
            kept: ["f": ["of a", "of b"]]),
        .init(
            number: "18", title: "a backup is made and a new file written, against an edit",
            a: {
                try $0.move("f", to: "f~")
                try $0.write("of a", to: "f")
            }, b: { try $0.write("of b", to: "f") },
            results: [["f": "of a", "f~": "base"], ["f": "of b", "f~": "base"]], kept: ["f": ["of a", "of b"]]),
        .init(
            number: "19", title: "a mode against an edit", a: { try $0.setMode(0o750, of: "f") },
            b: { try $0.write("of b", to: "f") }, results: [["f": "of b"]], modes: ["f": 0o750]),
        .init(
            number: "28", title: "three edits of a device that is offline",
            a: {
                for text in ["1", "12", "123"] {
                    try $0.write(text, to: "f")
                    try await $0.isNoticed("f", size: text.utf8.count)
                }
            }, b: { try $0.write("of b", to: "f") }, results: [["f": "123"], ["f": "of b"]],
            kept: ["f": ["123", "of b"]]),
        .init(
            number: "29", title: "an older version is restored against an edit",
            base: {
                try $0.write("first", to: "f")
                try await $0.isNoticed("f", size: 5)
                try $0.write("second", to: "f")
            }, a: { try await $0.restoreOldest("f") }, b: { try $0.write("of b", to: "f") },
            results: [["f": "first"], ["f": "of b"]], kept: ["f": ["first", "of b"]], needsDaemon: true),
    ]

    private static let deletions: [DocumentCase] = [
        .init(
            number: "4", title: "a deletion against an edit", a: { try $0.remove("f") },
            b: { try $0.write("of b", to: "f") }, results: [["f": "of b"]]),
        .init(number: "4", title: "a deletion", a: { try $0.remove("f") }, results: [[:]]),
        .init(
            number: "31", title: "a file leaves the container, against an edit", a: { try $0.moveOut("f") },
            b: { try $0.write("of b", to: "f") }, results: [["f": "of b"]]),
        .init(
            number: "5", title: "a directory is deleted, against a new file in it", base: directory,
            a: { try $0.remove("d") }, b: { try $0.write("new", to: "d/n") }, results: [["d": "/", "d/n": "new"]]),
        .init(
            number: "6", title: "a directory is deleted, against an edit in it", base: directory,
            a: { try $0.remove("d") }, b: { try $0.write("of b", to: "d/f") },
            results: [["d": "/", "d/f": "of b"]]),
        .init(
            number: "11", title: "a file leaves a directory that is deleted", base: directory,
            a: { try $0.move("d/f", to: "f") }, b: { try $0.remove("d") }, results: [["f": "base"]]),
    ]

    private static let moves: [DocumentCase] = [
        .init(
            number: "7", title: "a rename against an edit", a: { try $0.move("f", to: "g") },
            b: { try $0.write("of b", to: "f") }, results: [["g": "of b"]]),
        .init(
            number: "8", title: "two renames", a: { try $0.move("f", to: "g") }, b: { try $0.move("f", to: "h") },
            results: [["g": "base"], ["h": "base"]]),
        .init(
            number: "9", title: "moves that would form a circle",
            base: {
                try await directory($0)
                try $0.directory("e")
                try $0.write("of e", to: "e/g")
            }, a: { try $0.move("d", to: "e/d") }, b: { try $0.move("e", to: "d/e") },
            results: [
                ["e": "/", "e/g": "of e", "e/d": "/", "e/d/f": "base"],
                ["d": "/", "d/f": "base", "d/e": "/", "d/e/g": "of e"],
            ]),
        .init(
            number: "10", title: "a directory is renamed, against a new file in it", base: directory,
            a: { try $0.move("d", to: "e") }, b: { try $0.write("new", to: "d/n") },
            results: [["e": "/", "e/f": "base", "e/n": "new"]]),
        .init(
            number: "16", title: "two files are swapped, against an edit", base: two,
            a: {
                try $0.move("f", to: "t")
                try $0.move("g", to: "f")
                try $0.move("t", to: "g")
            }, b: { try $0.write("of b", to: "f") }, results: [["f": "of g", "g": "of b"]]),
        .init(
            number: "17", title: "a chain of renames", base: two,
            a: {
                try $0.move("g", to: "h")
                try $0.move("f", to: "g")
            }, results: [["g": "base", "h": "of g"]], sameFiles: ["f": "g", "g": "h"]),
        .init(
            number: "26", title: "a file with two names against an edit",
            base: {
                try $0.write("base", to: "f")
                try $0.hardLink("f", at: "g")
            }, a: { _ in }, b: { try $0.write("of b", to: "f") }, results: [["f": "of b", "g": "base"]]),
        .init(
            number: "26", title: "a file with two names is edited",
            base: {
                try $0.write("base", to: "f")
                try $0.hardLink("f", at: "g")
            }, a: { try $0.write("of a", to: "g") }, results: [["f": "of a", "g": "of a"]]),
        .init(
            number: "26", title: "a file with two names against a rename and a deletion",
            base: {
                try $0.write("base", to: "f")
                try $0.hardLink("f", at: "g")
            }, a: { _ in },
            b: {
                try $0.move("f", to: "h")
                try $0.remove("g")
            }, results: [["h": "base"]]),
    ]

    private static let names: [DocumentCase] = [
        .init(
            number: "12", title: "a file against a directory of one name", base: nothing,
            a: { try $0.write("of a", to: "n") }, b: { try $0.directory("n") },
            results: [["n": "/", "n (conflict)": "of a"]]),
        .init(
            number: "13", title: "two files of one name", base: nothing, a: { try $0.write("of a", to: "n") },
            b: { try $0.write("of b", to: "n") },
            results: [["n": "of a", "n (conflict)": "of b"], ["n": "of b", "n (conflict)": "of a"]]),
        .init(
            number: "13", title: "the same file twice", base: nothing, a: { try $0.write("same", to: "n") },
            b: { try $0.write("same", to: "n") }, results: [["n": "same"]]),
        .init(
            number: "13", title: "two directories of one name", base: nothing,
            a: {
                try $0.directory("d")
                try $0.write("of a", to: "d/a")
            },
            b: {
                try $0.directory("d")
                try $0.write("of b", to: "d/b")
            }, results: [["d": "/", "d/a": "of a", "d/b": "of b"]]),
        .init(number: "14", title: "another case", a: { try $0.move("f", to: "F") }, results: [["F": "base"]]),
        .init(
            number: "15", title: "two forms of a name", base: nothing,
            a: { try $0.write("composed", to: "M\u{E4}\u{DF}") },
            b: { try $0.write("decomposed", to: "Ma\u{308}\u{DF}") },
            results: [["M{e4}{df}": "composed", "Ma{308}{df}": "decomposed"]]),
        .init(
            number: "32", title: "names of 255 bytes, and those that other systems cannot have", base: nothing,
            a: {
                try $0.write("long", to: longName)
                try $0.write("colon", to: "a:b")
                try $0.write("reserved", to: "con")
                try $0.write("ends", to: "dot.")
            }, b: { try $0.directory(longName) },
            results: [
                [longName: "/", "a:b": "colon", "con": "reserved", "dot.": "ends", longConflict: "long"]
            ]),
    ]

    private static let kinds: [DocumentCase] = [
        .init(
            number: "20", title: "a directory in place of a file, against an edit",
            a: {
                try $0.remove("f")
                try $0.directory("f")
                try $0.write("inner", to: "f/inner")
            }, b: { try $0.write("of b", to: "f") },
            results: [["f": "/", "f/inner": "inner", "f (conflict)": "of b"]]),
        .init(
            number: "21", title: "a symbolic link in place of a file, against an edit",
            a: {
                try $0.remove("f")
                try $0.link("elsewhere", at: "f")
            }, b: { try $0.write("of b", to: "f") }, results: [["f": "-> elsewhere", "f (conflict)": "of b"]]),
    ]

    static let longName = String(repeating: "n", count: 255)
    /// It is cut where the mark begins; how long that is depends on the device's name.
    static let longConflict = "n{2026} (conflict)"

    private static let nothing: Work = { _ in }
    private static let directory: Work = {
        try $0.directory("d")
        try $0.write("base", to: "d/f")
    }
    private static let two: Work = {
        try $0.write("base", to: "f")
        try $0.write("of g", to: "g")
    }
}
