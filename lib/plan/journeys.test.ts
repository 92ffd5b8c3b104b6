import { expect, test } from 'vitest';
import { checks } from '#lib/checks/index.ts';
import { enable, install, leaveIpvs, leaveIpvsFirst } from './journeys.ts';

const journeys = { install: [install, leaveIpvsFirst], enable: [enable, leaveIpvs] };

/** An install writes the whole Installation, with the fields of fixes in it. */
const writtenInPlaceOf: Readonly<Record<string, string>> = { 'installation.options': 'custom-resources' };

const fixes = (['install', 'enable'] as const).flatMap((goal) =>
  checks.flatMap(({ id, goals, remedy: { autofix } }) =>
    autofix !== undefined && goals.includes(goal) ? [[goal, id, autofix] as const] : [],
  ),
);

test('some checks offer a fix', () => {
  expect(fixes.length).toBeGreaterThan(10);
});

test.each(fixes)('%s: a plan can do what %s offers, %s', (goal, _id, autofix) => {
  const planned = journeys[goal].flatMap(({ operations }) => operations.map(({ id }) => id));
  expect(planned).toContain(goal === 'install' ? (writtenInPlaceOf[autofix] ?? autofix) : autofix);
});
