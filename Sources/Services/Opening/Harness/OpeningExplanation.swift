import BatonCore
package import BatonWire
import SwiftProtobuf

/// `baton explain url` and `explain file`: every rule that was tried, and the one that decided.
extension OpeningService {
    package func explain(url: String) -> Baton_Control_V1_Explanation {
        var (route, steps) = route(url, from: .person)
        if case .scheme(let app) = route, let scheme = URLScheme(ofURL: url) {
            if let name = apps.schemeName(of: app, scheme) {
                steps.append(OpeningStep("scheme_name", true, "\(app) calls these URLs “\(name)”."))
            }
            if let image = apps.launchImage(of: app, for: url) {
                steps.append(OpeningStep("launch_image", true, image))
            }
        }
        return Self.explanation(url.shortened(toBytes: 160), steps, outcome(of: route))
    }

    package func explain(file path: String) async -> Baton_Control_V1_Explanation {
        do {
            let (type, content) = try await type(ofFile: path)
            let looks = content.map { ", and its content looks like \($0)" } ?? ""
            var steps = [OpeningStep("type", true, "It is of the type \(type)\(looks).")]
            let choice = handlers(ofType: type)
            steps += choice.steps(claiming: "the type \(type)")
            let outcome = choice.candidates.first.map { "It opens in \($0.bundleID)." } ?? "The desktop opens it."
            return Self.explanation(path.shortened(toBytes: 160), steps, OpeningStep("route", true, outcome))
        } catch {
            let message = (error as? BatonError)?.message ?? "It cannot be read."
            return Self.explanation(path.shortened(toBytes: 160), [], OpeningStep("file", false, message))
        }
    }

    private func outcome(of route: URLRouter.Route) -> OpeningStep {
        switch route {
        case .scheme(let app): OpeningStep("route", true, "It opens in \(app).")
        case .universalLink(let app): OpeningStep("route", true, "It opens in \(app), as a universal link.")
        case .desktop: OpeningStep("route", true, "The desktop opens it.")
        case .nobody(let error): OpeningStep("route", false, error.message)
        }
    }

    private static func explanation(
        _ subject: String, _ steps: [OpeningStep], _ outcome: OpeningStep
    ) -> Baton_Control_V1_Explanation {
        .with {
            $0.subject = subject
            $0.healthy = outcome.isOK
            $0.stages = (steps + [outcome]).map {
                Baton_Link_V1_Stage($0.name, $0.isOK ? .ok : .failed, $0.finding, $0.advice)
            }
        }
    }
}
