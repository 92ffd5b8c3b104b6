import { expect, test } from 'vitest';
import type { Connection } from '#lib/console/wire.ts';
import { connectionWords } from './connection-words.ts';

const now = Date.UTC(2026, 0, 1);
const away = { since: new Date(now - 60_000).toISOString(), message: 'Connection refused.' };

test.each<[Connection, typeof away | null, string]>([
  [{ kind: 'live', since: now - 2_000 }, null, 'live · 2 s ago'],
  [{ kind: 'connecting' }, null, 'connecting'],
  [{ kind: 'lagging', since: now - 17_000 }, null, 'quiet · 17 s ago'],
  [{ kind: 'reconnecting', attempt: 3, at: now + 3_200, offline: false }, null, 'reconnecting in 4 s (attempt 3)'],
  [{ kind: 'reconnecting', attempt: 3, at: now - 10, offline: false }, null, 'reconnecting now (attempt 3)'],
  [{ kind: 'reconnecting', attempt: 3, at: now + 3_200, offline: true }, null, 'browser offline'],
  [{ kind: 'live', since: now }, away, 'cluster away · 1 minute ago'],
  // A lost console is reported before a lost cluster, because its news of the cluster is old.
  [{ kind: 'reconnecting', attempt: 1, at: now + 900, offline: false }, away, 'reconnecting in 1 s (attempt 1)'],
  [{ kind: 'paused', unseen: 0 }, null, 'updates paused'],
  [{ kind: 'paused', unseen: 1_200 }, null, 'updates paused · 1,200 new'],
  [{ kind: 'stopped', problem: { code: 'session.missing', message: 'Your session has ended.' } }, null, 'not live'],
])('%o, cluster %o: %s', (connection, stale, words) => {
  expect(connectionWords(connection, stale, now).words).toBe(words);
});

test('where flows do not come, nobody says that the API server is away', () => {
  const words = connectionWords(
    { kind: 'live', since: now },
    { ...away, message: 'The aggregator does not answer.' },
    now,
    'flows',
  );
  expect(words).toEqual({ state: 'warn', words: 'no flows · 1 minute ago', detail: 'The aggregator does not answer.' });
});

test('browser, console and cluster being away are three different sentences', () => {
  const reconnecting = { kind: 'reconnecting', attempt: 1, at: now, offline: false } as const;
  const details = [
    connectionWords({ ...reconnecting, offline: true }, null, now).detail,
    connectionWords(reconnecting, null, now).detail,
    connectionWords({ kind: 'live', since: now }, away, now).detail,
  ];
  expect(new Set(details).size).toBe(3);
  expect(details).not.toContain(null);
});
