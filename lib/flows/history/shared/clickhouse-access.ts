import { readFile } from 'node:fs/promises';
import type { ClickHouseAccess } from '../sql/clickhouse/index.ts';

const usualDatabase = 'signalbox';
const longestPassword = 4_096;

/**
 * Reads the access to a ClickHouse: its address `https://HOST:8443/DATABASE`, and from the environment the user, `SIGNALBOX_CLICKHOUSE_USER`
 * (`default`), and the password, `SIGNALBOX_CLICKHOUSE_PASSWORD` or the file that `SIGNALBOX_CLICKHOUSE_PASSWORD_FILE` names. The password must be in
 * no command line or address. Throws a sentence that does not contain it.
 */
export async function clickHouseAccess(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ClickHouseAccess> {
  const address = URL.parse(text);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Error(
      'this is not an address; write https://HOST:8443 or http://HOST:8123, and /DATABASE for another than signalbox',
    );
  if (address.username !== '' || address.password !== '')
    throw new Error(
      'a user or a password stands in the address; give them in SIGNALBOX_CLICKHOUSE_USER and SIGNALBOX_CLICKHOUSE_PASSWORD_FILE',
    );
  if (address.search !== '' || address.hash !== '')
    throw new Error('settings of ClickHouse cannot be given in the address; leave out what follows ? or #');
  const database = address.pathname.replace(/^\/|\/$/g, '') || usualDatabase;
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(database))
    throw new Error(`${JSON.stringify(database)} is not a name of a database: letters, digits and _`);
  return {
    url: address.origin,
    database,
    user: env.SIGNALBOX_CLICKHOUSE_USER || 'default',
    password: await passwordOf(env),
  };
}

async function passwordOf(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { SIGNALBOX_CLICKHOUSE_PASSWORD: given = '', SIGNALBOX_CLICKHOUSE_PASSWORD_FILE: file = '' } = env;
  if (file === '') return given;
  if (given !== '') throw new Error('SIGNALBOX_CLICKHOUSE_PASSWORD and _PASSWORD_FILE are both set; leave out one');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file}, which SIGNALBOX_CLICKHOUSE_PASSWORD_FILE names, cannot be read: ${error.code}`);
  });
  const password = text.replace(/\r?\n$/, '');
  if (password.length > longestPassword || /[\r\n]/.test(password))
    throw new Error(`${file}, which SIGNALBOX_CLICKHOUSE_PASSWORD_FILE names, is not one line with a password`);
  return password;
}
