import Baton
import Foundation
import Testing
import UniformTypes

@testable import Baton

/// The library's types: Apple's initialisers, tags and conformance.
@Suite struct UTTypeTests {
    @Test func `the system's types have identifiers, tags and a tree (A-9)`() throws {
        #expect(UTType.png.identifier == "public.png")
        #expect(UTType.png.conforms(to: .image))
        #expect(UTType.png.conforms(to: .png))
        #expect(UTType.png.isSubtype(of: .data))
        #expect(!UTType.png.isSubtype(of: .png))
        #expect(UTType.image.isSupertype(of: .jpeg))
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
        #expect(UTType.jpeg.preferredMIMEType == "image/jpeg")
        #expect(UTType.png.supertypes.isSuperset(of: [.image, .data, .item, .content]))
        #expect(UTType.png.isPublic && UTType.png.isDeclared && !UTType.png.isDynamic)
        #expect(!UTType.pdf.isPublic)
        #expect(UTType("public.no-such-type") == nil)
        #expect(UTType("PUBLIC.PNG") == .png)
        #expect(UTType(filenameExtension: "PNG") == .png)
        #expect(UTType(mimeType: "application/pdf") == .pdf)
        #expect(UTType(tag: "png", tagClass: .filenameExtension, conformingTo: .image) == .png)
        #expect(UTType.types(tag: "r", tagClass: .filenameExtension, conformingTo: nil).count == 2)
        #expect(UTType.png.tags[.filenameExtension] == ["png"])
    }

    @Test func `a tag that nobody declares gives a dynamic type, which keeps it`() throws {
        let type = try #require(UTType(filenameExtension: "quux"))
        #expect(type.isDynamic && !type.isDeclared && !type.isPublic)
        #expect(type.identifier.hasPrefix("dyn."))
        #expect(type.preferredFilenameExtension == "quux")
        #expect(type.conforms(to: .data))
        #expect(type.localizedDescription == nil)
        #expect(UTType(type.identifier) == type)
        // A PNG is no folder, so the tag alone counts.
        let folder = try #require(UTType(filenameExtension: "png", conformingTo: .directory))
        #expect(folder.isDynamic && folder.conforms(to: .directory))
        #expect(UTType(filenameExtension: "a/b") == nil)
        #expect(UTType(mimeType: "nonsense") == nil)
        #expect(UTType(tag: "x", tagClass: UTTagClass(rawValue: "com.apple.ostype"), conformingTo: nil) == nil)
        let decoded = try JSONDecoder().decode([UTType].self, from: JSONEncoder().encode([type, .png]))
        #expect(decoded == [type, .png])
    }

    @Test func `a name gets the extension of its type, unless it has one that fits`() throws {
        var folder = try #require(URL(string: "file:///tmp/"))
        #expect(folder.appendingPathComponent("puppy.jpg", conformingTo: .image).path == "/tmp/puppy.jpg")
        #expect(folder.appendingPathComponent("puppy.JPG", conformingTo: .jpeg).path == "/tmp/puppy.JPG")
        #expect(folder.appendingPathComponent("puppy.jpg", conformingTo: .plainText).path == "/tmp/puppy.jpg.txt")
        #expect(folder.appendingPathComponent("puppy", conformingTo: .data).path == "/tmp/puppy")
        #expect(folder.appendingPathComponent("puppy", conformingTo: .folder).absoluteString == "file:///tmp/puppy/")
        #expect(folder.appendingPathComponent("", conformingTo: .plainText) == folder)
        let note = folder.appendingPathComponent("v1.2")
        #expect(note.appendingPathExtension(for: .json).lastPathComponent == "v1.2.json")
        #expect(
            note.appendingPathExtension(for: .json).appendingPathExtension(for: .text)
                == note.appendingPathExtension("json"))
        folder.appendPathComponent("a", conformingTo: .pdf)
        folder.appendPathExtension(for: .zip)
        #expect(folder.path == "/tmp/a.pdf.zip")
        let path = NSString(string: "/tmp/a.txt")
        #expect(path.appendingPathExtension(for: .plainText) == "/tmp/a.txt")
        #expect(path.appendingPathExtension(for: .gzip) == "/tmp/a.txt.gz")
        #expect(NSString(string: "/tmp").appendingPathComponent("b", conformingTo: .html) == "/tmp/b.html")
    }

    @Test func `an app's own declarations are read from its Info.plist, whole or not at all`() throws {
        let bundle = AppBundle(infoDictionary: [
            "UTExportedTypeDeclarations": [
                [
                    "UTTypeIdentifier": "com.example.note", "UTTypeConformsTo": "public.text", "UTTypeVersion": 2,
                    "UTTypeDescription": "Note",
                    "UTTypeTagSpecification": [
                        "public.filename-extension": ["note"], "public.mime-type": "text/x-note",
                    ],
                ],
                ["UTTypeDescription": "no identifier"],
            ],
            "UTImportedTypeDeclarations": "not an array",
        ])
        let note = try #require(bundle.declaredTypes.exported.first)
        #expect(bundle.declaredTypes.exported.count == 1 && bundle.declaredTypes.imported.isEmpty)
        #expect(note.conformsTo == ["public.text"] && note.version == "2" && note.description == "Note")
        #expect(note.tags == [.filenameExtension: ["note"], .mimeType: ["text/x-note"]])
    }
}
