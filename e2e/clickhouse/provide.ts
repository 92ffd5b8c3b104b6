/** `node e2e/clickhouse/provide.ts`: installs what the contract of the two engines needs, for set-up scripts and CI. Exit 1 with a sentence when it cannot. */
import { ensureChdb, MissingChdb } from './ensure-chdb.ts';

try {
  await ensureChdb();
} catch (error) {
  if (!(error instanceof MissingChdb)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
