import BatonCore
import BatonTestSupport
import BatonTrust
import LaunchServices
import Testing

/// Which picture is shown while an app is launched.
@Suite struct LaunchImageChooserTests {
    private func choose(
        _ files: [String], basename: String = "Default", images: [LaunchImageDeclarations.Image]? = nil,
        scheme: String? = nil, _ orientation: LaunchImageChooser.Orientation = .portrait, scale: Int = 1
    ) -> String? {
        var declarations = LaunchImageDeclarations()
        declarations.files = files
        declarations.basename = basename
        declarations.images = images
        let request = LaunchImageChooser.Request(scheme: scheme, orientation: orientation, scale: scale)
        return LaunchImageChooser(declarations).choose(request)?.file
    }

    @Test("U-23, U-25, X-7: for myapp, Default-myapp@2x.png on a Retina screen and Default-myapp.png on others")
    func example() {
        let files = ["Default.png", "Default@2x.png", "Default-myapp.png", "Default-myapp@2x.png"]
        #expect(choose(files, scheme: "myapp", scale: 2) == "Default-myapp@2x.png")
        #expect(choose(files, scheme: "myapp") == "Default-myapp.png")
        // U-23: only a launch for the scheme shows them.
        #expect(choose(files, scheme: "other", scale: 2) == "Default@2x.png")
        #expect(choose(files) == "Default.png")
        #expect(choose([], scheme: "myapp") == nil)
    }

    @Test func `the launch for a URL is recorded with the picture of its scheme`() async throws {
        let fixture = try await LaunchFixture()
        let bundle = try fixture.bundle(resources: ["Default.png": "", "Default-myapp.png": ""])
        let app = try await fixture.service.install(path: bundle.path).app
        let next = try await LaunchFixture(continuing: fixture)
        _ = try await next.service.launch(exampleID, environment: ["BATON_LAUNCH_URL": "MyApp:x"])
        #expect(next.recorder.all("launched").first?.fields["launch_image"] == app.bundlePath + "/Default-myapp.png")
        #expect(next.service.launchImage(of: exampleID, for: nil)?.path == app.bundlePath + "/Default.png")
        try await next.service.quit(exampleID)
    }

    @Test("U-24: the base name is UILaunchImageFile, else Default; other modifiers follow or precede the scheme")
    func names() {
        let files = ["Start-myapp.png", "Default-myapp.png", "Start.png"]
        #expect(choose(files, basename: "Start", scheme: "myapp") == "Start-myapp.png")
        #expect(choose(files, scheme: "myapp") == "Default-myapp.png")
        for name in ["Default-myapp-Landscape.png", "Default-Landscape-myapp.png", "Default-568h-Landscape-myapp.png"] {
            #expect(choose(["Default-myapp.png", name], scheme: "myapp", .landscapeLeft) == name)
            #expect(choose(["Default-myapp.png", name], scheme: "myapp", .portrait) == "Default-myapp.png")
        }
        #expect(choose(["default-MyApp~ipad.PNG"], scheme: "myapp") == "default-MyApp~ipad.PNG")
        // A scheme may hold what separates modifiers.
        #expect(choose(["Default-my-app+x.y.png", "Default.png"], scheme: "my-app+x.y") == "Default-my-app+x.y.png")
    }

    @Test func `the more specific orientation wins, then the scale that is nearest from above`() {
        let files = [
            "Default.png", "Default-Portrait.png", "Default-PortraitUpsideDown.png", "Default-Landscape.png",
            "Default-LandscapeLeft@3x.png",
        ]
        #expect(choose(files, .portraitUpsideDown) == "Default-PortraitUpsideDown.png")
        #expect(choose(files, .portrait) == "Default-Portrait.png")
        #expect(choose(files, .landscapeRight) == "Default-Landscape.png")
        #expect(choose(files, .landscapeLeft) == "Default-LandscapeLeft@3x.png")
        #expect(choose(["Default@2x.png", "Default@3x.png", "Default.png"], scale: 2) == "Default@2x.png")
        #expect(choose(["Default@3x.png", "Default.png"], scale: 2) == "Default@3x.png")
        #expect(choose(["Default.png"], scale: 3) == "Default.png")
    }

    @Test func `UILaunchImages goes before UILaunchImageFile, even where none of its images fits`() {
        let images = [
            LaunchImageDeclarations.Image(name: "Wide", orientation: "Landscape"),
            LaunchImageDeclarations.Image(name: "High"),
        ]
        let files = ["Start.png", "High.png", "Wide.png", "Wide-myapp.png"]
        #expect(choose(files, basename: "Start", images: images) == "High.png")
        #expect(choose(files, basename: "Start", images: images, .landscapeLeft) == "Wide.png")
        #expect(choose(files, basename: "Start", images: images, scheme: "myapp", .landscape) == "Wide-myapp.png")
        #expect(choose(files, basename: "Start", images: []) == nil)
        #expect(choose(["Start.png"], basename: "Start", images: images) == nil)
    }

    @Test func `the choice does not depend on the order of the files, and is one of them`() {
        var generator = SeededGenerator(seed: 24)
        let modifiers = ["", "-568h", "-Landscape", "-Portrait", "-myapp", "@2x", "@3x", "~ipad", "~iphone"]
        for _ in 0..<500 {
            let files = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                "Default" + modifiers.shuffled(using: &generator).prefix(3).joined() + ".png"
            }
            let first = choose(files, scheme: "myapp", .landscapeLeft, scale: 2)
            #expect(choose(files.shuffled(using: &generator), scheme: "myapp", .landscapeLeft, scale: 2) == first)
            #expect(first.map(files.contains) ?? true)
        }
    }
}
