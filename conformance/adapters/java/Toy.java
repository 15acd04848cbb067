import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * A toy engine, in the place of yours: the tricks of a deal, and nothing else of the game.
 *
 * <p>Like most engines it has its own idea of cards and seats. Cards are numbers from 0 to 19, suit * 5
 * + rank, with the suits hearts, diamonds, spades, clubs and the ranks jack, queen, king, ten, ace;
 * seats are numbers from 0 to 3, clockwise.
 */
final class Toy {
    static final String VERSION = "1.0";
    static final int SEATS = 4;
    static final int NOBODY = -1;
    /** Card points, by rank. */
    private static final int[] WORTH = {2, 3, 4, 10, 11};

    private Toy() {}

    /**
     * What this engine must know of a contract to play its tricks.
     *
     * @param trump whether the suit that was named is trump
     * @param tenHigh whether the ranks are ten, king, queen, jack, ace
     * @param wins whether the declarer must win every trick or none; null if they end nothing early
     */
    record Contract(boolean trump, boolean tenHigh, int tricks, Boolean wins) {}

    static final Map<String, Contract> CONTRACTS = Map.of(
        "normal", new Contract(true, false, 5, null),
        "bettler", new Contract(false, false, 5, false),
        "schnapser", new Contract(true, false, 3, true),
        "gang", new Contract(false, false, 5, true),
        "zehner-gang", new Contract(false, true, 5, true),
        "kontra-schnapser", new Contract(true, false, 3, true),
        "bauern-schnapser", new Contract(true, false, 5, true),
        "kontra-bauern-schnapser", new Contract(true, false, 5, true));

    /** Whether a card takes a trick from another one that led to it so far. */
    static boolean beats(Contract contract, int trump, int card, int other) {
        if (card / 5 != other / 5) return contract.trump && card / 5 == trump;
        return contract.tenHigh ? (card + 1) % 5 > (other + 1) % 5 : card > other;
    }

    /** The place in the trick of the card that wins it. */
    static int best(Contract contract, int trump, List<Integer> trick) {
        int place = 0;
        for (int number = 0; number < trick.size(); number++) {
            if (beats(contract, trump, trick.get(number), trick.get(place))) place = number;
        }
        return place;
    }

    /** The cards of a hand that may be played: follow suit, else ruff; beat what can be beaten. */
    static List<Integer> playable(Contract contract, int trump, List<Integer> trick, List<Integer> hand) {
        if (trick.isEmpty()) return hand;
        int led = trick.get(0) / 5;
        int winning = trick.get(best(contract, trump, trick));
        List<Integer> cards = chosen(hand, card -> card / 5 == led);
        if (cards.isEmpty() && contract.trump) cards = chosen(hand, card -> card / 5 == trump);
        if (cards.isEmpty()) cards = hand;
        List<Integer> better = chosen(cards, card -> beats(contract, trump, card, winning));
        return better.isEmpty() ? cards : better;
    }

    private static List<Integer> chosen(List<Integer> cards, IntPredicate wanted) {
        return cards.stream().filter(wanted::test).toList();
    }

    /** A seat and the card it played. */
    record Play(int seat, int card) {}

    /** A deal that is being played, from the first lead on. */
    static final class Deal {
        private final Contract contract;
        private final int declarer;
        private final int trump;
        private final List<List<Integer>> hands = new ArrayList<>();
        /** The cards on the table. */
        List<Play> trick = new ArrayList<>();
        List<Play> lastTrick = List.of();
        int lastWinner;
        int lastPoints;
        /** Of tricks that are complete. */
        private int number;
        /** NOBODY's after the end. */
        int turn;

        Deal(Contract contract, int declarer, int trump, int dealer, List<List<Integer>> hands) {
            this.contract = contract;
            this.declarer = declarer;
            this.trump = trump;
            for (List<Integer> hand : hands) this.hands.add(new ArrayList<>(hand));
            turn = contract.trump ? next(dealer) : declarer;
        }

        /** The cards that whoever is to act may play. */
        List<Integer> mayPlay() {
            return turn == NOBODY ? List.of() : playable(contract, trump, cardsOf(trick), hands.get(turn));
        }

        /** Whether this engine knows all that a seat may do: it knows no Kontra and no marriages. */
        boolean isSure(int seat) {
            if (!trick.isEmpty() || turn == NOBODY) return true;
            boolean kontra = number == 0 && seat % 2 != declarer % 2;
            List<Integer> hand = hands.get(seat);
            boolean pair = hand.stream().anyMatch(card -> card % 5 == 1 && hand.contains(card + 1));
            boolean marriage = seat == turn && pair && contract.trump;
            return !kontra && !marriage;
        }

        /** Play a card; false, and nothing happens, if that is not allowed. */
        boolean play(int seat, int card) {
            if (seat != turn || !mayPlay().contains(card)) return false;
            hands.get(seat).remove(Integer.valueOf(card));
            trick.add(new Play(seat, card));
            turn = next(seat);
            if (turn == trick.get(0).seat) endTrick();
            return true;
        }

        private void endTrick() {
            List<Integer> cards = cardsOf(trick);
            lastWinner = trick.get(best(contract, trump, cards)).seat;
            lastPoints = cards.stream().mapToInt(card -> WORTH[card % 5]).sum();
            lastTrick = trick;
            trick = new ArrayList<>();
            number++;
            boolean lost = contract.wins != null && contract.wins != (lastWinner == declarer);
            turn = lost || number == contract.tricks ? NOBODY : lastWinner;
        }

        /** The next seat clockwise; in Bettler the declarer's partner is passed over. */
        private int next(int seat) {
            int after = (seat + 1) % SEATS;
            boolean out = Boolean.FALSE.equals(contract.wins) && after == (declarer + 2) % SEATS;
            return out ? (after + 1) % SEATS : after;
        }

        private static List<Integer> cardsOf(List<Play> trick) {
            return trick.stream().map(Play::card).toList();
        }
    }
}
