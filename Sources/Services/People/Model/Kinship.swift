/// A word that says how two people are related, as “wife” and “Mama” do, in the languages of requests.
struct Kinship {
    /// The labels of a card's relations that mean the same, folded.
    let labels: Set<String>

    /// - Parameter word: folded.
    init?(_ word: String) {
        guard let kin = Self.all.first(where: { $0.words.contains(word) }) else { return nil }
        labels = kin.words.union(kin.labels)
    }

    private static let all: [(words: Set<String>, labels: Set<String>)] = [
        (["mother", "mom", "mum", "mam", "mama", "mommy", "mummy", "mutter", "mutti", "annem"], []),
        (["father", "dad", "daddy", "papa", "vater", "vati", "baba", "babam"], []),
        (["wife", "frau", "ehefrau", "hanimim"], ["spouse", "partner"]),
        (["husband", "mann", "ehemann", "kocam"], ["spouse", "partner"]),
        (["spouse", "partner", "esim"], ["wife", "husband"]),
        (["brother", "bro", "bruder", "abim"], ["sibling"]),
        (["sister", "sis", "schwester", "ablam"], ["sibling"]),
        (["sibling", "kardesim"], ["brother", "sister"]),
        (["son", "sohn", "oglum"], ["child"]),
        (["daughter", "tochter", "kizim"], ["child"]),
        (["grandmother", "grandma", "granny", "gran", "nana", "oma", "grossmutter", "buyukannem"], []),
        (["grandfather", "grandpa", "grandad", "opa", "grossvater", "dedem"], []),
        (["boss", "manager", "chef", "mudurum"], []),
        (["assistant", "assistent", "assistentin", "asistanim"], []),
    ]
}
