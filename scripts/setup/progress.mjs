/** Interval of lines about the same work, in ms, on outputs that cannot redraw a line. */
const everyMs = 10_000;

/**
 * Prints what is being done and for how long: on a terminal in one line that is redrawn, elsewhere as a line every ten seconds. On stderr, because
 * stdout is for data.
 * @template T
 * @param {string} what "Building the pages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(what, work) {
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  const isTerminal = process.stderr.isTTY === true;
  process.stderr.write(isTerminal ? what : `${what}\n`);
  const timer = setInterval(
    () => process.stderr.write(isTerminal ? `\r${what}: ${seconds()}` : `${what}: ${seconds()}\n`),
    isTerminal ? 1000 : everyMs,
  );
  try {
    const result = await work();
    process.stderr.write(`${isTerminal ? '\r' : ''}${what}: done in ${seconds()}\n`);
    return result;
  } catch (error) {
    if (isTerminal) process.stderr.write('\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
