import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A skeleton: the adapter between your engine and the suite. Protocol version 1.
 *
 * <p>As it stands it drives the toy engine in Toy.java, which knows tricks only. Put your engine in its
 * place at the marks FILL 1 to FILL 9; the rest can stay. FILL 1 to 5 are enough for level 1.
 */
public final class Adapter {
    // FILL 1: who answers, and what it can do. All of it must be the same after a restart.
    private static final Map<String, Object> HELLO = Kit.object(
        "adapter", Kit.object("name", "my-adapter", "version", "1"),
        "engine", Kit.object("name", "toy", "version", Toy.VERSION, "language", "Java"),
        "capabilities", Kit.object(
            "players", List.of(4),
            "legal_plays", true,
            "trick_winner", true,
            "starts", List.of(), // level 2: "contract"; level 3: "deal", "contract"
            "match", false, // level 5: true
            "claims", "none", // level 4: "called", or "automatic" if deals end by themselves
            "enforces", true, // false if the engine offers the right cards but takes any
            "reasons", false, // true if act below returns rule ids
            "configurable", false),
        "window", 8);

    private Adapter() {}

    // ------------------------------------------------------------------------ level 1: tricks

    // FILL 2: cards, suits and seats, as your engine has them.
    private static final String ENGINE_RANKS = "JQKTA";
    private static final List<String> SEATS = Kit.seats(4);

    /** "H" -> 0. Where no suit was named there is none. */
    private static int toSuit(Object word) {
        if (word == null) return -1;
        String suit = Kit.expectText(word, "trump");
        if (!Kit.isSuit(suit)) throw new IllegalArgumentException(suit + " is not a suit");
        return Kit.SUITS.indexOf(suit);
    }

    /** "TH" -> 3. */
    private static int toCard(Object word) {
        Kit.Card card = Kit.parseCard(word);
        return Kit.SUITS.indexOf(card.suit()) * Kit.RANKS.length() + ENGINE_RANKS.indexOf(card.rank());
    }

    private static List<Integer> toCards(Object words, String name) {
        List<Integer> cards = new ArrayList<>();
        for (Object word : Kit.expectList(words, name)) cards.add(toCard(word));
        return cards;
    }

    /** 3 -> "TH". */
    private static String toWord(int card) {
        int size = Kit.RANKS.length();
        return "" + ENGINE_RANKS.charAt(card % size) + Kit.SUITS.charAt(card / size);
    }

    /** "E" -> 1. */
    private static int toSeat(Object letter) {
        int seat = SEATS.indexOf(letter);
        if (seat < 0) throw new IllegalArgumentException(Kit.toJson(letter) + " is not a seat");
        return seat;
    }

    /** The cards of a trick, without the seats. */
    private static List<Integer> cardsOf(Object trick) {
        List<Integer> cards = new ArrayList<>();
        for (Object pair : Kit.expectList(trick, "trick")) cards.add(toCard(Kit.expectList(pair, "trick").get(1)));
        return cards;
    }

    // FILL 3: contracts, as your engine has them; Unsupported if it has no such contract.
    private static Toy.Contract toContract(Object name) {
        Toy.Contract contract = Toy.CONTRACTS.get(Kit.expectText(name, "contract"));
        if (contract == null) throw new Kit.Unsupported("the contract " + name);
        return contract;
    }

    // FILL 4: the cards of hand that seat may play.
    private static Object legalPlays(Map<String, Object> one) {
        List<Integer> hand = toCards(one.get("hand"), "hand");
        Toy.Contract contract = toContract(one.get("contract"));
        return Toy.playable(contract, toSuit(one.get("trump")), cardsOf(one.get("trick")), hand)
            .stream().map(Adapter::toWord).toList();
    }

    // FILL 5: the seat that wins the complete trick.
    private static Object trickWinner(Map<String, Object> one) {
        List<?> trick = Kit.expectList(one.get("trick"), "trick");
        int place = Toy.best(toContract(one.get("contract")), toSuit(one.get("trump")), cardsOf(trick));
        return Kit.expectList(trick.get(place), "trick").get(0);
    }

    // ------------------------------------------------------------------------ levels 2 to 5: deals

    /** For each deal a view before the first action and one after each. */
    private static Object replay(Map<String, Object> request) {
        List<Object> answers = new ArrayList<>();
        Toy.Deal before = null;
        for (Object one : Kit.expectList(request.get("deals"), "deals")) {
            Map<String, Object> record = Kit.expectObject(one, "deals");
            Toy.Deal deal = openDeal(record, before);
            List<Object> views = new ArrayList<>(List.of(view(deal)));
            for (Object pair : Kit.expectList(record.get("actions"), "actions")) {
                Object seat = Kit.expectList(pair, "actions").get(0);
                Kit.Action action = Kit.parseAction(Kit.expectList(pair, "actions").get(1));
                Object refused = action != null && SEATS.contains(seat) ? act(deal, toSeat(seat), action) : true;
                Map<String, Object> after = view(deal);
                if (refused != null) after.put("refused", refused);
                views.add(after);
            }
            answers.add(views);
            before = deal;
        }
        return answers;
    }

    // FILL 6: a deal from its record. Level 3 needs the start from the deal, where "contract" is absent.
    // Level 5 needs "scores"; where dealer and scores are absent, they follow from how the deal `before`
    // ended.
    private static Toy.Deal openDeal(Map<String, Object> record, Toy.Deal before) {
        Kit.checkHands(record.get("hands"), SEATS, 5);
        List<List<Integer>> hands = new ArrayList<>();
        Map<String, Object> dealt = Kit.expectObject(record.get("hands"), "hands");
        for (String seat : SEATS) hands.add(toCards(dealt.get(seat), "hands"));
        if (record.get("contract") == null) throw new Kit.Unsupported("no auction");
        if (record.get("dealer") == null) throw new Kit.Unsupported("no match");
        Map<String, Object> start = Kit.expectObject(record.get("contract"), "contract");
        Toy.Contract contract = toContract(start.get("name"));
        int declarer = toSeat(start.get("declarer"));
        return new Toy.Deal(contract, declarer, toSuit(start.get("trump")), toSeat(record.get("dealer")), hands);
    }

    // FILL 7: do an action, if the rules allow it. Level 2 needs marry and show; level 3 trump, turn-up,
    // redeal, bid, pass, kontra, rekontra and subkontra; level 4 enough.
    /** Null if it was done; true, or the id of the rule it breaks, if it was refused. */
    private static Object act(Toy.Deal deal, int seat, Kit.Action action) {
        if (action.verb().equals("play") && deal.play(seat, toCard(action.words().get(0)))) return null;
        return true; // what the engine does not know is refused
    }

    // FILL 8: what each seat may do now; null where the engine cannot tell. A seat with nothing to do is
    // left out; after the end all are.
    private static Map<String, Object> legal(Toy.Deal deal) {
        Map<String, Object> known = new LinkedHashMap<>();
        for (int seat = 0; seat < Toy.SEATS; seat++) {
            if (!deal.isSure(seat)) {
                known.put(SEATS.get(seat), null);
            } else if (seat == deal.turn) {
                known.put(SEATS.get(seat), deal.mayPlay().stream().map(card -> "play " + toWord(card)).toList());
            }
        }
        return known;
    }

    // FILL 9: the table as anybody sees it. Leave out what the engine does not know; null says "there is
    // none". Level 2 needs contract, points, tricks and outcome; level 5 scores, next_dealer and game;
    // phase, trump, bid and sees are welcome. Section 6 of the protocol describes each.
    private static Map<String, Object> view(Toy.Deal deal) {
        return Kit.object(
            "to_act", deal.turn == Toy.NOBODY ? null : SEATS.get(deal.turn),
            "legal", legal(deal),
            "trick", shown(deal.trick),
            "last_trick", deal.lastTrick.isEmpty() ? null : lastTrick(deal));
    }

    /** The trick before this one. */
    private static Map<String, Object> lastTrick(Toy.Deal deal) {
        String winner = SEATS.get(deal.lastWinner);
        return Kit.object("cards", shown(deal.lastTrick), "winner", winner, "points", deal.lastPoints);
    }

    /** Seats and cards in the letters of the protocol. */
    private static List<List<String>> shown(List<Toy.Play> trick) {
        return trick.stream().map(play -> List.of(SEATS.get(play.seat()), toWord(play.card()))).toList();
    }

    // ------------------------------------------------------------------------ start

    public static void main(String[] arguments) throws IOException {
        Kit.run(HELLO, Map.of(
            "legal_plays", request -> Kit.eachCase(request.get("cases"), Adapter::legalPlays),
            "trick_winner", request -> Kit.eachCase(request.get("cases"), Adapter::trickWinner),
            "replay", Adapter::replay));
    }
}
