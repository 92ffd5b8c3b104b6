'use client';

import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { useAnsweredAction } from '#components/wizard/use-answered-action.ts';
import type { StepPlace, Values } from '#lib/console/wizard/index.ts';

const planes = [
  { value: 'BPF', words: 'eBPF', text: 'Calico serves Services itself, and kube-proxy is turned off last.' },
  {
    value: 'Iptables',
    words: 'Standard',
    text: 'Calico’s Linux data plane beside kube-proxy. eBPF can be enabled later; no address is needed before.',
  },
] as const;

/** An installation begins with one of the two; what is asked after it follows from that. `kept`: the answers of the step, with the draft's revision. */
export function DataPlane({ place, revision, kept }: { place: StepPlace; revision: number; kept: Values }) {
  const chosen = planes.find(({ value }) => value === kept.dataplane) ?? planes[0];
  return (
    <Panel title="Data plane">
      <div className="px-4 py-3 text-sm">
        <p className="mb-2 text-ink-2">{chosen.text}</p>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Data plane</legend>
          {planes.map(({ value, words }) => (
            <Plane
              key={value}
              place={place}
              fields={{ ...kept, dataplane: value, revision: String(revision) }}
              words={words}
              isChosen={value === chosen.value}
            />
          ))}
        </fieldset>
      </div>
    </Panel>
  );
}

function Plane({
  place,
  fields,
  words,
  isChosen,
}: {
  place: StepPlace;
  fields: Values;
  words: string;
  isChosen: boolean;
}) {
  const { answer, form, isPending } = useAnsweredAction(useActions().continueStep.bind(null, place));
  return (
    <form {...form}>
      {Object.entries({ ...fields, plain: 'yes' }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button
        type="submit"
        aria-pressed={isChosen}
        aria-disabled={isPending || undefined}
        className={isChosen ? 'border-blue! bg-blue-tint! text-blue!' : ''}
      >
        {words}
      </Button>
      {answer?.ok === false && (
        <p role="alert" className="mt-1 text-sm font-[560] text-red">
          {answer.message}
        </p>
      )}
    </form>
  );
}
