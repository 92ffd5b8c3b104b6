import { expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

test('programs of others get no password or header that is for another server', () => {
  const secrets = {
    SIGNALBOX_CLICKHOUSE_PASSWORD: 'x',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=x',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'a=x',
  };
  const env = { ...secrets, PATH: '/bin', SIGNALBOX_CLICKHOUSE_USER: 'flows' };
  expect(childEnvironment(env)).toEqual({ PATH: '/bin', SIGNALBOX_CLICKHOUSE_USER: 'flows' });
});

test.each([
  [':/bin', '/bin'],
  ['/usr/bin::/bin:', '/usr/bin:/bin'],
  ['.:bin:./x:/bin', '/bin'],
  ['.', undefined],
  ['', undefined],
])('of PATH %j, programs are looked for in %j', (PATH, whole) => {
  expect(childEnvironment({ PATH }).PATH).toBe(whole);
});
