import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { etcdAccess } from './etcd-access.ts';
import { parseFlags } from './flags.ts';
import { etcdFlags } from './global-flags.ts';

const folder = testFolder('etcd');
const pem = join(folder, 'some.pem');
writeFileSync(pem, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
const not = join(folder, 'not.pem');
writeFileSync(not, 'AAAA');

const accessOf = (...argv: string[]) => etcdAccess(parseFlags(argv, etcdFlags).flags);
const endpoints = '--etcd-endpoints';

test.each<[string, string[], string]>([
  ['no scheme', [endpoints, '10.0.0.5:2379'], 'is not an address of etcd'],
  ['a path', [endpoints, 'https://10.0.0.5:2379/v3'], 'holds more than host and port'],
  ['a password', [endpoints, 'https://me:mine@10.0.0.5:2379'], 'holds more than host and port'],
  ['the published placeholder', [endpoints, 'http://<ETCD_IP>:<ETCD_PORT>'], 'is not an address of etcd'],
  ['no TLS beside certificates', [endpoints, 'http://10.0.0.5:2379', '--etcd-ca', pem], 'is without TLS'],
  [
    'a key alone',
    [endpoints, 'https://10.0.0.5:2379', '--etcd-key', pem],
    '--etcd-cert and --etcd-key belong together',
  ],
  ['certificates without an address', ['--etcd-ca', pem], '--etcd-ca needs --etcd-endpoints'],
  ['a file that is no PEM', [endpoints, 'https://10.0.0.5:2379', '--etcd-ca', not], 'holds nothing in PEM'],
  ['a file that is not there', [endpoints, 'https://10.0.0.5:2379', '--etcd-ca', `${pem}x`], 'there is no such file'],
])('%s is refused by the name of its flag', async (_name, argv, sentence) => {
  await expect(accessOf(...argv)).rejects.toThrow(sentence);
});

test('several addresses, as etcd_endpoints has them', async () => {
  const access = await accessOf(endpoints, 'https://a:2379, https://[fd00::5]:2379', '--etcd-ca', pem);
  expect(access?.endpoints.map(({ host }) => host)).toEqual(['a:2379', '[fd00::5]:2379']);
  expect(await accessOf()).toBeNull();
});
