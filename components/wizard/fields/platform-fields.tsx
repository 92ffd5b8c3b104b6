'use client';

import { Disclosure } from '#components/ui/disclosure.tsx';
import { asDetected, type PlatformProposal } from '#lib/console/wizard/index.ts';
import { Choices } from './choices.tsx';

/** The detected platform, and every other behind a disclosure that is open where one of them was chosen. */
export function PlatformFields({ proposal, chosen }: { proposal: PlatformProposal; chosen: string }) {
  const { detected, evidence, options } = proposal;
  const seen =
    evidence.length === 0
      ? 'No sign of a particular platform was seen.'
      : `Detected, by ${evidence[0]?.object ?? 'its nodes'}.`;
  return (
    <div className="grid gap-3">
      <Choices
        name="platform"
        legend="Platform"
        chosen={chosen}
        choices={[{ value: asDetected, title: detected.title, text: '', proposed: seen, because: null }]}
      />
      <Disclosure summary="It is something else" open={chosen !== asDetected}>
        <p className="mb-2 max-w-[56ch] text-sm text-ink-2">
          Your choice is recorded with the run. It decides how the service proxy is turned off, and where Signalbox
          looks for the address. The checks still show what was detected.
        </p>
        <Choices
          name="platform"
          id="platform-other"
          legend="Another platform"
          chosen={chosen}
          columns="two"
          choices={options.map(({ value, title, text }) => ({ value, title, text, proposed: null, because: null }))}
        />
      </Disclosure>
    </div>
  );
}
