import type { ClickHouseAccess } from '#lib/flows/index.ts';
import { asUsage } from '../exit.ts';

/** `--clickhouse URL`, with user and password from the environment. */
export function clickHouseFlag(url: string, env: NodeJS.ProcessEnv): Promise<ClickHouseAccess> {
  // Loaded on use, because the module also loads gRPC.
  return asUsage('--clickhouse', async () => (await import('#lib/flows/index.ts')).clickHouseAccess(url, env));
}
