import { type ClickHouse, type ClickHouseAccess, ClickHouseFault, connectClickHouse } from './connect.ts';
import { migrations, versionTable } from './schema.ts';

/** The oldest version that interprets our queries as intended. */
const leastVersion = [24, 3] as const;
const opensWithinMs = 5_000;

/**
 * Connects to a history's database, creates it if it is missing, and brings its tables to this release's version. Other collectors may do the same at
 * the same time. Rejects with a ClickHouseFault, also if the engine is too old or the database of a newer release.
 */
export async function openDatabase(access: ClickHouseAccess, steps = migrations): Promise<ClickHouse> {
  const first = await connectClickHouse(access, null);
  try {
    await checkEngine(access, first);
    const [found] = await first.ask('SELECT count() AS found FROM system.databases WHERE name = ?', [access.database]);
    if (Number(found?.found) === 0) await first.run(`CREATE DATABASE IF NOT EXISTS \`${access.database}\``);
  } finally {
    await first.close();
  }
  return usingDatabase(access, async (clickHouse) => {
    await clickHouse.run(versionTable);
    const version = await versionOf(clickHouse);
    for (const [index, statements] of steps.entries()) {
      if (index < version) continue;
      for (const statement of statements) await clickHouse.run(statement);
      await clickHouse.insert('schema_version', [[index + 1]]);
    }
    checkVersion(access, Math.max(version, steps.length), steps.length);
  });
}

/** Connects only to read: creates and changes nothing. A missing server is noticed within seconds, because somebody waits at a page. */
export async function readDatabase(access: ClickHouseAccess): Promise<ClickHouse> {
  const first = await connectClickHouse(access, access.database, opensWithinMs);
  try {
    await checkEngine(access, first);
    checkVersion(access, await versionOf(first), migrations.length);
  } finally {
    await first.close();
  }
  return connectClickHouse(access, access.database);
}

async function usingDatabase(
  access: ClickHouseAccess,
  prepare: (clickHouse: ClickHouse) => Promise<void>,
): Promise<ClickHouse> {
  const clickHouse = await connectClickHouse(access, access.database);
  try {
    await prepare(clickHouse);
    return clickHouse;
  } catch (error) {
    await clickHouse.close();
    throw error;
  }
}

async function versionOf(clickHouse: ClickHouse): Promise<number> {
  const [row] = await clickHouse.ask('SELECT max(version) AS version FROM schema_version');
  return Number(row?.version ?? 0);
}

function checkVersion({ url, database }: ClickHouseAccess, found: number, known: number): void {
  if (found > known)
    throw new ClickHouseFault(
      'ends',
      `Database ${database} of ClickHouse at ${url} was made by a newer release of Signalbox (version ${found} of its tables, this one knows ${known}).`,
    );
  if (found < known)
    throw new ClickHouseFault(
      'ends',
      `Database ${database} of ClickHouse at ${url} has tables of version ${found}, and this release reads ${known}: start its \`signalbox flows collect\` first.`,
    );
}

async function checkEngine({ url }: ClickHouseAccess, clickHouse: ClickHouse): Promise<void> {
  const [row] = await clickHouse.ask('SELECT version() AS version');
  const version = String(row?.version);
  if (!/^\d+\.\d+/.test(version)) throw new ClickHouseFault('ends', `${url} is not ClickHouse: check the address.`);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1]))
    throw new ClickHouseFault(
      'ends',
      `ClickHouse at ${url} is ${version}, which is too old: ${leastVersion.join('.')} or later is needed.`,
    );
}
