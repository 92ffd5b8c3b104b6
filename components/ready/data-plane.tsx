'use client';

import { useActions } from '#components/actions.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';
import type { StepPlace, Values } from '#lib/console/wizard/index.ts';

const planes = [
  { value: 'BPF', words: 'eBPF', text: 'Calico serves Services itself, and kube-proxy is turned off last.' },
  {
    value: 'Iptables',
    words: 'Standard',
    text: 'Calico’s Linux data plane beside kube-proxy. eBPF can be enabled later; no address is needed before.',
  },
] as const;

/** Asks for the data plane of an installation, because the later questions depend on it. `saved`: the stored answers of the step. */
export function DataPlane({ place, revision, saved }: { place: StepPlace; revision: number; saved: Values }) {
  const { continueStep } = useActions();
  const chosen = planes.find(({ value }) => value === saved.dataplane) ?? planes[0];
  return (
    <Panel title="Data plane">
      <div className="px-4 py-3 text-sm">
        <p className="mb-2 text-ink-2">{chosen.text}</p>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Data plane</legend>
          {planes.map(({ value, words }) => (
            <PressForm
              key={value}
              action={continueStep.bind(null, place)}
              fields={{ ...saved, dataplane: value, revision: String(revision) }}
              aria-pressed={value === chosen.value}
              className={value === chosen.value ? 'border-blue! bg-blue-tint! text-blue!' : ''}
            >
              {words}
            </PressForm>
          ))}
        </fieldset>
      </div>
    </Panel>
  );
}
