/** Up to this many characters a name, an address or a flag stands on one line. */
const wholeUpTo = 24;

/** What a line of code holds at 320 px, and beside the question of a window of 1280 px. */
const lineHolds = 30;

/** Where a longer one goes on in the next line: behind what separates its parts, never behind the dashes that begin a flag. */
const partEnds = /(?<=[^\s-][.:/,=\-[\](){}])(?=[^\s.:/,=\-[\](){}])/;

/** Where a part goes on that is longer than a line: before a word that begins with a capital letter, as in `bpfKubeProxyIptablesCleanupEnabled`. */
const wordEnds = /(?<=\p{Ll})(?=\p{Lu})/u;

/** Browsers break a word behind each of its hyphens, some behind a slash, and a flag of one letter behind the hyphen that begins it. */
const wouldBreak = /\S[-/?].|^-[^-\s]/;

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

function partsOfName(part: string): string[] {
  return part.length <= lineHolds ? [part] : part.split(wordEnds);
}

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
    const parts = word.length <= wholeUpTo ? [word] : word.split(partEnds).flatMap(partsOfName);
    for (const [at, part] of parts.entries()) {
      if (at > 0) pieces.push({ kind: 'break' });
      add(part);
    }
  }
  return pieces;
}
