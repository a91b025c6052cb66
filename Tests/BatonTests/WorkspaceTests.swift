import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// Other apps, as an app of AppKit's finds, starts and hands things to them (U-1).
@MainActor
@Suite(.timeLimit(.minutes(1))) struct WorkspaceTests {
    private static func app(
        _ identifier: String, process: Int32 = 0, inFront: Bool = false
    ) -> Baton_App_V1_WorkspaceApp {
        .with {
            $0.bundleID = identifier
            $0.name = "Editor"
            $0.bundlePath = "/apps/\(identifier).app"
            $0.executablePath = "/apps/\(identifier).app/Editor"
            $0.processID = process
            $0.inFront = inFront
        }
    }

    @Test("what was opened comes with the app that has it, or with one of which nothing is known")
    func opening() async throws {
        try await withApp { app in
            app.daemon.add(Self.app("com.example.editor", process: 12), opening: ["note:"])
            let url = try #require(URL(string: "note:1"))
            let running = try await NSWorkspace.shared.open(url, configuration: .init())
            #expect(running.bundleIdentifier == "com.example.editor" && running.localizedName == "Editor")
            #expect(running.processIdentifier == 12 && running.bundleURL?.path == "/apps/com.example.editor.app")
            let page = try #require(URL(string: "https://example.com"))
            let browser = try await NSWorkspace.shared.open(page, configuration: .init())
            #expect(browser.bundleIdentifier == nil && browser.processIdentifier == -1 && !browser.isTerminated)
            let missing = URL(fileURLWithPath: "/nonexistent.txt")
            let error = await #expect(throws: CocoaError.self) {
                try await NSWorkspace.shared.open(missing, configuration: .init())
            }
            #expect(error?.code == .fileReadUnknown)
            let second = NSWorkspace.OpenConfiguration()
            second.createsNewApplicationInstance = true
            let refused = await #expect(throws: CocoaError.self) {
                try await NSWorkspace.shared.open(url, configuration: second)
            }
            #expect(refused?.code == .featureUnsupported && app.daemon.opened == ["note:1", "https://example.com"])
        }
    }

    @Test("an app is found by its identifier, by a URL and by a type, and started by the bundle that was found")
    func finding() async throws {
        try await withApp { app in
            app.daemon.add(Self.app("com.example.editor"), opening: ["note:", "com.adobe.pdf"])
            let workspace = NSWorkspace.shared
            let bundle = try #require(workspace.urlForApplication(withBundleIdentifier: "com.example.editor"))
            #expect(bundle.path == "/apps/com.example.editor.app")
            #expect(workspace.urlForApplication(withBundleIdentifier: "com.example.other") == nil)
            #expect(workspace.urlForApplication(toOpen: try #require(URL(string: "note:1"))) == bundle)
            #expect(workspace.urlsForApplications(toOpen: URL(fileURLWithPath: "/a.pdf")) == [bundle])
            #expect(workspace.urlsForApplications(toOpen: UTType.pdf) == [bundle])
            #expect(workspace.urlForApplication(toOpen: UTType.png) == nil)
            // The bundle need not be readable: its identifier is remembered.
            let running = try await workspace.openApplication(at: bundle, configuration: .init())
            #expect(running.bundleIdentifier == "com.example.editor")
            #expect(app.daemon.opened == ["launch com.example.editor"])
            let unknown = URL(fileURLWithPath: "/apps/none.app", isDirectory: true)
            await #expect(throws: CocoaError.self) {
                try await workspace.openApplication(at: unknown, configuration: .init())
            }
            app.daemon.refuseNext(BatonError(.permissionDenied, reason: "app_of_another_team", "Another team's."))
            let denied = await #expect(throws: CocoaError.self) {
                try await workspace.openApplication(at: bundle, configuration: .init())
            }
            #expect(denied?.code == .fileReadNoPermission)
        }
    }

    @Test("running apps are this one and those that the daemon names; only this one is ended or brought to the front")
    func running() async throws {
        try await withApp { app in
            app.daemon.add(Self.app("com.example.editor", process: 1, inFront: true))
            app.daemon.add(Self.app("com.example.idle"))
            let workspace = NSWorkspace.shared
            let all = workspace.runningApplications
            #expect(all.map(\.bundleIdentifier) == ["com.example.App", "com.example.editor"])
            #expect(all.first == .current && all.last != .current)
            #expect(workspace.frontmostApplication?.bundleIdentifier == "com.example.editor")
            let editor = try #require(NSRunningApplication(processIdentifier: 1))
            #expect(editor == all.last && editor.isActive && !editor.terminate() && !editor.activate())
            #expect(NSRunningApplication(processIdentifier: 99) == nil)
            #expect(NSRunningApplication.runningApplications(withBundleIdentifier: "com.example.idle").isEmpty)
            #expect(
                NSRunningApplication.runningApplications(withBundleIdentifier: "com.example.App") == [.current])
        }
    }

    @Test(
        "files that exist are shown in the desktop's file manager, each as a URL of its own, and none for a confined app"
    )
    func fileManager() async throws {
        let directory = try TemporaryDirectory()
        let names = ["a, b.txt", "--c.txt"].map { URL(fileURLWithPath: directory.file($0)) }
        for url in names { try Data().write(to: url) }
        let missing = URL(fileURLWithPath: directory.file("none"))
        let page = try #require(URL(string: "https://example.com"))
        for isConfined in [false, true] {
            let bench = SharingBench(programs: ["busctl"], isConfined: isConfined)
            try await withApp(sharing: bench.tools) { _ in
                let workspace = NSWorkspace.shared
                #expect(!workspace.selectFile(missing.path, inFileViewerRootedAtPath: ""))
                workspace.activateFileViewerSelecting([missing, page])
                #expect(workspace.selectFile(names[0].path, inFileViewerRootedAtPath: "") == !isConfined)
                workspace.activateFileViewerSelecting(names + [missing])
                guard !isConfined else { return #expect(bench.runs.isEmpty) }
                while bench.runs.count < 2 { await Task.yield() }
                #expect(bench.runs.allSatisfy { $0.program == "/usr/bin/busctl" })
                let called = bench.runs.compactMap { run in
                    run.arguments.firstIndex(of: "ass").map { Array(run.arguments[$0...]) }
                }
                let urls = names.map(\.absoluteString)
                #expect(called.contains(["ass", "1", urls[0], ""]) && called.contains(["ass", "2"] + urls + [""]))
            }
        }
        #expect(NSWorkspace.shared.isFilePackage(atPath: names[0].path) == false)
    }
}
