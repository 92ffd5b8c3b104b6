import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { openSessions } from './sessions.ts';

let folder: string;
let nowMs: number;
let logged: string[];
const minute = 60_000;

beforeEach(() => {
  folder = testFolder('sessions');
  nowMs = Date.parse('2026-11-20T08:00:00Z');
  logged = [];
});

const open = (port = 3000) => openSessions({ folder, port, log: (line) => logged.push(line), now: () => nowMs });

/** What a browser sends back for a Set-Cookie value. */
const sentBack = (setCookie: string) => setCookie.split(';', 1)[0] ?? '';

async function signedIn(sessions: Awaited<ReturnType<typeof open>>): Promise<string> {
  const answer = await sessions.signIn(sessions.newKey(), undefined);
  if (!answer.ok) throw new Error(answer.code);
  return sentBack(answer.value.cookie);
}

describe('a sign-in link', () => {
  const outcome = async (sessions: Awaited<ReturnType<typeof open>>, key: string) => {
    const answer = await sessions.signIn(key, undefined);
    return answer.ok ? 'signed in' : answer.code;
  };

  test('works once', async () => {
    const sessions = await open();
    const key = sessions.newKey();
    expect([await outcome(sessions, key), await outcome(sessions, key)]).toEqual(['signed in', 'key.used']);
  });

  test('works for a quarter of an hour', async () => {
    const sessions = await open();
    const [first, second] = [sessions.newKey(), sessions.newKey()];
    nowMs += 15 * minute - 1;
    expect(await outcome(sessions, first)).toBe('signed in');
    nowMs += 1;
    expect(await outcome(sessions, second)).toBe('key.expired');
  });

  test('has 256 bits, and is of this process only', async () => {
    const key = (await open()).newKey();
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect(await outcome(await open(), key)).toBe('key.wrong');
  });

  test('guesses are slowed down, and cannot lock the owner out', async () => {
    const sessions = await open();
    const key = sessions.newKey();
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, index) => outcome(sessions, `guess-${index}`)));
    expect(guesses.filter((code) => code === 'key.wrong')).toHaveLength(10);
    expect(guesses.at(-1)).toBe('key.too-many');
    expect(await outcome(sessions, key)).toBe('signed in');
    nowMs += minute;
    expect(await outcome(sessions, 'another')).toBe('key.wrong');
  });

  test('leaves no key in the log or on the disk', async () => {
    const sessions = await open();
    const key = sessions.newKey();
    await sessions.signIn(key, undefined);
    await sessions.signIn(key, undefined);
    expect(logged.join('\n')).not.toContain(key);
    expect(await readFile(join(folder, 'session-key'), 'latin1')).not.toContain(key);
  });
});

describe('a session', () => {
  test('is read from its cookie, which scripts and other sites do not get', async () => {
    const sessions = await open();
    const answer = await sessions.signIn(sessions.newKey(), undefined);
    const cookie = answer.ok ? answer.value.cookie : '';
    expect(cookie).toMatch(/^signalbox_3000=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(sessions.session(`other=1; ${sentBack(cookie)}; more=2`)).toMatchObject({
      since: '2026-11-20T08:00:00.000Z',
    });
  });

  /** As somebody who looks at a page: lib/console/sign-in/is-use.ts. */
  const use = (sessions: Awaited<ReturnType<typeof open>>, cookie: string) => {
    const found = sessions.claim(cookie);
    if (found) sessions.used(found);
  };

  test('survives the console, and ends after twelve hours, however much it is used', async () => {
    const first = await open();
    const cookie = await signedIn(first);
    for (let hour = 0; hour < 11; hour++) {
      nowMs += 60 * minute;
      use(first, cookie);
    }
    await first.sweep();
    const later = await open();
    nowMs += 60 * minute - 1;
    expect(later.session(cookie)).not.toBeNull();
    nowMs += 1;
    expect(later.session(cookie)).toBeNull();
  });

  test('ends when nobody has used it for two hours, and its streams with it', async () => {
    const sessions = await open();
    const [cookie, other] = [await signedIn(sessions), await signedIn(sessions)];
    const ended: string[] = [];
    sessions.onEnd((id) => ended.push(id));
    const id = sessions.session(cookie)?.id;
    nowMs += 119 * minute;
    use(sessions, other);
    nowMs += minute - 1;
    await sessions.sweep();
    expect(ended).toEqual([]);
    expect(sessions.session(cookie)).not.toBeNull();
    nowMs += 1;
    expect(sessions.session(cookie)).toBeNull();
    await sessions.sweep();
    expect(ended).toEqual([id]);
    expect(sessions.session(other)).not.toBeNull();
  });

  test('that was idle for too long stays ended after a restart', async () => {
    const cookie = await signedIn(await open());
    nowMs += 120 * minute;
    const later = await open();
    expect(later.session(cookie)).toBeNull();
    await later.sweep();
    nowMs -= 100 * minute;
    expect((await open()).session(cookie)).toBeNull();
  });

  test('outlives a clock that is set back', async () => {
    const sessions = await open();
    const cookie = await signedIn(sessions);
    nowMs -= 60 * minute;
    expect(sessions.session(cookie)).not.toBeNull();
    nowMs += 13 * 60 * minute;
    expect(sessions.session(cookie)).toBeNull();
  });

  test('ends when it is signed out, though that cannot be written down', async () => {
    const sessions = await open();
    const ended: string[] = [];
    sessions.onEnd((id) => ended.push(id));
    const cookie = await signedIn(sessions);
    await rm(join(folder, 'sessions.json'));
    await mkdir(join(folder, 'sessions.json'));
    expect((await sessions.signOut(cookie)).cookie).toMatch(/Max-Age=0$/);
    expect(sessions.session(cookie)).toBeNull();
    expect(ended).toHaveLength(1);
    expect((await readdir(folder)).sort()).toEqual(['session-key', 'sessions.json']);
  });

  test('of which nothing is kept any more is none: everybody signs in again', async () => {
    const cookie = await signedIn(await open());
    await writeFile(join(folder, 'sessions.json'), '[{"id":');
    expect((await open()).session(cookie)).toBeNull();
  });

  test('is listed with its last use, and can be ended from another', async () => {
    const sessions = await open();
    const first = await sessions.signIn(sessions.newKey(), 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0');
    const cookie = first.ok ? sentBack(first.value.cookie) : '';
    nowMs += 30 * minute;
    const other = await signedIn(sessions);
    const otherId = sessions.session(other)?.id ?? '';
    expect(sessions.sessions(cookie)).toEqual([
      {
        id: otherId,
        browser: 'Unknown browser',
        since: '2026-11-20T08:30:00.000Z',
        usedAt: '2026-11-20T08:30:00.000Z',
        endsAt: '2026-11-20T10:30:00.000Z',
        isThis: false,
      },
      expect.objectContaining({ browser: 'Firefox on Linux', endsAt: '2026-11-20T10:00:00.000Z', isThis: true }),
    ]);
    await sessions.endSession(otherId);
    expect(sessions.session(other)).toBeNull();
    expect(sessions.sessions(cookie)).toHaveLength(1);
  });

  test('ends with all others, and with the links that nobody has used yet, where that is asked for by one of them', async () => {
    const sessions = await open();
    const [cookie, other, unused] = [await signedIn(sessions), await signedIn(sessions), sessions.newKey()];
    await sessions.signOutEverywhere('signalbox_3000=nobody');
    expect(sessions.session(other)).not.toBeNull();
    expect((await sessions.signOutEverywhere(cookie)).cookie).toMatch(/Max-Age=0$/);
    expect([sessions.session(cookie), sessions.session(other)]).toEqual([null, null]);
    expect((await open()).session(other)).toBeNull();
    expect(await sessions.signIn(unused, undefined)).toMatchObject({ ok: false, code: 'key.expired' });
    expect((await sessions.signIn(sessions.newKey(), undefined)).ok).toBe(true);
  });

  test('ends when it is signed out, for a copy of the cookie and after a restart too', async () => {
    const sessions = await open();
    const [cookie, other] = [await signedIn(sessions), await signedIn(sessions)];
    const ended: string[] = [];
    sessions.onEnd((id) => ended.push(id));
    const id = sessions.session(cookie)?.id;
    expect((await sessions.signOut(cookie)).cookie).toMatch(/^signalbox_3000=; .*Max-Age=0$/);
    expect(ended).toEqual([id]);
    expect(sessions.session(cookie)).toBeNull();
    expect((await open()).session(cookie)).toBeNull();
    expect((await open()).session(other)).not.toBeNull();
  });

  test('of another port, or moved to its cookie, is none', async () => {
    const cookie = await signedIn(await open(3000));
    expect((await open(3001)).session(cookie)).toBeNull();
    expect((await open(3001)).session(cookie.replace('3000', '3001'))).toBeNull();
  });

  test('is found behind a cookie of the same name that somebody else has set', async () => {
    const sessions = await open();
    const cookie = await signedIn(sessions);
    expect(sessions.session(`signalbox_3000=planted; ${cookie}`)).not.toBeNull();
  });

  test('is found behind as many such cookies as a request can carry', async () => {
    const sessions = await open();
    const cookie = await signedIn(sessions);
    const planted = `signalbox_3000=eyJpZCI6IngifQ.${'A'.repeat(43)}; `.repeat(800);
    expect(sessions.session(`${planted}${cookie}`)).not.toBeNull();
    expect(sessions.session(planted)).toBeNull();
  });

  test('is not had by a forged cookie', async () => {
    const sessions = await open();
    const cookie = await signedIn(sessions);
    const [payload = '', signature = ''] = cookie.replace('signalbox_3000=', '').split('.');
    const longer = Buffer.from(
      Buffer.from(payload, 'base64url')
        .toString()
        .replace(/"until":\d+/, '"until":9999999999999'),
    ).toString('base64url');
    const forged = [
      '',
      payload,
      `${payload}.`,
      `${payload}.AAAA`,
      `${longer}.${signature}`,
      `${payload}.${signature}.`,
      `${payload}.${signature.slice(0, -2)}`,
      `.${signature}`,
      'x'.repeat(10_000),
      'a.b',
      '%00.%00',
    ];
    expect(forged.filter((value) => sessions.session(`signalbox_3000=${value}`) !== null)).toEqual([]);
    expect(sessions.session(null)).toBeNull();
  });
});

describe('the signing key', () => {
  test('is for its user only', async () => {
    await open();
    expect((await stat(join(folder, 'session-key'))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['others could read it', (path: string) => chmod(path, 0o644)],
    ['it is too short', (path: string) => writeFile(path, 'short')],
  ])('is replaced where %s, which ends the sessions', async (_, spoil) => {
    const cookie = await signedIn(await open());
    await spoil(join(folder, 'session-key'));
    const sessions = await open();
    expect(sessions.session(cookie)).toBeNull();
    expect(sessions.session(await signedIn(sessions))).not.toBeNull();
  });
});
