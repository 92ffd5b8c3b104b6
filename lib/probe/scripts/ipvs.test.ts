import { expect, test } from 'vitest';
import { ipvs } from '#lib/spec/index.ts';
import { probeScript } from './scripts.ts';

test('the probe finds what IPVS leaves by the same signs as a run', () => {
  const [, table] = ipvs.files;
  expect(probeScript).toContain(`grep -c -E '${ipvs.server}' ${table} `);
  expect(probeScript).toContain(`[ -e /sys/class/net/${ipvs.device} ]`);
});
