import BatonTestSupport
import Testing
import UniformTypes

/// The system's types, declarations of apps, and dynamic types.
@Suite struct TypeRegistryTests {
    @Test func `the system knows hundreds of types, each valid, and all it conforms to`() {
        let registry = TypeRegistry.system
        #expect(registry.count >= 400)
        for identifier in registry.identifiers {
            #expect(TypeIdentifier.isValid(identifier), "\(identifier)")
            guard let declaration = registry.declaration(of: identifier) else {
                Issue.record("\(identifier) has no declaration")
                continue
            }
            for parent in declaration.conformsTo {
                #expect(registry.declaration(of: parent) != nil, "\(identifier) conforms to \(parent)")
            }
            #expect(!registry.supertypes(of: identifier).contains(identifier), "\(identifier) goes in a circle")
            // A type is found by each of its tags, if perhaps not as the first.
            for (tagClass, tags) in declaration.tags {
                for tag in tags {
                    #expect(registry.declaredTypes(tag: tag, of: tagClass).contains(identifier), "\(identifier) \(tag)")
                }
            }
        }
    }

    @Test func `hundreds of types that all conform to each other are each named once`() {
        let names = (0..<240).map { "com.dense.t\($0)" }
        let types = names.map { name in
            TypeDeclaration(
                identifier: name, conformsTo: names.filter { $0 != name }, tags: [.filenameExtension: ["evil"]])
        }
        let registry = TypeRegistry(apps: [("com.dense", DeclaredTypes(exported: types))])
        #expect(Set(registry.supertypes(of: names[0])) == Set(names.dropFirst()))
        #expect(registry.supertypes(of: names[0]).count == 239)
        #expect(registry.type(ofFileName: "q.evil", isDirectory: false).hasPrefix("dyn."))
    }

    @Test(arguments: [
        ("public.png", "public.image"), ("public.png", "public.data"), ("public.png", "public.content"),
        ("public.jpeg", "public.item"), ("public.utf8-plain-text", "public.text"),
        ("com.apple.rtfd", "public.directory"),
        ("com.apple.rtfd", "public.composite-content"), ("public.file-url", "public.url"),
        ("public.folder", "public.directory"), ("public.swift-source", "public.plain-text"),
        ("com.adobe.pdf", "public.composite-content"), ("PUBLIC.PNG", "public.image"),
    ])
    func `types conform as Apple documents`(_ type: String, _ parent: String) {
        #expect(TypeRegistry.system.conforms(type, to: parent))
        #expect(!TypeRegistry.system.conforms(parent, to: type))
    }

    @Test(arguments: [
        ("png", "public.png", "image/png"), ("jpg", "public.jpeg", "image/jpeg"),
        ("TXT", "public.plain-text", "text/plain"),
        ("pdf", "com.adobe.pdf", "application/pdf"), ("html", "public.html", "text/html"),
        ("zip", "public.zip-archive", "application/zip"), ("swift", "public.swift-source", "text/x-swift"),
        (
            "docx", "org.openxmlformats.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        ),
        ("odt", "org.oasis-open.opendocument.text", "application/vnd.oasis.opendocument.text"),
        ("mp3", "public.mp3", "audio/mpeg"), ("mov", "com.apple.quicktime-movie", "video/quicktime"),
        ("vcf", "public.vcard", "text/vcard"), ("md", "net.daringfireball.markdown", "text/markdown"),
    ])
    func `an extension and a MIME type lead to the same type`(_ tag: String, _ type: String, _ mime: String) {
        let registry = TypeRegistry.system
        #expect(registry.type(tag: tag, of: .filenameExtension) == type)
        #expect(registry.type(tag: mime, of: .mimeType) == type)
        #expect(registry.preferredTag(.mimeType, of: type) == mime)
    }

    @Test func `a file of any known extension has a declared type; archives and mails have Apple's`() throws {
        let registry = TypeRegistry.system
        for identifier in registry.identifiers {
            for tag in registry.declaration(of: identifier)?.tags[.filenameExtension] ?? [] {
                let types = [false, true].map { registry.type(ofFileName: "a.\(tag)", isDirectory: $0) }
                #expect(types[0].hasPrefix("dyn.") == false || types[1] != "public.folder", "\(identifier)")
            }
        }
        let archive = try #require(registry.type(tag: "zip", of: .filenameExtension))
        #expect(registry.conforms(archive, to: "com.pkware.zip-archive"))
        let mail = registry.type(ofFileName: "1.eml", isDirectory: false)
        #expect(mail == "com.apple.mail.email" && registry.conforms(mail, to: "public.email-message"))
    }

    @Test func `unknown tags give dynamic types, which hold their tag and come back from their identifier`() throws {
        let registry = TypeRegistry.system
        let type = try #require(registry.type(tag: "Quux", of: .filenameExtension))
        #expect(type.hasPrefix("dyn."))
        #expect(registry.type(tag: "quux", of: .filenameExtension) == type)
        #expect(registry.preferredTag(.filenameExtension, of: type) == "quux")
        #expect(registry.conforms(type, to: "public.data"))
        let text = try #require(registry.type(tag: "text/x-quux", of: .mimeType))
        #expect(registry.conforms(text, to: "public.text"))
        let image = try #require(registry.type(tag: "quux", of: .filenameExtension, conformingTo: "public.image"))
        #expect(image != type)
        #expect(registry.conforms(image, to: "public.image"))
        #expect(DynamicType(identifier: type)?.tag == "quux")
    }

    @Test func `random tags round-trip, and random identifiers never trap`() {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<5_000 {
            let tag = String(
                (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                    Character(Unicode.Scalar(UInt32.random(in: 0x21...0x24F, using: &generator)) ?? "x")
                })
            guard let dynamic = DynamicType(tagClass: .filenameExtension, tag: tag, conformsTo: "public.data") else {
                continue
            }
            #expect(DynamicType(identifier: dynamic.identifier) == dynamic)
        }
        let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz.-")
        for _ in 0..<20_000 {
            let noise = String(
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &generator)]
                })
            let identifier = "dyn.b" + noise
            if let dynamic = DynamicType(identifier: identifier) { #expect(dynamic.identifier == identifier) }
        }
    }

    @Test(arguments: ["", ".png", "a/b", "a\u{0}b", String(repeating: "x", count: 256)])
    func `an extension that is none has no type`(_ tag: String) {
        #expect(TypeRegistry.system.type(tag: tag, of: .filenameExtension) == nil)
    }

    @Test(arguments: ["", "image", "image/", "/png", "a/b/c", "text/plain; charset=utf-8", "text/ plain"])
    func `a MIME type that is none has no type`(_ tag: String) {
        #expect(TypeRegistry.system.type(tag: tag, of: .mimeType) == nil)
    }

    // MARK: Declarations of apps

    private func note(
        _ app: String, in place: WritableKeyPath<DeclaredTypes, [TypeDeclaration]>
    ) -> (app: String, types: DeclaredTypes) {
        var types = DeclaredTypes()
        types[keyPath: place] = [
            TypeDeclaration(
                identifier: "com.example.note", conformsTo: ["public.text"], tags: [.filenameExtension: ["note"]],
                description: app)
        ]
        return (app, types)
    }

    @Test func `an exported declaration goes before an imported one, whoever was installed first`() {
        let apps = [note("com.a", in: \.imported), note("com.c", in: \.exported), note("com.b", in: \.exported)]
        for order in [apps, apps.reversed()] {
            let registry = TypeRegistry(apps: order)
            #expect(registry.origin(of: "com.example.note") == .exported(by: "com.b"))
            #expect(registry.declaration(of: "com.example.note")?.description == "com.b")
            #expect(registry.type(tag: "note", of: .filenameExtension) == "com.example.note")
        }
    }

    @Test func `no app takes a type of the system, a dynamic one, or another type's extension from it`() {
        let types = DeclaredTypes(exported: [
            TypeDeclaration(identifier: "public.png", conformsTo: ["com.evil.all"], tags: [:], description: "evil"),
            TypeDeclaration(identifier: "dyn.bxyz", conformsTo: ["public.data"]),
            TypeDeclaration(
                identifier: "com.evil.all", conformsTo: ["public.png"], tags: [.filenameExtension: ["png", "", "a/b"]]),
            TypeDeclaration(identifier: "no identifier", conformsTo: []),
        ])
        let registry = TypeRegistry(apps: [("com.evil", types)])
        #expect(registry.declaration(of: "public.png")?.description == "PNG image")
        #expect(registry.declaration(of: "dyn.bxyz") == nil)
        #expect(registry.type(tag: "png", of: .filenameExtension) == "public.png")
        #expect(registry.count == TypeRegistry.system.count + 1)
    }

    @Test func `circles and types that conform to everything end`() {
        let circle = (0..<100).map { index in
            TypeDeclaration(identifier: "com.circle.t\(index)", conformsTo: ["com.circle.t\((index + 1) % 100)"])
        }
        let everything = TypeDeclaration(
            identifier: "com.circle.all", conformsTo: TypeRegistry.system.identifiers + ["com.circle.all", "com.none"])
        let registry = TypeRegistry(apps: [("com.circle", DeclaredTypes(exported: circle + [everything]))])
        #expect(registry.supertypes(of: "com.circle.t0").count < 100)
        #expect(!registry.conforms("com.circle.t0", to: "public.data"))
        #expect(registry.conforms("com.circle.all", to: "public.png"))
    }

    @Test func `a file's name says its type`() {
        let registry = TypeRegistry.system
        #expect(registry.type(ofFileName: "Photo.JPG", isDirectory: false) == "public.jpeg")
        #expect(registry.type(ofFileName: "archive.tar.gz", isDirectory: false) == "org.gnu.gnu-zip-archive")
        #expect(registry.type(ofFileName: "README", isDirectory: false) == "public.data")
        #expect(registry.type(ofFileName: ".png", isDirectory: false) == "public.data")
        #expect(registry.type(ofFileName: "ends.", isDirectory: false) == "public.data")
        #expect(registry.type(ofFileName: "Text.rtfd", isDirectory: true) == "com.apple.rtfd")
        #expect(registry.type(ofFileName: "photos.jpg", isDirectory: true) == "public.folder")
        #expect(registry.type(ofFileName: "v1.0", isDirectory: true) == "public.folder")
    }
}
