import type { ClickHouseAccess } from '#lib/flows/index.ts';
import { asUsage } from '../exit.ts';

/** `--clickhouse URL`, with user and password from the environment. */
export function clickHouseFlag(url: string, env: NodeJS.ProcessEnv): Promise<ClickHouseAccess> {
  // A console that is told of no ClickHouse starts without gRPC, which comes along.
  return asUsage('--clickhouse', async () => (await import('#lib/flows/index.ts')).clickHouseAccess(url, env));
}
