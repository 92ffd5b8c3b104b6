/**
 * A program that a shell would run. `start`, `nameEnd` and `end` are offsets into the script: where the name begins, where it ends, and where the last
 * argument before a redirection ends. `args` are the words as written, with their quotes.
 */
export type CommandInScript = {
  readonly program: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly args: readonly string[];
};

/**
 * The programs that a POSIX shell would run, in the order of the script: also after pipes, in `$(…)`, loops and conditions, and with variables or `env`
 * before them. Text in quotes, comments and here-documents is skipped; so are substitutions in backquotes. In a script that ends inside a quote, the quote
 * reaches to its end. Pure.
 */
export function commandsIn(script: string): CommandInScript[] {
  const found: CommandInScript[] = [];
  readCommands({ script, found, depth: 0 }, 0, null);
  return found.toSorted((a, b) => a.start - b.start);
}

/** `depth`: how many substitutions are open. */
type Reading = { readonly script: string; readonly found: CommandInScript[]; readonly depth: number };

/** Deeper substitutions are skipped as text. Our commands have none so deep, and text from a cluster must not exhaust the stack. */
const deepest = 20;

/** Words that the name of a program follows. `exec` and `xargs` are not among them: they would run a variable put before the name as the program. */
const beforeName: ReadonlySet<string> = new Set('if then elif else while until do ! { env'.split(' '));
/** Words in the place of a program that run none, up to the next separator. */
const noProgram: ReadonlySet<string> = new Set(['for', 'case', 'fi', 'done', 'esac', '}']);

/** Reads a substitution up to its `closer`, or the whole script, and returns the offset after it. */
function readCommands(reading: Reading, from: number, closer: ')' | null): number {
  const { script, found } = reading;
  let at = from;
  let simple = emptyCommand();
  let documents: string[] = [];
  const endCommand = () => {
    const { program, start, nameEnd, end, args } = simple;
    if (program !== '') found.push({ program, start, nameEnd, end, args });
    simple = emptyCommand();
  };
  while (at < script.length) {
    const here = script[at] ?? '';
    if (here === closer) {
      endCommand();
      return at + 1;
    }
    if (here === '\n') {
      endCommand();
      at = skipHereDocuments(script, at + 1, documents);
      documents = [];
    } else if (script.startsWith('\\\n', at)) at += 2;
    else if (here === ' ' || here === '\t') at += 1;
    else if (here === '#') at = orEnd(script, script.indexOf('\n', at));
    else if (';&|()'.includes(here)) {
      endCommand();
      at += 1;
    } else if (here === '<' || here === '>') {
      const [operator] = /^(?:<<-?|>>|[<>]&|>\||<>|[<>])/.exec(script.slice(at, at + 3)) ?? [here];
      at += operator.length;
      simple.isRedirected = true;
      simple.expects = operator.startsWith('<<') ? 'delimiter' : 'target';
    } else {
      const end = endOfWord(reading, at);
      const word = script.slice(at, end);
      if (simple.expects === 'delimiter') documents.push(word.replace(/['"\\]/g, ''));
      takeWord(simple, { word, start: at, end, isDescriptor: /^\d+[<>]/.test(`${word}${script[end] ?? ''}`) });
      at = end;
    }
  }
  endCommand();
  return at;
}

type Simple = {
  program: string;
  start: number;
  nameEnd: number;
  end: number;
  args: string[];
  /** What the next word is. */
  expects: 'name' | 'argument' | 'target' | 'delimiter';
  isRedirected: boolean;
};

function emptyCommand(): Simple {
  return { program: '', start: 0, nameEnd: 0, end: 0, args: [], expects: 'name', isRedirected: false };
}

function takeWord(
  simple: Simple,
  { word, start, end, isDescriptor }: { word: string; start: number; end: number; isDescriptor: boolean },
): void {
  if (simple.expects === 'target' || simple.expects === 'delimiter') {
    simple.expects = simple.program === '' ? 'name' : 'argument';
  } else if (isDescriptor) simple.isRedirected = true;
  else if (simple.expects === 'argument') {
    simple.args.push(word);
    if (!simple.isRedirected) simple.end = end;
  } else if (!beforeName.has(word) && !/^(?:[A-Za-z_]\w*=|-)/.test(word)) {
    simple.expects = 'argument';
    if (!noProgram.has(word)) Object.assign(simple, { program: word, start, nameEnd: end, end });
  }
}

/** Where a word ends. Only the characters that separate words in a shell end it, no other space of Unicode. Reads the commands substituted in it. */
function endOfWord(reading: Reading, from: number): number {
  const { script } = reading;
  let at = from;
  while (at < script.length && !/[ \t\n;&|()<>]/.test(script[at] ?? '')) {
    if (script[at] === "'") at = skipPast(script, at + 1, "'");
    else if (script[at] === '"') at = skipDoubleQuoted(reading, at + 1);
    else at = skipPart(reading, at);
  }
  return at;
}

/** The offset after the closing double quote. */
function skipDoubleQuoted(reading: Reading, from: number): number {
  const { script } = reading;
  let at = from;
  while (at < script.length && script[at] !== '"') at = skipPart(reading, at);
  return Math.min(at + 1, script.length);
}

/** The offset after one character of a word, or after the escape, variable or substitution that it begins. */
function skipPart(reading: Reading, at: number): number {
  const { script } = reading;
  if (script[at] === '\\') return Math.min(at + 2, script.length);
  if (script[at] === '`') return skipPast(script, at + 1, '`');
  if (script.startsWith('$(', at) && reading.depth < deepest)
    return readCommands({ ...reading, depth: reading.depth + 1 }, at + 2, ')');
  if (script.startsWith('${', at)) return skipPast(script, at + 2, '}');
  return at + 1;
}

function skipPast(script: string, from: number, closing: string): number {
  return orEnd(script, script.indexOf(closing, from), 1);
}

function orEnd(script: string, at: number, more = 0): number {
  return at < 0 ? script.length : at + more;
}

/** The offset after the here-documents of a line. Each ends with its delimiter on a line of its own. */
function skipHereDocuments(script: string, from: number, delimiters: readonly string[]): number {
  let at = from;
  for (const delimiter of delimiters) {
    for (let ended = false; !ended && at < script.length; ) {
      const end = orEnd(script, script.indexOf('\n', at));
      ended = script.slice(at, end).replace(/^\t+/, '') === delimiter;
      at = Math.min(end + 1, script.length);
    }
  }
  return at;
}
