/** Names, addresses and flags up to this length are never broken. */
const wholeUpTo = 24;

/** Characters in a line of code at 320 px, and in the side column of a window of 1280 px. */
const lineHolds = 30;

/** Where longer words may break: after a separator of their parts, never after the dashes at the start of a flag, nor inside a version or an IPv4 address. */
const partEnds = /(?<!\d\.(?=\d))(?<=[^\s-][.:/,=\-[\](){}])(?=[^\s.:/,=\-[\](){}])/;

/** Where parts longer than a line may break: before a capital letter, as in `bpfKubeProxyIptablesCleanupEnabled`. */
const wordEnds = /(?<=\p{Ll})(?=\p{Lu})/u;

/** Words that browsers would break: after hyphens, some after slashes, and one-letter flags after their hyphen. */
const wouldBreak = /\S[-/?].|^-[^-\s]/;

/**
 * Commands, paths, addresses and names in a narrow column: lines break at spaces, and within words that are too long between their parts. Adds no characters to
 * copied text.
 */
export function BreakableText({ text }: { text: string }) {
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

/** The text in as few pieces as possible: parts without special breaks are joined. */
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
