import { WithheldBody } from '#components/compatibility/withheld-body.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted } from '#lib/base/words.ts';
import { withheldTogether } from '#lib/checks/index.ts';
import type { StepPlace, WizardContext } from '#lib/console/wizard/index.ts';

/** One card for all findings that lack only rights, or only kinds of a dump: one remedy settles them together. */
export function NotReadCard({
  place,
  context: { draft, findings, flags },
}: {
  place: StepPlace;
  context: WizardContext;
}) {
  const together = withheldTogether(findings, flags);
  if (together === null) return null;
  return (
    <Panel title="Not read" aside={<StateMark state="unknown">{counted(together.findings.length, 'check')}</StateMark>}>
      <WithheldBody of={together} place={place} revision={draft.revision} />
    </Panel>
  );
}
