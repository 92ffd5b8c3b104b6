import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { clickHouseAccess } from './clickhouse-access.ts';

test('the address says where, the environment who; a file has the password as one line', async () => {
  const file = join(testFolder('access'), 'password');
  await writeFile(file, 'a b"c\n');
  const env = { SIGNALBOX_CLICKHOUSE_USER: 'flows', SIGNALBOX_CLICKHOUSE_PASSWORD_FILE: file };
  expect(await clickHouseAccess('https://ch.example:8443/net_flows/', env)).toEqual({
    url: 'https://ch.example:8443',
    database: 'net_flows',
    user: 'flows',
    password: 'a b"c',
  });
  expect(await clickHouseAccess('http://[::1]:8123', {})).toMatchObject({
    database: 'signalbox',
    user: 'default',
    password: '',
  });
  const both = { ...env, SIGNALBOX_CLICKHOUSE_PASSWORD: 'x' };
  await expect(clickHouseAccess('http://ch', both)).rejects.toThrow('are both set');
  const away = { SIGNALBOX_CLICKHOUSE_PASSWORD_FILE: `${file}.away` };
  await expect(clickHouseAccess('http://ch', away)).rejects.toThrow(/password\.away, which .* cannot be read: ENOENT$/);
  await writeFile(file, 'one\ntwo-secret\n');
  await expect(clickHouseAccess('http://ch', env)).rejects.toThrow(/is not one line with a password$/);
});
