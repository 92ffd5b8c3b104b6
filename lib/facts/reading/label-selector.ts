import { meetsRequirement } from '#lib/base/selectors/label-requirement.ts';
import { fields, listOf, type Parsed, text, textMap, texts } from '#lib/kube/read/lenient.ts';

const requirement = fields({ key: text, operator: text, values: texts });

/** A LabelSelector of Kubernetes. */
export const labelSelector = fields({ matchLabels: textMap, matchExpressions: listOf(requirement) });
export type LabelSelector = Parsed<typeof labelSelector>;

/** Whether a LabelSelector selects these labels; an empty one selects everything (kubernetes.io › Labels and Selectors). */
export function selects(
  { matchLabels, matchExpressions }: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    // An unknown operator selects: one object too many is safer than one too few.
    matchExpressions.every((one) => meetsRequirement(one, labels[one.key]) ?? true)
  );
}
