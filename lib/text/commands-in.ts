/** A program as a shell would run it: its name; offsets of where it begins, where its name ends and where its last argument ends; its arguments as written. */
export type CommandInScript = {
  readonly program: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly args: readonly string[];
};

/**
 * The programs that a POSIX shell would run, in the order in which they stand: also behind pipes, in substitutions, loops and conditions, and with variables
 * or `env` before them. What stands in quotes, comments and here-documents is text, and is passed over; so is what old backquotes substitute. A script that
 * ends within a quote is read as far as it goes. Pure.
 */
export function commandsIn(script: string): CommandInScript[] {
  const found: CommandInScript[] = [];
  readCommands({ script, found, depth: 0 }, 0, null);
  return found.toSorted((a, b) => a.start - b.start);
}

/** `depth`: of the substitutions that are open. */
type Reading = { readonly script: string; readonly found: CommandInScript[]; readonly depth: number };

/** Deeper ones are passed over as text: none of ours are, and a stranger's must not exhaust the stack. */
const deepest = 20;

/** Words behind which the name of a program still stands, and before it variables may: `exec` and `xargs` would run those as the program. */
const beforeName: ReadonlySet<string> = new Set('if then elif else while until do ! { env'.split(' '));
/** Words where a program may stand that run none, up to the next separator. */
const noProgram: ReadonlySet<string> = new Set(['for', 'case', 'fi', 'done', 'esac', '}']);

/** Reads up to `closer` of a substitution, and returns the offset behind it. */
function readCommands(reading: Reading, from: number, closer: ')' | null): number {
  const { script, found } = reading;
  let at = from;
  let simple = emptyCommand();
  let documents: string[] = [];
  const finish = () => {
    const { program, start, nameEnd, end, args } = simple;
    if (program !== '') found.push({ program, start, nameEnd, end, args });
    simple = emptyCommand();
  };
  while (at < script.length) {
    const here = script[at] ?? '';
    if (here === closer) {
      finish();
      return at + 1;
    }
    if (here === '\n') {
      finish();
      at = behindDocuments(script, at + 1, documents);
      documents = [];
    } else if (script.startsWith('\\\n', at)) at += 2;
    else if (here === ' ' || here === '\t') at += 1;
    else if (here === '#') at = orEnd(script, script.indexOf('\n', at));
    else if (';&|()'.includes(here)) {
      finish();
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
  finish();
  return at;
}

type Simple = {
  program: string;
  start: number;
  nameEnd: number;
  end: number;
  args: string[];
  /** Of the next word. */
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

/** Where a word ends: at what a shell separates words with, which no other space of Unicode is. What is substituted within it is read for commands. */
function endOfWord(reading: Reading, from: number): number {
  const { script } = reading;
  let at = from;
  while (at < script.length && !/[ \t\n;&|()<>]/.test(script[at] ?? '')) {
    if (script[at] === "'") at = behind(script, at + 1, "'");
    else if (script[at] === '"') at = behindQuoted(reading, at + 1);
    else at = behindPart(reading, at);
  }
  return at;
}

/** Behind the closing quote of what stands in double quotes. */
function behindQuoted(reading: Reading, from: number): number {
  const { script } = reading;
  let at = from;
  while (at < script.length && script[at] !== '"') at = behindPart(reading, at);
  return Math.min(at + 1, script.length);
}

/** Behind one character of a word, or what it begins: an escape, a variable, a substitution. */
function behindPart(reading: Reading, at: number): number {
  const { script } = reading;
  if (script[at] === '\\') return Math.min(at + 2, script.length);
  if (script[at] === '`') return behind(script, at + 1, '`');
  if (script.startsWith('$(', at) && reading.depth < deepest)
    return readCommands({ ...reading, depth: reading.depth + 1 }, at + 2, ')');
  if (script.startsWith('${', at)) return behind(script, at + 2, '}');
  return at + 1;
}

function behind(script: string, from: number, closing: string): number {
  return orEnd(script, script.indexOf(closing, from), 1);
}

function orEnd(script: string, at: number, more = 0): number {
  return at < 0 ? script.length : at + more;
}

/** Behind the here-documents that begin on this line, each of which ends with its delimiter on a line of its own. */
function behindDocuments(script: string, from: number, delimiters: readonly string[]): number {
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
