/**
 * Whole lines of a byte stream, decoded. Chunks may split lines and characters, so a line is decoded when it is complete, and the pieces of a long line are
 * joined only once.
 */
export async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      const line = pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
      pieces = [];
      start = end + 1;
      if (line.length > 0) yield line.toString('utf8');
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  // Bytes after the last newline are an incomplete event and are dropped.
}

const newline = 0x0a;
