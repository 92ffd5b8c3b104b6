import { expect, test } from 'vitest';
import { checks } from '#lib/checks/index.ts';
import { enable, install, leaveIpvs, leaveIpvsFirst } from './journeys.ts';

const journeys = { install: [install, leaveIpvsFirst], enable: [enable, leaveIpvs] };

/** An install writes the Installation in one piece, with the fields of mends in it. */
const writtenInPlaceOf: Readonly<Record<string, string>> = { 'installation.options': 'custom-resources' };

const mends = (['install', 'enable'] as const).flatMap((goal) =>
  checks.flatMap(({ id, goals, remedy: { autofix } }) =>
    autofix !== undefined && goals.includes(goal) ? [[goal, id, autofix] as const] : [],
  ),
);

test('some checks offer a mend', () => {
  expect(mends.length).toBeGreaterThan(10);
});

test.each(mends)('%s: a plan can do what %s offers, %s', (goal, _id, autofix) => {
  const planned = journeys[goal].flatMap(({ operations }) => operations.map(({ id }) => id));
  expect(planned).toContain(goal === 'install' ? (writtenInPlaceOf[autofix] ?? autofix) : autofix);
});
