/** Up to this many characters a name, an address or a flag stands on one line; at 320 px a line of code has about thirty. */
const wholeUpTo = 24;

/** Where a longer one goes on in the next line: behind what separates its parts, never behind the dashes that begin a flag. */
const partEnds = /(?<=[^\s-][.:/,=\-[\](){}])(?=[^\s.:/,=\-[\](){}])/;

/** Browsers break a word behind each of its hyphens, and some behind a slash. */
const wouldBreak = /\S[-/?]./;

/**
 * Commands, paths, addresses and names in a column that may be narrow: lines break at spaces, and where one word is too long for that, between its
 * parts. What is copied has no character more.
 */
export function Breakable({ text }: { text: string }) {
  return piecesOf(text).map((piece, at) => {
    if (typeof piece === 'string') return piece;
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no names
    if (piece.kind === 'break') return <wbr key={at} />;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={at} className="whitespace-nowrap">
        {piece.text}
      </span>
    );
  });
}

type Piece = string | { kind: 'break' } | { kind: 'whole'; text: string };

/** As few as there can be: what needs no care is one string with what stands before it. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (part: string) => {
    const before = pieces.at(-1);
    if (wouldBreak.test(part)) pieces.push({ kind: 'whole', text: part });
    else if (typeof before === 'string') pieces[pieces.length - 1] = before + part;
    else pieces.push(part);
  };
  for (const word of text.split(/(\s+)/).filter((one) => one !== '')) {
    const parts = word.length <= wholeUpTo ? [word] : word.split(partEnds);
    for (const [at, part] of parts.entries()) {
      if (at > 0) pieces.push({ kind: 'break' });
      add(part);
    }
  }
  return pieces;
}
