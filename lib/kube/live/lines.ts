import { KubeError } from '../error.ts';

/** Etcd stores no object above 1.5 MiB; a line many times as long is no event, and one without an end would fill the memory. */
const longestLineBytes = 64 * 1024 * 1024;

/**
 * Whole lines of a byte stream, decoded. Chunks may split lines and characters, so a line is decoded when it is complete, and the pieces of a long line are
 * joined only once. Rejects with `protocol` for a line of more than 64 MiB.
 */
export async function* lines(chunks: AsyncIterable<Buffer>, limitBytes = longestLineBytes): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let pending = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      const line = pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
      pieces = [];
      pending = 0;
      start = end + 1;
      if (line.length > 0) yield line.toString('utf8');
    }
    if (start === chunk.length) continue;
    pieces.push(chunk.subarray(start));
    pending += chunk.length - start;
    if (pending > limitBytes) throw new KubeError('protocol', 'The watch received a line that does not end.');
  }
  // Bytes after the last newline are an incomplete event and are dropped.
}

const newline = 0x0a;
