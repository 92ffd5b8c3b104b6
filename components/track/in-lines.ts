/**
 * A label broken into as few lines as possible, at most `most`, of about equal length; a longer label ends in an ellipsis. `longest`: characters per line. Needed
 * because SVG text does not wrap.
 */
export function inLines(text: string, longest: number, most: number): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (let count = 1; count <= most; count++)
    for (let width = Math.ceil(text.length / count); width <= longest; width++) {
      const lines = wrapped(words, width);
      if (lines.length <= count && lines.every((line) => line.length <= width)) return lines;
    }
  const lines = wrapped(words, longest);
  const kept = lines.slice(0, most);
  if (lines.length > most) kept[most - 1] = `${kept[most - 1] ?? ''} ${lines[most] ?? ''}`;
  return kept.map((line) => cut(line, longest));
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function cut(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const short = line.slice(0, Math.max(1, longest - 1));
  // Cut before a word if most of the line remains.
  const word = line[short.length] === ' ' ? short.length : short.lastIndexOf(' ');
  return `${(word >= longest / 2 ? short.slice(0, word) : short).replace(/[\s,;:]+$/, '')}…`;
}
