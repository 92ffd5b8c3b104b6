import { PendingFindings } from '#components/compatibility/pending-findings.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { checks } from '#lib/checks/index.ts';
import type { Draft } from '#lib/console/host.ts';
import { type StepId, stepStates, stepText } from '#lib/console/wizard/index.ts';
import { LookWhenRead } from './look-when-read.tsx';
import { StepHelp } from './step/step-help.tsx';
import { StepList } from './step/step-list.tsx';
import { WizardFrame } from './wizard-frame.tsx';

/** Shown while the cluster is read for the first time: the steps, the question, and what is being read. */
export function WizardWaiting({ draft, step }: { draft: Draft; step: StepId }) {
  const states = stepStates(draft, null, 'the cluster is being read.');
  const titles = checks.filter(({ goals }) => goals.includes(draft.answers.goal)).map(({ topic }) => topic);
  return (
    <WizardFrame
      steps={
        <>
          <StepList states={states} current={step} cluster={draft.cluster} draft={draft.id} />
          <StepHelp step={step} />
        </>
      }
      preview={null}
    >
      <PageHead
        title={stepText(step, draft.answers.goal).question}
        sub="Reading the cluster. Your answers so far are kept."
      />
      <LookWhenRead />
      {step === 'compatibility' ? (
        <PendingFindings titles={titles} />
      ) : (
        <Panel className="max-w-[64ch]">
          <Skeleton label="Reading the cluster" widths={['w-1/3', 'w-full', 'w-2/3']} />
          <Skeleton label="Reading the cluster" widths={['w-1/4', 'w-full', 'w-1/2']} />
        </Panel>
      )}
    </WizardFrame>
  );
}
