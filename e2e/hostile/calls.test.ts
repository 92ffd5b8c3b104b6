import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { signalbox } from '../console/testing/console-process.ts';
import { type ADoor, aDoor, canary, stateOf } from './testing/a-door.ts';
import { type Action, actionsOf, filled } from './testing/actions.ts';
import { carryOut } from './testing/attempts.ts';
import type { HeaderFields } from './testing/door-tables.ts';
import { forgedCalls } from './testing/forged-calls.ts';
import { printLine } from './testing/print-line.ts';
import type { RawRequest } from './testing/raw-request.ts';
import { asParts, asText, headersOf, type Reply, withForm } from './testing/reply.ts';
import { type Answer, send } from './testing/wire.ts';

let door: ADoor;
let actions: Action[];
/** A draft of the owner, which has been answered once. */
let draft: string;
let before: { state: Record<string, string>; sandbox: unknown };
beforeAll(async () => {
  door = await aDoor(inject('consoleBuild'));
  actions = actionsOf(inject('consoleBuild'));
  await call('enableEbpf', asText(JSON.stringify([door.slug, null])));
  draft = /\/drafts\/(draft-[0-9a-f]{12})\.json/.exec(Object.keys(stateOf(door.state)).join('\n'))?.[1] ?? '';
  before = await everything();
});
afterAll(() => door?.close());

const total = { tried: 0, wrong: 0 };

/** Everything that a call could change: the console's files, and the cluster. */
async function everything() {
  return { state: stateOf(door.state), sandbox: await sandbox() };
}

/** Name, revision of the specification and labels of all that the command line sees of the sandbox; through the console that has it open. */
async function sandbox(): Promise<unknown> {
  const inspected = signalbox(['inspect', '--sandbox', 'standard', '-o', 'json'], `${door.state}/..`);
  expect([await inspected.ended, inspected.err()]).toEqual([0, expect.anything()]);
  return JSON.parse(inspected.out(), (key, value) =>
    /^since$|[aA]t$|[tT]ime|evidence|age|Ms$/.test(key) ? undefined : value,
  );
}

function asking(action: Action, reply: Reply, headers: HeaderFields = []): RawRequest {
  const [page = '/'] = action.pages;
  const target = filled(page, { cluster: door.slug, run: draft || 'draft-000000000000', step: 'goal' });
  const own: HeaderFields = [
    ['Origin', door.own.origin],
    ['Sec-Fetch-Site', 'same-origin'],
  ];
  return {
    method: 'POST',
    target,
    hosts: [door.own.host],
    headers: [...own, ...headers, ...headersOf(reply)],
    body: reply.body,
  };
}

function named(action: Action): HeaderFields {
  return [
    ['Next-Action', action.id],
    ['Accept', 'text/x-component'],
  ];
}

function action(name: string, file = ''): Action {
  const found = actions.find((one) => one.name === name && one.file.includes(file));
  if (!found) throw new Error(`the build has no action ${name}`);
  return found;
}

async function call(name: string, reply: Reply, file?: string): Promise<Answer> {
  const one = action(name, file);
  const { answers } = await door.ask(asking(one, reply, named(one)), door.cookies.valid);
  if (!answers[0]) throw new Error(`${name}: no answer`);
  return answers[0];
}

test('every action of the build is known here: what is new is attacked too', () => {
  expect(actions.length).toBeGreaterThanOrEqual(17);
  expect(actions.filter(({ pages }) => pages.length === 0)).toEqual([]);
});

test('nobody without a session calls anything, by its header or by a form without script', async () => {
  const { valid: _, ...bad } = door.cookies;
  const replies = (one: Action): [Reply, HeaderFields][] => [
    [asText(JSON.stringify([door.slug, null])), named(one)],
    [asText(JSON.stringify([{ cluster: door.slug, draft, step: 'goal' }, 1, { goal: 'install' }])), named(one)],
    [
      withForm('[null,"$K1"]', [
        { name: 'cluster', value: door.slug },
        { name: 'draft', value: draft },
      ]),
      named(one),
    ],
    [
      asParts([
        { name: `$ACTION_ID_${one.id}`, value: '' },
        { name: 'cluster', value: door.slug },
      ]),
      [],
    ],
    [asText('[]'), [...named(one), ['X-Action-Forwarded', '1']]],
  ];
  const attempts = [undefined, ...Object.values(bad)].flatMap((cookie) =>
    actions.flatMap((one) =>
      replies(one).map(([reply, fields]) => ({
        request: asking(one, reply, fields),
        session: 'none' as const,
        ...(cookie === undefined ? {} : { cookie }),
      })),
    ),
  );
  const { tried, faults } = await carryOut(door, attempts);
  total.tried += tried;
  total.wrong += faults.length;
  expect(faults.slice(0, 20)).toEqual([]);
  expect(tried).toBe(attempts.length);
});

describe('with the session of a tab that was stolen', () => {
  test('forged arguments of each action do nothing, tell nothing and hold nothing up', async () => {
    const wrong: string[] = [];
    const slowest = { ms: 0, what: '' };
    // Each forgery goes to a quarter of the actions, another one for each: all of them to all take minutes.
    const queue = actions
      .flatMap((one, at) =>
        forgedCalls(actions[(at + 1) % actions.length]?.id ?? '')
          .filter((_, row) => (row + at) % 4 === 0)
          .map((forged) => ({ one, forged })),
      )
      .values();
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (const { one, forged } of queue) {
          total.tried++;
          const { answers, end, tookMs } = await door.ask(asking(one, forged.reply, named(one)), door.cookies.valid);
          if (tookMs > slowest.ms)
            Object.assign(slowest, { ms: Math.round(tookMs), what: `${one.name}, ${forged.what}` });
          const [answer] = answers;
          const found = answer ? tells(answer) : [`no answer: ${end}`];
          wrong.push(...found.map((fault) => `${one.name}, ${forged.what}: ${fault}`));
        }
      }),
    );
    total.wrong += wrong.length;
    printLine(`slowest forged call: ${slowest.ms} ms (${slowest.what})`);
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  test('a form that another session sent, or that is older than the draft, changes nothing', async () => {
    const place = { cluster: door.slug, draft, step: 'goal' };
    const revisions = [0, -1, 7, 1e9, 1.5, 'x', '', null, [], {}, '$NaN', '$Infinity', '1e3', '0x10'];
    for (const revision of revisions) {
      const answers = [
        await call('saveStep', asText(JSON.stringify([place, revision, { goal: 'install' }]))),
        await call(
          'continueStep',
          withForm(JSON.stringify([place, null, '$K1']), [
            { name: 'goal', value: 'install' },
            { name: 'revision', value: String(revision) },
          ]),
        ),
        await call(
          'startReviewed',
          withForm('[null,"$K1"]', [
            { name: 'cluster', value: door.slug },
            { name: 'draft', value: draft },
            { name: 'revision', value: String(revision) },
            { name: 'planHash', value: '0'.repeat(64) },
            { name: 'confirmation', value: 'standard' },
            { name: 'shown', value: '{}' },
          ]),
        ),
      ];
      total.tried += answers.length;
      expect(answers.flatMap(tells)).toEqual([]);
      expect(
        answers.filter(({ body }) => !/"ok":false/.test(body)).map(({ body }) => [revision, body.slice(0, 300)]),
      ).toEqual([]);
    }
  });

  test('a stream takes any Last-Event-ID for none', async () => {
    const ids = [
      '-1',
      '0',
      '1.5',
      'NaN',
      'Infinity',
      '1e309',
      '9'.repeat(400),
      '__proto__',
      '../..',
      "' OR 1=1",
      '$1',
      '\u00ff',
      '',
    ];
    const paths = [
      `/api/clusters/${door.slug}/events`,
      '/api/clusters/x/events',
      `/api/clusters/${door.slug}/flows`,
      `/api/clusters/${door.slug}/runs/x/events`,
    ];
    const heads = paths.flatMap((path) =>
      ids.map(
        (id) =>
          `GET ${path} HTTP/1.1\r\nHost: ${door.own.host}\r\nSec-Fetch-Site: same-origin\r\nCookie: ${door.cookies.valid}\r\nLast-Event-ID: ${id}\r\n\r\n`,
      ),
    );
    const firstEvent = /^event: ?(?:snapshot|problem|heartbeat|end)/m;
    // A second answer never comes; `holds` ends the wait at the stream's first event.
    const heard = await Promise.all(
      heads.map((head) =>
        send([head], {
          port: door.own.port,
          answers: 2,
          patienceMs: 60_000,
          holds: ([first]) => firstEvent.test(first?.body ?? ''),
        }),
      ),
    );
    total.tried += heads.length;
    for (const [at, { answers }] of heard.entries()) {
      expect([heads[at], answers[0]?.status, answers.flatMap(tells)]).toEqual([heads[at], 200, []]);
      expect(answers[0]?.body).toMatch(firstEvent);
    }
  });
});

test('afterwards nothing was written, here or in the cluster, and the console is as good as before', async () => {
  expect(await everything()).toEqual(before);
  expect((await door.read('/')).body).toContain(canary);
  printLine(`forged calls: ${total.tried} tried, ${total.wrong} wrong`);
});

test('the same machinery changes what it may: a draft is made, answered and thrown away', async () => {
  const place = { cluster: door.slug, draft, step: 'goal' };
  const [now] =
    /"revision":\d+/.exec((await call('saveStep', asText(JSON.stringify([place, 0, { goal: 'install' }])))).body) ?? [];
  const revision = Number(now?.split(':')[1]);
  const kept = await call('saveStep', asText(JSON.stringify([place, revision, { goal: 'install' }])));
  expect(kept.body).toContain('"ok":true');
  expect(stateOf(door.state)).not.toEqual(before.state);
  const form = [
    { name: 'cluster', value: door.slug },
    { name: 'draft', value: draft },
  ];
  expect((await call('discardDraft', withForm('[null,"$K1"]', form))).body).toContain('"ok":true');
  expect(Object.keys(stateOf(door.state)).filter((path) => path.includes(draft))).toEqual([]);
});

const onlyDigest = /^0:\{"a":"\$@1"[^\n]{0,200}\}\n1:E\{"digest":"\d+"\}\n$/;

/** Words in an answer to a forged call that it must not contain. The path of the log is allowed: messages about faults name it to the owner. */
function tells({ status, body, headers }: Answer): string[] {
  const words = [
    /\bat [\w.<> ]+ \((?:file:|node:|\/)[^)]*:\d+:\d+\)/,
    /node:internal/,
    /node_modules/,
    /\basync function\b|=>\s*\{/,
    /root:x:0:0/,
    /NEXT_REDIRECT;[^;]*;https?:/,
  ];
  return [
    ...words.filter((one) => one.test(body)).map((one) => `the body tells ${one}`),
    // Next answers so what is no reply of React's: a number under which the log has the cause, and nothing else.
    ...(status >= 500 && !onlyDigest.test(body) ? [`status ${status} ${body.slice(0, 200)}`] : []),
    ...('x-injected' in headers ? ['a header was injected'] : []),
    ...(/evil/.test(headers['x-action-redirect'] ?? headers.location ?? '') ? ['it leads elsewhere'] : []),
  ];
}
