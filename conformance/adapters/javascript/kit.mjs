/**
 * Everything about an adapter that is not the game: the loop over stdin and stdout, the handshake,
 * the mapping of exceptions to replies, and the notation of cards and actions. Protocol version 1.
 *
 * Copy this file beside your engine, write one function per operation, and call `run`:
 *
 *   run({
 *     hello: {adapter: {name, version}, engine: {...}, capabilities: {...}, window: 8},
 *     operations: {legal_plays: ({cases}) => cases.map(...), replay: ({deals}) => ...},
 *   });
 *
 * A function returns what goes into `ok`. It throws `Unsupported` for what the engine has not;
 * anything else that is thrown becomes an `error` reply with its traceback.
 */

export const PROTOCOL = 1;
const MAX_LINE = 1048576;
const LEAST_LINE = 256; // room for an error reply
export const SUITS = ["H", "D", "S", "C"];
export const RANKS = ["A", "T", "K", "Q", "J"];
/** Names of the seats, clockwise, by the number of players. */
export const SEATS = { 3: ["N", "E", "S"], 4: ["N", "E", "S", "W"] };

/** Thrown for an operation, a start or a contract that the engine does not have. */
export class Unsupported extends Error {}

// ---------------------------------------------------------------------------- notation

export const isSuit = (word) => SUITS.includes(word);
export const isCard = (word) =>
  typeof word === "string" && word.length === 2 && RANKS.includes(word[0]) && isSuit(word[1]);

/** "TH" -> {rank: "T", suit: "H"}. */
export function parseCard(word) {
  if (!isCard(word)) throw new Error(`${JSON.stringify(word)} is not a card, expected rank and suit as in "TH"`);
  return { rank: word[0], suit: word[1] };
}

const isContract = (word) => /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(word);
const VERBS = {
  trump: [isSuit], "turn-up": [(word) => ["1", "2", "3"].includes(word)], redeal: [],
  bid: [isContract], "bid-without-talon": [isContract], pass: [], kontra: [], rekontra: [], subkontra: [],
  play: [isCard], marry: [isCard], enough: [], show: [],
  talon: [], keep: [], discard: [isCard, isCard], raise: [isContract],
};

/** "play KH" -> {verb: "play", words: ["KH"]}; null for what is no action at all. */
export function parseAction(text) {
  const [verb, ...words] = typeof text === "string" ? text.split(" ") : [];
  const expected = Object.hasOwn(VERBS, verb) ? VERBS[verb] : null;
  const fits = expected?.length === words.length && expected.every((takes, index) => takes(words[index]));
  return fits ? { verb, words } : null;
}

/** The value itself if it is a list; otherwise an error that names it. */
export function expectList(value, name) {
  if (!Array.isArray(value)) throw new Error(`${name}: expected a list`);
  return value;
}

/**
 * Check a deal's hands: every seat, the same number of cards each, no card twice; and the talon, where
 * cards are laid aside.
 */
export function checkHands(hands, seats, size, talon = [], aside = 0) {
  const cards = [...seats.map((seat) => [`hands.${seat}`, hands?.[seat], size]), ["talon", talon, aside]].flatMap(
    ([name, pack, expected]) => {
      if (!Array.isArray(pack) || pack.length !== expected) throw new Error(`${name}: expected ${expected} cards`);
      pack.forEach(parseCard);
      return pack;
    },
  );
  const twice = cards.find((card, index) => cards.indexOf(card) !== index);
  if (twice) throw new Error(`hands: the card ${twice} is there twice`);
}

// ---------------------------------------------------------------------------- requests and replies

/**
 * The reply line to one request line, or null where none is due: a line that is not an object with
 * a positive integer as `id` is left unanswered.
 */
export function answer(line, adapter, limits = { max_line: MAX_LINE }) {
  const request = parseRequest(line);
  if (!request) return null;
  if (request.op === "hello") limits.max_line = lineLimit(request.limits?.max_line);
  const reply = JSON.stringify({ id: request.id, ...outcomeOf(request, adapter) }, wholeCharacters);
  if (reply.length * 3 < limits.max_line || new TextEncoder().encode(reply).length < limits.max_line) return reply;
  const message = `the reply would be longer than the limit of ${limits.max_line} bytes`;
  return JSON.stringify({ id: request.id, error: { message } });
}

/** Half a surrogate pair is no character, and JSON.stringify would send it as if it were one. */
function wholeCharacters(key, value) {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** The limit that `hello` names, where it is one that can be kept. */
function lineLimit(wanted) {
  return Number.isSafeInteger(wanted) && wanted >= LEAST_LINE ? wanted : MAX_LINE;
}

function parseRequest(line) {
  try {
    const request = JSON.parse(line);
    return Number.isSafeInteger(request?.id) && request.id > 0 ? request : null;
  } catch {
    return null;
  }
}

function outcomeOf(request, { hello, operations }) {
  return attempt(() => {
    if (request.op === "hello") return greet(request, hello);
    if (!Object.hasOwn(operations, request.op)) throw new Unsupported(`no operation ${JSON.stringify(request.op)}`);
    return operations[request.op](request);
  });
}

function greet({ protocol }, hello) {
  const { min, max } = protocol ?? {};
  if (!(Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= PROTOCOL && PROTOCOL <= max)) {
    throw new Error(`no common protocol version: this adapter speaks ${PROTOCOL}`);
  }
  return { protocol: PROTOCOL, ...hello };
}

/** Run a function; its result, or what it throws, in the form of a reply. */
function attempt(work) {
  try {
    const ok = work();
    if (typeof ok?.then === "function") throw new Error("an operation may not be async: it returned a promise");
    return { ok };
  } catch (problem) {
    return complaint(problem);
  }
}

function complaint(problem) {
  if (problem instanceof Unsupported) return { unsupported: problem.message };
  return { error: { message: String(problem?.message ?? problem), traceback: String(problem?.stack ?? "") } };
}

/** Answer a list of cases one by one: a case that fails spoils only its own element. */
export function eachCase(cases, judge) {
  return expectList(cases, "cases").map((one) => {
    const { ok, ...trouble } = attempt(() => judge(one));
    return ok === undefined ? trouble : ok;
  });
}

// ---------------------------------------------------------------------------- the loop (Node only)

/**
 * Read requests until the input ends, one per line, and write the replies at once. A line that is
 * longer than allowed, or is not UTF-8, is dropped as a whole: it is not due a reply.
 */
export async function run(adapter, { input = process.stdin, output = process.stdout } = {}) {
  output.on("error", () => process.exit()); // nobody reads any more
  const limits = { max_line: MAX_LINE };
  const parts = []; // of the line that has begun
  let length = 0;
  const end = (bytes) => {
    const whole = length + bytes.length <= limits.max_line ? Buffer.concat([...parts, bytes]) : null;
    parts.length = length = 0;
    return whole && decode(whole);
  };
  for await (const chunk of input) {
    const replies = [];
    let start = 0;
    for (let stop = chunk.indexOf(10); stop >= 0; stop = chunk.indexOf(10, start)) {
      const line = end(chunk.subarray(start, stop));
      const reply = line && answer(line, adapter, limits);
      if (reply) replies.push(reply);
      start = stop + 1;
    }
    length += chunk.length - start;
    if (length <= limits.max_line) parts.push(chunk.subarray(start));
    else parts.length = 0;
    if (replies.length) await write(output, `${replies.join("\n")}\n`);
  }
}

/** The text of a line, or null where its bytes are not UTF-8. */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Wait for the reader where the pipe is full, instead of piling up replies in memory. */
function write(output, text) {
  return new Promise((resolve) => output.write(text, resolve));
}
