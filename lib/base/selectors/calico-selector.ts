export type Labels = Readonly<Record<string, string>>;

/**
 * Calico's selectors (libcalico-go/lib/selector/parser, read 2026-11-23): `!` binds tighter than `&&`, and that tighter than `||`. An absent label is unequal to
 * every value and in no set. An empty selector matches everything.
 */

/** Limits, because a policy's author decides the length and depth of its selector. */
const bounds = { characters: 4096, depth: 64 };

const blank = /[ \t]*/y;
const word = /[a-zA-Z0-9_./-]+/y;
const quoted = /"[^"]*"|'[^']*'/y;
const symbol = /&&|\|\||==|!=|!|\(|\)|\{|\}|,/y;

export type Matches = (labels: Labels) => boolean;
type Test = Matches;

type Meaning = { readonly all: Matches };

/** Compiles a selector to a function of labels; null if it is invalid, too long or too deep. `all`: the meaning of `all()`. */
export function calicoSelector(selector: string, { all }: Meaning = { all: () => true }): Matches | null {
  if (selector.length > bounds.characters) return null;
  const tokens = tokensOf(selector);
  if (tokens === null) return null;
  if (tokens.length === 0) return () => true;
  const reader = new Reader(tokens, all);
  const found = reader.any();
  return found !== null && reader.isAtEnd ? found : null;
}

/** Reads a text from its start: `take` matches a sticky pattern at the position and advances it, or returns null. */
type Scanner = {
  take(pattern: RegExp): string | null;
  /** The text from the position on. */
  rest(): string;
};

/** A scanner at the start of the text. `take` needs patterns with the flag `y`. */
export function scannerOf(text: string): Scanner {
  let at = 0;
  return {
    take: (pattern) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0] ?? null;
      at += found?.length ?? 0;
      return found;
    },
    rest: () => text.slice(at),
  };
}

type Token = { readonly kind: 'symbol' | 'word' | 'text'; readonly text: string };

function tokensOf(selector: string): Token[] | null {
  const tokens: Token[] = [];
  const { take, rest } = scannerOf(selector);
  for (take(blank); rest() !== ''; take(blank)) {
    const text = take(quoted);
    const token: Token | null =
      text !== null
        ? { kind: 'text', text: text.slice(1, -1) }
        : (asToken('symbol', take(symbol)) ?? asToken('word', take(word)));
    if (token === null) return null;
    tokens.push(token);
  }
  return tokens;
}

const asToken = (kind: Token['kind'], text: string | null): Token | null => (text === null ? null : { kind, text });

class Reader {
  readonly #tokens: readonly Token[];
  readonly #all: Matches;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], all: Matches) {
    this.#tokens = tokens;
    this.#all = all;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  any(): Test | null {
    return this.#joined(
      '||',
      () => this.#every(),
      (tests) => (labels) => tests.some((test) => test(labels)),
    );
  }

  #every(): Test | null {
    return this.#joined(
      '&&',
      () => this.#one(),
      (tests) => (labels) => tests.every((test) => test(labels)),
    );
  }

  #joined(by: string, next: () => Test | null, join: (tests: Test[]) => Test): Test | null {
    const tests: Test[] = [];
    do {
      const test = next();
      if (test === null) return null;
      tests.push(test);
    } while (this.#takes('symbol', by));
    return tests.length === 1 ? (tests[0] ?? null) : join(tests);
  }

  #one(): Test | null {
    if (this.#depth === bounds.depth) return null;
    this.#depth++;
    const test = this.#atDepth();
    this.#depth--;
    return test;
  }

  #atDepth(): Test | null {
    if (this.#takes('symbol', '!')) {
      const test = this.#one();
      return test && ((labels) => !test(labels));
    }
    if (this.#takes('symbol', '(')) {
      const test = this.any();
      return this.#takes('symbol', ')') ? test : null;
    }
    const name = this.#take('word');
    if (name === null) return null;
    if (!this.#takes('symbol', '(')) return this.#ofLabel(name);
    const label = name === 'has' ? this.#take('word') : null;
    if (!this.#takes('symbol', ')')) return null;
    if (name === 'all') return this.#all;
    if (name === 'global') return () => true;
    return label === null ? null : (labels) => labels[label] !== undefined;
  }

  #ofLabel(label: string): Test | null {
    if (this.#takes('symbol', '==')) return this.#with((text) => (value) => value === text, label);
    if (this.#takes('symbol', '!=')) return this.#with((text) => (value) => value !== text, label);
    if (this.#takes('word', 'contains')) return this.#with((text) => (value) => value?.includes(text) === true, label);
    if (this.#takesBoth('starts', 'with'))
      return this.#with((text) => (value) => value?.startsWith(text) === true, label);
    if (this.#takesBoth('ends', 'with')) return this.#with((text) => (value) => value?.endsWith(text) === true, label);
    const isNot = this.#takesBoth('not', 'in');
    const texts = isNot || this.#takes('word', 'in') ? this.#set() : null;
    return texts && ((labels) => texts.includes(labels[label] ?? Number.NaN) !== isNot);
  }

  /** Takes two words, or both written as one. */
  #takesBoth(first: string, second: string): boolean {
    if (this.#takes('word', `${first}${second}`)) return true;
    if (this.#tokens[this.#at + 1]?.text !== second || !this.#takes('word', first)) return false;
    return this.#takes('word', second);
  }

  #with(test: (text: string) => (value: string | undefined) => boolean, label: string): Test | null {
    const text = this.#take('text');
    const holds = text === null ? null : test(text);
    return holds && ((labels) => holds(labels[label]));
  }

  #set(): unknown[] | null {
    if (!this.#takes('symbol', '{')) return null;
    const texts: string[] = [];
    while (!this.#takes('symbol', '}')) {
      const text = this.#take('text');
      if (text === null) return null;
      texts.push(text);
      if (!this.#takes('symbol', ',') && this.#tokens[this.#at]?.text !== '}') return null;
    }
    return texts;
  }

  #take(kind: Token['kind']): string | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind) return null;
    this.#at++;
    return token.text;
  }

  #takes(kind: Token['kind'], text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind || token.text !== text) return false;
    this.#at++;
    return true;
  }
}
