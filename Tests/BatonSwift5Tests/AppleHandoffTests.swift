// Code as apps and tutorials for Apple's systems have it, in the language mode of Swift 5. It is compiled, and hardly run.
import Baton
import Testing

struct Recipe: Codable, Hashable, Identifiable {
    var id = UUID()
    var title: String
    var steps: [String]
    var currentStep: Int
}

@MainActor
final class RecipeStore {
    static let shared = RecipeStore()
    private(set) var recipes: [Recipe.ID: Recipe] = [:]
    func recipe(for id: Recipe.ID) -> Recipe? { recipes[id] }
    func insert(_ recipe: Recipe) { recipes[recipe.id] = recipe }
}

extension NSUserActivity {
    static let viewRecipe = "com.example.kitchen.view-recipe"
    convenience init(recipe: Recipe) throws {
        self.init(activityType: NSUserActivity.viewRecipe)
        title = recipe.title
        try setTypedPayload(recipe)
        isEligibleForHandoff = true
        isEligibleForSearch = true
        isEligibleForPrediction = true
        isEligibleForPublicIndexing = false
        keywords = Set(recipe.steps.flatMap { $0.split(separator: " ").map(String.init) })
        targetContentIdentifier = recipe.id.uuidString
        persistentIdentifier = recipe.id.uuidString
        webpageURL = URL(string: "https://kitchen.example.com/recipes/\(recipe.id.uuidString)")
        referrerURL = URL(string: "https://kitchen.example.com")
        expirationDate = Calendar.current.date(byAdding: .day, value: 7, to: Date())
        requiredUserInfoKeys = ["recipe"]
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.contentDescription = recipe.steps.joined(separator: "\n")
        attributes.thumbnailURL = Bundle.main.url(forResource: "recipe", withExtension: "png")
        attributes.relatedUniqueIdentifier = recipe.id.uuidString
        contentAttributeSet = attributes
    }
}

class RecipeViewController: UIViewController {
    var recipe: Recipe {
        didSet {
            userActivity?.needsSave = true
        }
    }

    init(recipe: Recipe) {
        self.recipe = recipe
        super.init(nibName: nil, bundle: nil)
    }
    required init() { fatalError("use init(recipe:)") }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = recipe.title
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        let activity = (try? NSUserActivity(recipe: recipe)) ?? NSUserActivity(activityType: NSUserActivity.viewRecipe)
        activity.delegate = self
        userActivity = activity
        userActivity?.becomeCurrent()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        userActivity?.resignCurrent()
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["step": recipe.currentStep])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        guard activity.activityType == NSUserActivity.viewRecipe,
            let restored = try? activity.typedPayload(Recipe.self)
        else { return }
        recipe = restored
    }
}

extension RecipeViewController: NSUserActivityDelegate {
    nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {
        DispatchQueue.main.async {
            self.dismiss(animated: true)
        }
    }
}

class DetailSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UIViewController()
        self.window = window
        window.makeKeyAndVisible()

        if let userActivity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
            if !configure(window: window, with: userActivity) {
                print("Failed to restore from \(userActivity)")
            }
        }
        for context in connectionOptions.urlContexts {
            handle(context)
        }
        if let type = connectionOptions.handoffUserActivityType { print("waiting for", type) }
        scene.activationConditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
        scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(
            format: "self == %@", "detail")
        scene.title = "Detail"
        scene.subtitle = "Second"
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        URLContexts.forEach(handle)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        _ = configure(window: window, with: userActivity)
    }

    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: Error) {
        print(userActivityType, error)
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { scene.userActivity }

    func sceneDidDisconnect(_ scene: UIScene) {
        for session in UIApplication.shared.openSessions where session.role == .windowApplication {
            print(session.persistentIdentifier)
        }
    }

    private func handle(_ context: UIOpenURLContext) {
        let access = context.options.openInPlace && context.url.startAccessingSecurityScopedResource()
        defer { if access { context.url.stopAccessingSecurityScopedResource() } }
        print(context.options.sourceApplication ?? "unknown", context.options.annotation ?? "none", context.url)
    }

    private func configure(window: UIWindow?, with activity: NSUserActivity) -> Bool {
        window?.windowScene?.userActivity = activity
        return window?.rootViewController != nil
    }
}

@MainActor
func openDetail(_ identifier: String, from presenting: UIViewController) {
    let activity = NSUserActivity(activityType: "com.example.detail")
    activity.targetContentIdentifier = identifier
    let options = UIScene.ActivationRequestOptions()
    options.requestingScene = presenting.presentingViewController.flatMap { _ in
        UIApplication.shared.connectedScenes.first
    }
    UIApplication.shared.requestSceneSessionActivation(nil, userActivity: activity, options: options) { error in
        print(error.localizedDescription)
    }
    let session = UIApplication.shared.connectedScenes.first?.session
    if let session {
        UIApplication.shared.requestSceneSessionDestruction(session, options: nil, errorHandler: nil)
    }
    let request = UISceneSessionActivationRequest(role: .windowApplication, userActivity: activity, options: options)
    UIApplication.shared.activateSceneSession(for: request) { error in print(error) }
    if let scene = UIApplication.shared.connectedScenes.compactMap({ $0 as? UIWindowScene }).first(where: {
        $0.activationState == .foregroundActive
    }) {
        print(scene.windows.count, scene.keyWindow as Any)
    }
}

@Suite struct AppleHandoffTests {
    @Test("a value travels as a typed payload, and a controller restores it (H-72)")
    @MainActor
    func payload() throws {
        let recipe = Recipe(title: "Dumplings", steps: ["Fold", "Steam"], currentStep: 1)
        let activity = try NSUserActivity(recipe: recipe)
        #expect(activity.title == "Dumplings" && activity.targetContentIdentifier == recipe.id.uuidString)
        let controller = RecipeViewController(recipe: Recipe(title: "", steps: [], currentStep: 0))
        controller.restoreUserActivityState(activity)
        #expect(controller.recipe == recipe)
    }
}
