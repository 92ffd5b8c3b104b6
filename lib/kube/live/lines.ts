/**
 * Whole lines of a byte stream, decoded. A line may be spread over any number of chunks and a character over two: nothing is
 * decoded before its line is complete, and the pieces of a long line are joined once.
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
  // What follows the last newline was cut off: half an event is no event.
}

const newline = 0x0a;
