import { existsSync } from 'node:fs';
import { afterAll, describe } from 'vitest';
import { openClickHouse, openDatabase } from '#lib/flows/history/sql/clickhouse/index.ts';
import { holdsTheContract } from '#lib/flows/history/testing/engine-contract.ts';
import { chdbFolder, type RunningClickHouse, startClickHouse } from '../clickhouse/index.ts';

// `npm test` installs it, and says where it cannot.
const packages = chdbFolder();
const isAway = !existsSync(packages);

let server: Promise<RunningClickHouse> | null = null;
const running = () => (server ??= startClickHouse(packages));
afterAll(async () => (await server)?.remove());

describe.skipIf(isAway)('ClickHouse', () => {
  let clusters = 0;
  holdsTheContract('the contract', async () => {
    const { url, user, password } = await running();
    const clickHouse = await openDatabase({ url, user, password, database: 'signalbox' });
    return openClickHouse(clickHouse, { cluster: `cluster-${clusters++}`, keptSeconds: 7 * 86_400 });
  });
});
