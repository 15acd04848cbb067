import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Everything about an adapter that is not the game.
 *
 * <p>The loop over stdin and stdout, the handshake, the mapping of exceptions to replies, and the
 * notation of cards and actions; and, since Java has none, a small JSON reader and writer. Protocol
 * version 1.
 *
 * <p>Copy this file beside your engine, write one function per operation, and call {@code run}:
 *
 * <pre>
 * Kit.run(
 *     Kit.object("adapter", ..., "engine", ..., "capabilities", ..., "window", 8),
 *     Map.of("legal_plays", request -&gt; Kit.eachCase(request.get("cases"), MyAdapter::judge)));
 * </pre>
 *
 * <p>A function returns what goes into {@code ok}. It throws {@code Unsupported} for what the engine
 * has not; anything else that is thrown becomes an {@code error} reply with its traceback. JSON is
 * Map, List, String, Long (or Integer), Boolean and null. Needs Java 17.
 */
public final class Kit {
    public static final int PROTOCOL = 1;
    public static final int MAX_LINE = 1048576;
    private static final long MAX_INTEGER = 1L << 53;
    private static final int MAX_DEPTH = 64; // twice what the protocol allows
    public static final String SUITS = "HDSC";
    public static final String RANKS = "ATKQJ";

    private Kit() {}

    /** Names of the seats, clockwise, by the number of players. */
    public static List<String> seats(int players) {
        return players == 3 ? List.of("N", "E", "S") : List.of("N", "E", "S", "W");
    }

    /** Thrown for an operation, a start or a contract that the engine does not have. */
    public static final class Unsupported extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Unsupported(String what) {
            super(what);
        }
    }

    /** One function of the adapter: a request, or one case of it, in; what goes into ok out. */
    @FunctionalInterface
    public interface Operation {
        Object answer(Map<String, Object> request) throws Exception;
    }

    // ------------------------------------------------------------------------ JSON

    /** A JSON object: {@code object("name", "toy", "version", "1")}. */
    public static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int place = 0; place < keysAndValues.length; place += 2) {
            object.put((String) keysAndValues[place], keysAndValues[place + 1]);
        }
        return object;
    }

    /**
     * Reads one JSON text; whatever it is, it ends with a value or an IllegalArgumentException. The
     * protocol has no numbers but integers within +-2^53: any other number is kept as the text it
     * was written as, so that whoever expects an integer finds none.
     */
    static final class Reader {
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        static Object read(String text) {
            Reader reader = new Reader(text);
            Object value = reader.readValue(0);
            reader.skipSpace();
            if (reader.at < text.length()) throw reader.fault("the end");
            return value;
        }

        private IllegalArgumentException fault(String expected) {
            return new IllegalArgumentException("character " + (at + 1) + ": expected " + expected);
        }

        private char peek() {
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private void skipSpace() {
            while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') at++;
        }

        private boolean skip(char wanted) {
            skipSpace();
            boolean found = peek() == wanted;
            if (found) at++;
            return found;
        }

        private boolean skipWord(String word) {
            boolean found = text.startsWith(word, at);
            if (found) at += word.length();
            return found;
        }

        private Object readValue(int depth) {
            skipSpace();
            if (depth > MAX_DEPTH) throw fault("less nesting");
            if (skip('{')) return readObject(depth);
            if (skip('[')) return readList(depth);
            if (skip('"')) return readText();
            if (skipWord("true")) return true;
            if (skipWord("false")) return false;
            if (skipWord("null")) return null;
            return readNumber();
        }

        private Map<String, Object> readObject(int depth) {
            Map<String, Object> object = new LinkedHashMap<>();
            if (skip('}')) return object;
            do {
                if (!skip('"')) throw fault("a key");
                String key = readText();
                if (!skip(':')) throw fault("a colon");
                object.put(key, readValue(depth + 1)); // the last one of a repeated key counts
            } while (skip(','));
            if (!skip('}')) throw fault("a comma or }");
            return object;
        }

        private List<Object> readList(int depth) {
            List<Object> list = new ArrayList<>();
            if (skip(']')) return list;
            do {
                list.add(readValue(depth + 1));
            } while (skip(','));
            if (!skip(']')) throw fault("a comma or ]");
            return list;
        }

        private String readText() {
            StringBuilder read = new StringBuilder();
            while (at < text.length()) {
                char letter = text.charAt(at++);
                if (letter == '"') return read.toString();
                if (letter < ' ') throw fault("no control characters in a string");
                read.append(letter == '\\' ? readEscape() : letter);
            }
            throw fault("the end of a string");
        }

        private char readEscape() {
            char letter = peek();
            at++;
            int place = "\"\\/bfnrt".indexOf(letter);
            if (place >= 0) return "\"\\/\b\f\n\r\t".charAt(place);
            if (letter != 'u') throw fault("an escape");
            int unit = 0;
            for (int end = at + 4; at < end; at++) {
                int digit = peek() < 128 ? Character.digit(peek(), 16) : -1;
                if (digit < 0) throw fault("four hexadecimal digits");
                unit = unit * 16 + digit;
            }
            return (char) unit;
        }

        private Object readNumber() {
            int begin = at;
            boolean integer = true;
            skipWord("-");
            if (!skipWord("0")) skipDigits("a value");
            if (skipWord(".")) {
                skipDigits("digits");
                integer = false;
            }
            if (skipWord("e") || skipWord("E")) {
                if (!skipWord("+")) skipWord("-");
                skipDigits("digits");
                integer = false;
            }
            String number = text.substring(begin, at);
            // Seventeen characters hold every integer within the limit, and fit a long.
            if (!integer || number.length() > 17) return number;
            long value = Long.parseLong(number);
            return Math.abs(value) <= MAX_INTEGER ? (Object) value : number;
        }

        private void skipDigits(String expected) {
            if (peek() < '0' || peek() > '9') throw fault(expected);
            while (peek() >= '0' && peek() <= '9') at++;
        }
    }

    /** One line of JSON; IllegalArgumentException for what is none. */
    public static String toJson(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
            out.append(value);
        } else if (value instanceof CharSequence || value instanceof Character) {
            writeText(out, value.toString());
        } else if (value instanceof Iterable<?> list) {
            String between = "";
            out.append('[');
            for (Object one : list) {
                out.append(between);
                write(out, one);
                between = ",";
            }
            out.append(']');
        } else if (value instanceof Map<?, ?> object) {
            String between = "";
            out.append('{');
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                out.append(between);
                writeText(out, (String) entry.getKey());
                out.append(':');
                write(out, entry.getValue());
                between = ",";
            }
            out.append('}');
        } else {
            throw new IllegalArgumentException("no JSON: " + value.getClass().getName());
        }
    }

    private static void writeText(StringBuilder out, String text) {
        out.append('"');
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                out.append('\\').append(letter);
            } else if (letter < ' ') {
                out.append(String.format("\\u%04x", (int) letter));
            } else {
                out.append(letter);
            }
        }
        out.append('"');
    }

    // ------------------------------------------------------------------------ notation

    /** A card in two letters: TH is the ten of hearts. */
    public record Card(char rank, char suit) {}

    /** A verb and the words after it. */
    public record Action(String verb, List<String> words) {}

    public static boolean isSuit(String word) {
        return word.length() == 1 && SUITS.contains(word);
    }

    public static boolean isCard(String word) {
        return word.length() == 2 && RANKS.indexOf(word.charAt(0)) >= 0 && SUITS.indexOf(word.charAt(1)) >= 0;
    }

    /** "TH" -> rank T, suit H; IllegalArgumentException for anything else. */
    public static Card parseCard(Object value) {
        if (value instanceof String word && isCard(word)) return new Card(word.charAt(0), word.charAt(1));
        throw new IllegalArgumentException(
            toJson(value) + " is not a card, expected rank and suit as in \"TH\"");
    }

    private static boolean isContract(String word) {
        return word.matches("[a-z][a-z0-9]*([-_][a-z0-9]+)*");
    }

    private static boolean isPlace(String word) {
        return List.of("1", "2", "3").contains(word);
    }

    private static final Map<String, List<Predicate<String>>> VERBS = Map.ofEntries(
        Map.entry("trump", List.of(Kit::isSuit)), Map.entry("turn-up", List.of(Kit::isPlace)),
        Map.entry("redeal", List.of()), Map.entry("bid", List.of(Kit::isContract)),
        Map.entry("bid-without-talon", List.of(Kit::isContract)),
        Map.entry("pass", List.of()), Map.entry("kontra", List.of()),
        Map.entry("rekontra", List.of()), Map.entry("subkontra", List.of()),
        Map.entry("play", List.of(Kit::isCard)), Map.entry("marry", List.of(Kit::isCard)),
        Map.entry("enough", List.of()), Map.entry("show", List.of()),
        Map.entry("talon", List.of()), Map.entry("keep", List.of()),
        Map.entry("discard", List.of(Kit::isCard, Kit::isCard)),
        Map.entry("raise", List.of(Kit::isContract)));

    /** "play KH" -> verb play, words KH; null for what is no action at all. */
    public static Action parseAction(Object value) {
        if (!(value instanceof String text)) return null;
        List<String> parts = Arrays.asList(text.split(" ", -1));
        List<String> words = parts.subList(1, parts.size());
        List<Predicate<String>> takes = VERBS.get(parts.get(0));
        if (takes == null || takes.size() != words.size()) return null;
        for (int place = 0; place < words.size(); place++) {
            if (!takes.get(place).test(words.get(place))) return null;
        }
        return new Action(parts.get(0), words);
    }

    /** The text itself if it is one; otherwise an exception that names it. */
    public static String expectText(Object value, String name) {
        if (value instanceof String text) return text;
        throw new IllegalArgumentException(name + ": expected a text");
    }

    /** The list itself if it is one; otherwise an exception that names it. */
    public static List<?> expectList(Object value, String name) {
        if (value instanceof List<?> list) return list;
        throw new IllegalArgumentException(name + ": expected a list");
    }

    /** The object itself if it is one; otherwise an exception that names it. */
    @SuppressWarnings("unchecked") // the keys of a JSON object are texts
    public static Map<String, Object> expectObject(Object value, String name) {
        if (value instanceof Map<?, ?> object) return (Map<String, Object>) object;
        throw new IllegalArgumentException(name + ": expected an object");
    }

    /** Check a deal's hands: every seat, the same number of cards each, no card twice. */
    public static void checkHands(Object hands, List<String> seats, int size) {
        Set<Object> seen = new HashSet<>();
        for (String seat : seats) {
            if (!(hands instanceof Map<?, ?> all) || !(all.get(seat) instanceof List<?> hand) || hand.size() != size) {
                throw new IllegalArgumentException("hands." + seat + ": expected " + size + " cards");
            }
            for (Object card : hand) {
                parseCard(card);
                if (!seen.add(card)) {
                    throw new IllegalArgumentException("hands: the card " + card + " is there twice");
                }
            }
        }
    }

    // ------------------------------------------------------------------------ requests and replies

    /** What run was given, and the longest line that the runner takes. */
    static final class Adapter {
        final Map<String, Object> hello;
        final Map<String, Operation> operations;
        long maxLine = MAX_LINE;

        Adapter(Map<String, Object> hello, Map<String, Operation> operations) {
            this.hello = hello;
            this.operations = operations;
        }
    }

    /**
     * The reply line to one request line, or null where none is due: a line that is not an object
     * with a positive integer as id is left unanswered.
     */
    static byte[] answer(byte[] line, Adapter adapter) {
        Map<String, Object> request = parseRequest(line);
        if (request == null) return null;
        if ("hello".equals(request.get("op")) && request.get("limits") instanceof Map<?, ?> limits
            && limits.get("max_line") instanceof Long limit && limit > 0) {
            adapter.maxLine = limit;
        }
        Object id = request.get("id");
        byte[] reply = encode(id, outcomeOf(request, adapter));
        if (reply.length < adapter.maxLine) return reply;
        String message = "the reply would be longer than the limit of " + adapter.maxLine + " bytes";
        return encode(id, object("error", object("message", message)));
    }

    private static Map<String, Object> parseRequest(byte[] line) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
            Map<String, Object> request = expectObject(Reader.read(text), "request");
            return request.get("id") instanceof Long id && id > 0 ? request : null;
        } catch (CharacterCodingException | IllegalArgumentException problem) {
            return null;
        }
    }

    /** Half of a surrogate pair, echoed from the request, cannot be written: "?" stands for it. */
    private static byte[] encode(Object id, Map<String, Object> outcome) {
        Map<String, Object> reply = object("id", id);
        reply.putAll(outcome);
        try {
            return toJson(reply).getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException problem) { // what the operation answered is no JSON
            return toJson(object("id", id, "error", object("message", problem.getMessage())))
                .getBytes(StandardCharsets.UTF_8);
        }
    }

    private static Map<String, Object> outcomeOf(Map<String, Object> request, Adapter adapter) {
        return attempt(() -> {
            Object op = request.get("op");
            if ("hello".equals(op)) return greet(request, adapter.hello);
            Operation operation = op instanceof String name ? adapter.operations.get(name) : null;
            if (operation == null) {
                String name = toJson(op);
                throw new Unsupported("no operation " + name.substring(0, Math.min(name.length(), 60)));
            }
            return operation.answer(request);
        });
    }

    private static Object greet(Map<String, Object> request, Map<String, Object> hello) {
        if (request.get("protocol") instanceof Map<?, ?> versions
            && versions.get("min") instanceof Long low && versions.get("max") instanceof Long high
            && low <= PROTOCOL && PROTOCOL <= high) {
            Map<String, Object> reply = object("protocol", PROTOCOL);
            reply.putAll(hello);
            return reply;
        }
        throw new IllegalArgumentException("no common protocol version: this adapter speaks " + PROTOCOL);
    }

    @FunctionalInterface
    private interface Work {
        Object result() throws Exception;
    }

    /** Run a function; its result, or what it throws, in the form of a reply. */
    private static Map<String, Object> attempt(Work work) {
        try {
            return object("ok", work.result());
        } catch (Unsupported what) {
            return object("unsupported", what.getMessage());
        } catch (Throwable problem) { // an endless recursion in the engine is told too, not died of
            boolean plain = problem.getClass() == IllegalArgumentException.class;
            String message = plain && problem.getMessage() != null ? problem.getMessage() : problem.toString();
            StringWriter traceback = new StringWriter();
            problem.printStackTrace(new PrintWriter(traceback));
            return object("error", object("message", message, "traceback", traceback.toString()));
        }
    }

    /** Answer a list of cases one by one: a case that fails spoils only its own element. */
    public static List<Object> eachCase(Object cases, Operation judge) {
        List<Object> answers = new ArrayList<>();
        for (Object one : expectList(cases, "cases")) {
            Map<String, Object> outcome = attempt(() -> judge.answer(expectObject(one, "case")));
            answers.add(outcome.containsKey("ok") ? outcome.get("ok") : outcome);
        }
        return answers;
    }

    // ------------------------------------------------------------------------ the loop

    /** Read requests until the input ends, one per line, and write the replies at once. */
    public static void run(Map<String, Object> hello, Map<String, Operation> operations) throws IOException {
        OutputStream replies = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // what the engine prints must not get between the replies
        Adapter adapter = new Adapter(hello, operations);
        InputStream requests = new BufferedInputStream(new java.io.FileInputStream(FileDescriptor.in), 1 << 16);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean whole = true;
        for (int next = requests.read(); next >= 0; next = requests.read()) {
            if (next != '\n') {
                // What is longer than a line may be is not kept: no such request is ever due a reply.
                whole = whole && line.size() < adapter.maxLine;
                if (whole) line.write(next);
                continue;
            }
            byte[] reply = whole ? answer(line.toByteArray(), adapter) : null;
            line.reset();
            whole = true;
            if (reply == null) continue;
            byte[] ended = Arrays.copyOf(reply, reply.length + 1);
            ended[reply.length] = '\n';
            try {
                replies.write(ended);
            } catch (IOException nobodyReadsAnyMore) {
                return;
            }
        }
    }
}
