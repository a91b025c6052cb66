/// Words that say nothing of what a text is about. They are in the index, and left out of queries, unless a query has no
/// other.
package enum StopWords {
    /// - Parameter word: folded, not stemmed.
    package static func contains(_ word: String, in language: TextLanguage) -> Bool {
        tables[language.code]?.contains(word) ?? false
    }

    /// How many of some folded words each language has.
    static func counts(_ words: [String]) -> [String: Int] {
        tables.mapValues { table in words.count(where: table.contains) }
    }

    private static let tables: [String: Set<String>] = lists.mapValues {
        Set($0.split(separator: " ").map(String.init))
    }

    private static let lists = [
        "de": """
        aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei bin bis bist \
        da damit dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser \
        dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer fur hab habe \
        haben hat hatte hier hin hinter ich ihm ihn ihnen ihr ihre im in ins ist jede jeder jedes kann kein \
        keine konnen man mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine \
        sich sie sind so soll uber um und uns unser unter vom von vor war waren warum was weil wenn wer \
        werde werden wie wieder wir wird wo zu zum zur
        """,
        "en": """
        a about above after again against all also am an and any are as at be because been before being \
        below between both but by can could did do does doing down during each few for from further had has \
        have having he her here hers herself him himself his how i if in into is it its itself just let may \
        me might more most must my myself no nor not now of off on once only or other our ours ourselves out \
        over own same shall she should so some such than that the their theirs them themselves then there \
        these they this those through to too under until up upon us very was we were what when where which \
        while who whom whose why will with would you your yours yourself yourselves
        """,
        "es": """
        a al algo como con cual cuando de del desde donde el ella ellas ellos en entre era es esa ese eso \
        esta este esto estos ha han hasta hay la las le les lo los mas me mi mis muy ni no nos o os otra \
        otro para pero por porque que quien se ser si sin sobre son su sus tambien te tu tus un una uno y ya \
        yo
        """,
        "fr": """
        ai as au aux avec ce ces cet cette comme dans de des du elle elles en est et eu il ils je la le les \
        leur leurs lui ma mais me meme mes moi mon ne nos notre nous on ont ou par pas pour qu que qui sa \
        sans se ses si son sont sur ta te tes toi ton tu un une vos votre vous
        """,
        "it": """
        a ad agli ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di dove e \
        ed era gli ha ho i il in io la le lei li lo loro lui ma mi mia mio ne nei nel nella noi non o per \
        piu quale quando quella quello questa questo se sei si sono su sua sul sulla suo ti tra tu tua tuo \
        un una uno vi voi
        """,
        "nl": """
        aan al als bij dan dat de der deze die dit door een en er ge geen had heb heeft hem het hij hoe hun \
        ik in is je kan maar me met mij mijn na naar niet nog nu of om ook op over te tot uit van veel voor \
        was wat we wel wij word wordt ze zich zij zijn zo zou
        """,
        "pt": """
        a ao aos as ate com como da das de dela dele do dos e ela ele em entre era essa esse esta este eu \
        foi ha isso isto ja lhe mais mas me meu minha muito na nao nas nem no nos o os ou para pela pelo por \
        qual quando que quem sao se sem ser seu so sua tambem te tem um uma voce
        """,
        "ru": """
        а без бы был была были было быть в вам вас весь во все вы где да для до его ее если есть еще же за и \
        из или им их к как когда которая которые которыи кто ли мне мои моя мы на над наш не него нее нет ни \
        но о об он она они оно от по под при про с свои со так также там то того тоже тот ты у уже чего чем \
        что чтобы эта эти это этои этом этот я
        """,
        "sv": """
        alla ar att av blev bli dar de dem den denna det detta dig din du efter ej eller en er ett for fran \
        han har hon hur i icke inte jag kan man med men mig min mot nar nu och om oss pa sa sig sin som till \
        under upp ut vad var vi vid
        """,
        "tr": """
        acaba ama ancak bana bazi belki ben bende benden beni benim bir biri birkac biz bize bizi bizim bu \
        buna bunda bundan bunlar bunu bunun cok cunku da daha de degil diye en gibi hangi hem hep her icin \
        idi ile ise kadar ki kim mi mu nasil ne neden nerede niye o olan olarak oldu oldugu ona ondan onlar \
        onu onun sana seni senin siz size sizi sizin uzere var ve veya ya yani
        """,
    ]
}
