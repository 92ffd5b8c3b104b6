import { type Plan, planUndo } from '#lib/plan/index.ts';

/** `seq` of an operation → when it is taken back if all of the plan was carried out: `2nd of 7 on the way back`. */
export function wayBackOrder(plan: Plan): ReadonlyMap<number, string> {
  const steps = planUndo(
    plan,
    plan.operations.map(({ seq }) => seq),
    null,
  );
  return new Map(
    steps.map(({ undoes }, index) => [undoes, `${ordinal(index + 1)} of ${steps.length} on the way back`]),
  );
}

const endings: Record<Intl.LDMLPluralRule, string> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
  other: 'th',
  zero: 'th',
  many: 'th',
};
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(number: number): string {
  return `${number}${endings[rules.select(number)]}`;
}
