import { expect, test } from 'vitest';
import { planChanges } from './shown-plan.ts';

const step = (id: string, digest = 'a') => ({ id, title: `do ${id}`, digest });

test('says what is new, gone and other, and nothing of what is the same', () => {
  expect(
    planChanges([step('snapshot'), step('switch'), step('gone')], [step('snapshot'), step('switch', 'b'), step('new')]),
  ).toEqual(['New: do new', 'No longer there: do gone', 'Does something else now: do switch']);
});

test('an id that occurs twice is compared in order', () => {
  expect(planChanges([step('wait'), step('wait')], [step('wait'), step('wait', 'b')])).toEqual([
    'Does something else now: do wait',
  ]);
});
